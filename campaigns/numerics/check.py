"""Checks a run file against its task."""

from __future__ import annotations

from campaigns.numerics.files import (
    UnreadableError,
    document_ids_of,
    initial_run_of,
    opened,
    qrels_of,
    require_unchanged,
)
from campaigns.work import CheckInput, CheckResult
from evaluation import Qrels, Run, read_run


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
    require_unchanged(checked.summary.sha256, work.file)
    if any(message.kind == "archive_damaged" for message in checked.messages):
        # It was expanded to its end when it arrived: the store lost it, not the team.
        raise UnreadableError("The stored run file can no longer be expanded.")
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
