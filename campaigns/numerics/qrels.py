"""What a file of judgments holds, for its row and its check report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.numerics.files import opened
from campaigns.work import StoredText
from evaluation import read_pool, read_qrels

MOST_GRADES = 50


def qrels_facts(
    stored: StoredText, *, is_graded: bool, topics: Iterable[str] | None = None
) -> dict[str, Any]:
    """Outcome, messages, and what ``services.qrels.add_qrels`` keeps of the file."""
    with opened(stored) as file:
        checked = read_qrels(file, topics=topics) if is_graded else read_pool(file, topics=topics)
    qrels = checked.qrels
    facts: dict[str, Any] = {
        "outcome": checked.outcome,
        "messages": [message.as_dict() for message in checked.messages],
        "topics": [],
        "judgments": 0,
        "relevant": 0,
        "topics_without_relevant": [],
        "grades": [],
    }
    if qrels is None:
        return facts
    least = 1.0 if is_graded else 5e-324
    relevant = qrels.grades >= least
    ends = zip(qrels.starts[:-1].tolist(), qrels.starts[1:].tolist(), strict=True)
    grades = sorted(set(qrels.grades.tolist())) if is_graded else []
    return facts | {
        "topics": list(qrels.topics),
        "judgments": len(qrels.documents),
        "relevant": int(relevant.sum()),
        "topics_without_relevant": [
            topic
            for topic, (start, stop) in zip(qrels.topics, ends, strict=True)
            if not relevant[start:stop].any()
        ],
        "grades": [int(grade) for grade in grades[:MOST_GRADES]],
    }
