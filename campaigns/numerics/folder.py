"""Looks into the stored files of a campaign folder before any row is made of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from campaigns.numerics.files import document_ids_of, opened
from campaigns.numerics.qrels import qrels_facts
from campaigns.work import StoredText
from evaluation import (
    CheckRules,
    Message,
    read_document_ids,
    read_run,
    read_topic_scores,
    read_topics,
)
from evaluation.errors import outcome_of
from evaluation.notation import UnknownMeasureError, parse
from evaluation.source import Text
from evaluation.topic_reader import wording_of


def _facts(messages: Iterable[Message], **more: Any) -> dict[str, Any]:
    listed = list(messages)
    return {
        "outcome": outcome_of(listed),
        "messages": [message.as_dict() for message in listed],
        **more,
    }


class FolderInspector:
    """What ``services.folders`` asks of a file: outcome, messages, and what the file holds."""

    def qrels(
        self, stored: StoredText, *, is_graded: bool, topics: Iterable[str] | None
    ) -> dict[str, Any]:
        """As ``qrels_facts``."""
        return qrels_facts(stored, is_graded=is_graded, topics=topics)

    def topics(self, stored: StoredText, form: str = "", language: str = "") -> dict[str, Any]:
        """``texts``: topic id to wording; a file of several gives that of the form's name."""
        with opened(stored) as file:
            checked = read_topics(file, wording=wording_of(form), language=language)
        return _facts(checked.messages, texts=dict(checked.topics or {}))

    def document_ids(self, stored: StoredText) -> dict[str, Any]:
        """``documents``: how many ids there are."""
        with opened(stored) as file:
            checked = read_document_ids(file)
        return _facts(checked.messages, documents=len(checked.ids or ()))

    def run(
        self,
        stored: StoredText,
        rules: CheckRules,
        topics: Iterable[str] | None,
        document_ids: StoredText | None,
    ) -> dict[str, Any]:
        """``topics``: those that the run has."""
        documents = document_ids_of(document_ids) if document_ids else None
        with opened(stored) as file:
            checked = read_run(file, rules, topics=topics, documents=documents)
        return _facts(checked.messages, topics=list(checked.run.topics if checked.run else ()))

    def scores(self, stored: StoredText, measure: str | None) -> dict[str, Any]:
        """``values``: topic to score or None; ``selected``: the lines of one of several measures.

        Without a measure the values are taken as they are.
        """
        name, lines = self._lines_of(stored, measure) if measure else (None, None)
        with opened(stored) as file:
            checked = read_topic_scores(file, measure or "series", name_in_file=name)
        values = {}
        if checked.scores is not None:
            pairs = zip(checked.scores.topics, checked.scores.values.tolist(), strict=True)
            values = {topic: None if math.isnan(value) else value for topic, value in pairs}
        return _facts(checked.messages, values=values, selected=lines if name else None)

    def _lines_of(self, stored: StoredText, measure: str) -> tuple[str | None, bytes | None]:
        """The name under which trec_eval's output of several measures holds this one."""
        names: dict[bytes, list[bytes]] = {}
        with opened(stored) as file:
            text = b"".join(Text(file, CheckRules().budgets).blocks())
        for line in text.splitlines():
            fields = line.split()
            if len(fields) == 3:
                names.setdefault(fields[0], []).append(line)
        if len(names) < 2:
            return None, None
        for name, lines in names.items():
            try:
                if parse(name.decode()).name == measure:
                    return name.decode(), b"\n".join(lines) + b"\n"
            except (UnknownMeasureError, UnicodeDecodeError):
                continue
        return None, None
