"""The same Idempotency-Key and the same request: the same answer, and nothing done twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from campaigns.models import IdempotentAnswer, User
from campaigns.services.refusals import RefusalError

MAX_KEY = 255


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent to the client."""

    status: int
    body: dict[str, Any]
    location: str = ""


def key_fault(key: str) -> str:
    """Why a key cannot be used; empty when it can."""
    if not 1 <= len(key) <= MAX_KEY or not key.isascii() or not key.isprintable():
        return f"An Idempotency-Key has 1 to {MAX_KEY} printable ASCII characters."
    return ""


def request_digest(
    path: str, fields: Iterable[tuple[str, list[str]]], files: Mapping[str, str]
) -> str:
    """SHA-256 over path, fields in any order, and the SHA-256 of each file."""
    told = [path, sorted(fields), sorted(files.items())]
    return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()


def _in_one_order(body: dict[str, Any]) -> dict[str, Any]:
    """PostgreSQL keeps no order of keys: the first answer is told in the same one as the others."""
    return {
        name: _in_one_order(body[name]) if isinstance(body[name], dict) else body[name]
        for name in sorted(body)
    }


def _first_answer(user: User, key: str, digest: str) -> Answer:
    kept = IdempotentAnswer.objects.get(user=user, key=key)
    if kept.request_digest != digest:
        raise RefusalError(
            "idempotency_key_reused",
            "This Idempotency-Key was used for another request.",
            422,
            {"Idempotency-Key": "Use a new key for each new run."},
        )
    return Answer(kept.status, _in_one_order(kept.body), kept.location)


def answer_once(
    user: User, key: str, digest: str, act: Callable[[], Answer]
) -> tuple[Answer, bool]:
    """The answer, and whether ``act`` ran now.

    The key is taken before ``act`` and in its transaction: a second request waits for the first
    at the unique key, then gets its answer. A refused request leaves no trace, so that it may be
    sent again under the same key. Raises ``RefusalError`` (422) for another request.
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                row = IdempotentAnswer.objects.create(
                    user=user, key=key, request_digest=digest, status=0, body={}
                )
        except IntegrityError:
            return _first_answer(user, key, digest), False
        answer = act()
        row.status, row.body, row.location = answer.status, answer.body, answer.location
        row.save(update_fields=["status", "body", "location"])
    return Answer(answer.status, _in_one_order(answer.body), answer.location), True
