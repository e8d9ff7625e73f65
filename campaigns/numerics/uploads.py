"""Looks into a file that organizers uploaded."""

from __future__ import annotations

from typing import Any

from campaigns.numerics.folder import FolderInspector
from campaigns.work import UploadInput
from evaluation import CheckRules


def facts_of(work: UploadInput) -> dict[str, Any]:
    """Outcome, messages, and what the file holds, as its purpose asks."""
    look = FolderInspector()
    if work.purpose in ("qrels", "pool"):
        return look.qrels(work.file, is_graded=work.purpose == "qrels", topics=work.topics)
    if work.purpose == "topics":
        return look.topics(work.file, work.form, work.language)
    if work.purpose == "document_ids":
        return look.document_ids(work.file)
    if work.purpose == "initial_run":
        rules = CheckRules(levels={"tied_scores": "ignore"})
        return look.run(work.file, rules, work.topics, None)
    raise ValueError(f"no check for files of purpose {work.purpose}")
