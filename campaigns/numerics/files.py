"""Reads files from the store; judgments and id lists stay parsed in a long-lived worker."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.storage import storages

from campaigns.work import StoredText
from evaluation import (
    CheckedQrels,
    CheckedRun,
    CheckRules,
    Qrels,
    Run,
    read_document_ids,
    read_pool,
    read_qrels,
    read_run,
)
from evaluation.compiled import Cache
from evaluation.errors import FileRejected


class UnreadableError(Exception):
    """A stored file that was sound no longer is; the text says which and why."""


def opened(stored: StoredText) -> BinaryIO:
    """The stored bytes, plain or gzip; raises ``UnreadableError`` when they are gone."""
    try:
        return cast(BinaryIO, storages["runs"].open(stored.key, "rb"))
    except FileNotFoundError as error:  # its text names a path of the server
        raise UnreadableError("A stored file is no longer where it was put.") from error


def require_unchanged(sha256: str | None, stored: StoredText) -> None:
    """Raise ``UnreadableError`` unless the text read is that which arrived; None: not all read."""
    if sha256 is not None and sha256 != stored.text_sha256:
        raise UnreadableError("The stored run file no longer has the checksum it arrived with.")


def _compiled() -> Cache:
    """What workers keep of runs and qrels, so that scoring them again parses no text."""
    return Cache(settings.COMPILED_ROOT, settings.COMPILED_BYTES)


def _require_there(stored: StoredText) -> None:
    if not storages["runs"].exists(stored.key):
        raise UnreadableError("A stored file is no longer where it was put.")


def run_of(stored: StoredText, rules: CheckRules) -> Run:
    """A run that was accepted before; raises ``UnreadableError`` when its file has changed."""

    def read() -> CheckedRun:
        with opened(stored) as file:
            checked = read_run(file, rules)
        require_unchanged(checked.summary.sha256 or "", stored)
        return checked

    _require_there(stored)
    try:
        return _compiled().run(stored.text_sha256, rules, read).sound()
    except FileRejected as rejected:
        raise UnreadableError("The stored run file is no longer accepted.") from rejected


@lru_cache(maxsize=8)
def qrels_of(stored: StoredText, *, is_graded: bool = True) -> Qrels:
    """Judgments, or the utilities of a pool."""

    def read() -> CheckedQrels:
        with opened(stored) as file:
            checked = read_qrels(file) if is_graded else read_pool(file)
        if checked.qrels is None or checked.qrels.sha256 != stored.text_sha256:
            raise UnreadableError(
                "The stored qrels file no longer has the checksum it arrived with."
            )
        return checked

    _require_there(stored)
    form = "graded" if is_graded else "pool"
    return _compiled().qrels(stored.text_sha256, form, CheckRules(), read).sound()


@lru_cache(maxsize=2)
def initial_run_of(stored: StoredText) -> Run:
    """The run whose documents a reranking task allows."""
    return run_of(stored, CheckRules(levels={"tied_scores": "ignore"}))


@lru_cache(maxsize=2)
def document_ids_of(stored: StoredText) -> Container[bytes]:
    """The document ids of a collection."""
    with opened(stored) as file:
        checked = read_document_ids(file)
    if checked.ids is None:
        raise UnreadableError("The stored list of document ids is not readable.")
    return checked.ids
