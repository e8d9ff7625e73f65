"""Checks a run file against its task."""

from __future__ import annotations

import hashlib

from campaigns.numerics.files import (
    UnreadableError,
    document_ids_of,
    initial_run_of,
    opened,
    qrels_of,
    require_unchanged,
)
from campaigns.work import CheckInput, CheckResult, StoredText
from evaluation import CheckedRun, Qrels, Run, read_run


def check(work: CheckInput) -> CheckResult:
    """Read the file once and report every fault; judgments serve hints for organizers alone."""
    pool: Run | Qrels | None = None
    if work.initial_run is not None:
        pool = initial_run_of(work.initial_run)
    elif work.pool is not None:
        pool = qrels_of(work.pool, is_graded=False)
    documents = document_ids_of(work.document_ids) if work.document_ids else None
    qrels = qrels_of(work.qrels) if work.qrels else None
    with opened(work.file) as file:
        checked = read_run(
            file, work.rules, topics=work.topics, documents=documents, pool=pool, qrels=qrels
        )
    is_damaged = any(message.kind == "archive_damaged" for message in checked.messages)
    if (is_damaged or checked.summary.text_bytes == 0) and _is_known_by_its_bytes(work.file):
        return _result(checked)
    require_unchanged(checked.summary.sha256, work.file)
    if is_damaged:
        # It was expanded to its end when it arrived: the store lost it, not the team.
        raise UnreadableError("The stored run file can no longer be expanded.")
    return _result(checked)


def _is_known_by_its_bytes(stored: StoredText) -> bool:
    """A folder's run that holds no readable text is kept as it is, with the sum of its bytes."""
    digest = hashlib.sha256()
    with opened(stored) as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest() == stored.text_sha256


def _result(checked: CheckedRun) -> CheckResult:
    return CheckResult(
        outcome=checked.participant_outcome,
        messages=[message.as_dict() for message in checked.participant_messages],
        organizer_messages=[
            message.as_dict() for message in checked.messages if message.organizers_only
        ],
        tag=checked.summary.tag or "",
        topics=checked.summary.topics,
        documents=checked.summary.documents,
    )
