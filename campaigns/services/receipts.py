"""Signed receipts: what arrived when, with its checksum. Ends arguments about deadlines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core import signing

from campaigns.models import Pair, Run, StoredFile

SALT = "campaigns.receipt"
SIGNED = ("run", "campaign", "task", "team", "name", "size", "sha256", "text_sha256", "received_at")


def _text(receipt: Mapping[str, Any]) -> str:
    return json.dumps(
        {name: receipt.get(name) for name in SIGNED},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=True,
    )


def _sign(receipt: dict[str, Any]) -> dict[str, Any]:
    signed = signing.Signer(salt=SALT).sign(_text(receipt))
    return {**receipt, "signature": signed.rpartition(":")[2]}


def receipt_of(run: Run) -> dict[str, Any] | None:
    """The receipt of a run; None for a run without a file, or before its last byte came."""
    file: StoredFile | None = run.file
    if file is None:
        return None
    return _sign(
        {
            "run": str(run.pk),
            "campaign": run.task.campaign.slug,
            "task": run.task.slug,
            "team": run.team.slug if run.team else None,
            "name": file.name,
            "size": file.size,
            "sha256": file.sha256,
            "text_sha256": file.text_sha256,
            "received_at": run.received_at.isoformat(),
        }
    )


def receipt_of_pair(pair: Pair) -> dict[str, Any]:
    """The receipts of a pair's runs, by role."""
    return {
        role: receipt_of(run) if run is not None else None
        for role, run in (("baseline", pair.baseline), ("advanced", pair.advanced))
    }


def is_genuine(receipt: Any) -> bool:
    """Whether a receipt was signed here and not changed since."""
    if not isinstance(receipt, Mapping) or set(receipt) != {*SIGNED, "signature"}:
        return False
    signature = receipt["signature"]
    if not isinstance(signature, str) or not signature.isascii():
        return False
    try:
        return signing.Signer(salt=SALT).unsign(f"{_text(receipt)}:{signature}") == _text(receipt)
    except (signing.BadSignature, ValueError, RecursionError):
        return False
