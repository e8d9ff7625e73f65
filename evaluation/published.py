"""Reads topic scores that others computed: CSV ``topic,score`` or trec_eval's ``-q`` output."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass

from evaluation.data import TopicScores
from evaluation.errors import FileRejected, Message, Outcome, outcome_of
from evaluation.lines import NUMBER, LineReader
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.source import Source
from evaluation.stream import read_chunks

ALL_TOPICS = "all"
NOT_GIVEN = "not given in the published file"

_UNDEFINED = frozenset(("", "nan", "na", "n/a", "null", "none", "-"))


@dataclass(frozen=True, slots=True)
class CheckedScores:
    """Topic scores that were read: None with the messages that say why, when rejected."""

    scores: TopicScores | None
    messages: tuple[Message, ...]
    sha256: str | None

    @property
    def outcome(self) -> Outcome:
        """Accepted, accepted with warning or rejected."""
        return outcome_of(self.messages)

    def sound(self) -> TopicScores:
        """The scores; raises FileRejected when there are none."""
        if self.scores is None:
            raise FileRejected(self.messages)
        return self.scores


def read_topic_scores(
    source: Source,
    measure: str,
    rules: CheckRules | None = None,
    *,
    name_in_file: str | None = None,
) -> CheckedScores:
    """Read the topic scores of one measure; a value such as NaN or an empty one is undefined.

    trec_eval's output may hold several measures: ``name_in_file`` says which one to take, as it
    is written there (``map``, ``P_10``). Its row ``all`` is left out.
    """
    report = Report(rules or CheckRules())
    reader = ScoreReader(report, name_in_file)
    reading = read_chunks(source, report, reader.read)
    if reading.is_complete:
        reader.check_names()
        if not reader.scores and not reader.damaged:
            report.add("empty_file", None, "the file holds no scores to take")
    messages = reading.messages()
    if outcome_of(messages) == "rejected":
        return CheckedScores(None, messages, reading.sha256)
    found = TopicScores.of(measure, reader.scores)
    reasons = {topic: NOT_GIVEN for topic, value in reader.scores.items() if math.isnan(value)}
    scores = TopicScores(measure, found.topics, found.values, reasons)
    return CheckedScores(scores, messages, reading.sha256)


class ScoreReader(LineReader):
    """Topic scores line by line; which of the two forms, each line shows itself."""

    def __init__(self, report: Report, name: str | None) -> None:
        super().__init__(report)
        self.scores: dict[str, float] = {}
        self._name = name
        self._names: set[str] = set()
        self._lines: dict[str, int] = {}

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the scores of a chunk."""
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            self._line(number, line)

    def check_names(self) -> None:
        """Refuse several measures of which none was named."""
        if self._name is None and len(self._names) > 1:
            self.report.add(
                "wrong_column_count", None, "the file holds several measures: {}",
                ", ".join(sorted(self._names)),
            )  # fmt: skip

    def _line(self, number: int, line: bytes) -> None:
        is_first = not self.has_started
        fields = self.fields(number, line.replace(b'"', b"") if b"," in line else line)
        if fields is None:
            return
        if b"," in line:
            columns = [one.strip() for one in next(csv.reader([line.strip().decode()]))]
            # A CSV file may name its columns.
            if is_first and columns[0].lower() in ("topic", "query", "qid", "query_id"):
                return
            self._cells(number, line, columns)
            return
        columns = [field.decode() for field in fields]
        if len(columns) == 3:
            self._names.add(columns[0])
            if columns[1] == ALL_TOPICS or self._name not in (None, columns[0]):
                return
            columns = columns[1:]
        self._cells(number, line, columns)

    def _cells(self, number: int, line: bytes, columns: list[str]) -> None:
        if len(columns) != 2:
            self.fault(
                "wrong_column_count", number, line, "{} columns, neither topic and score nor "
                "measure, topic and score", len(columns),
            )  # fmt: skip
            return
        topic, text = columns
        if not NUMBER.fullmatch(text.encode()) and text.lower() not in _UNDEFINED:
            self.fault("bad_score", number, line, "score {} is not a number", text.encode())
            return
        value = math.nan if text.lower() in _UNDEFINED else float(text)
        if math.isinf(value):
            self.fault("score_not_finite", number, line, "score {} is too large", text.encode())
        elif topic in self.scores and (self._name is not None or len(self._names) < 2):
            self.report.add(
                "duplicate_topic", number, "topic {} is already on line {}",
                topic.encode(), self._lines[topic], topic=topic, quoted=line,
            )  # fmt: skip
        else:
            self.scores[topic] = value
            self._lines[topic] = number
