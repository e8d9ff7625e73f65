"""Reads qrels and pools: who is judged, with what grade or utility, and what contradicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Ids, Qrels, byte_order
from evaluation.errors import FileRejected, Message, Outcome, outcome_of
from evaluation.lines import INTEGER, NOT_FINITE, NUMBER, LineReader
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.source import Source
from evaluation.stream import Reading, read_chunks
from evaluation.tokens import Codes, integers, numbers, split_rows

_NO_UTILITY = frozenset((b"-", b"na", b"n/a", b"nan", b"null", b"none", b"?", b"."))


@dataclass(frozen=True, slots=True)
class CheckedQrels:
    """Qrels (or a pool) that were read: None with the messages that say why, when rejected."""

    qrels: Qrels | None
    messages: tuple[Message, ...]
    lines: int
    sha256: str | None
    upload_sha256: str | None

    @property
    def outcome(self) -> Outcome:
        """Accepted, accepted with warning or rejected."""
        return outcome_of(self.messages)

    def sound(self) -> Qrels:
        """The qrels; raises FileRejected when there are none."""
        if self.qrels is None:
            raise FileRejected(self.messages)
        return self.qrels


@dataclass(frozen=True, slots=True)
class Form:
    """The columns of a file of judgments: how many, and where document and value stand."""

    columns: int
    document: int
    value: int
    is_graded: bool
    is_pool: bool = False


GRADED = Form(4, 2, 3, is_graded=True)
REAL_VALUED = Form(4, 2, 3, is_graded=False)
POOL = Form(3, 1, 2, is_graded=False, is_pool=True)


def read_qrels(
    source: Source,
    rules: CheckRules | None = None,
    *,
    graded: bool = True,
    topics: Iterable[str] | None = None,
) -> CheckedQrels:
    """Read qrels of four columns: topic, iteration, document id, relevance grade.

    Grades are whole numbers; with ``graded=False`` the last column holds real-valued utilities.
    ``topics`` are those of the collection; judgments of others are kept, with a warning.
    """
    return _read(source, rules, GRADED if graded else REAL_VALUED, topics)


def read_pool(
    source: Source,
    rules: CheckRules | None = None,
    *,
    topics: Iterable[str] | None = None,
) -> CheckedQrels:
    """Read a pool of three columns: topic, document id, utility (a real number)."""
    return _read(source, rules, POOL, topics)


def _read(
    source: Source, rules: CheckRules | None, form: Form, topics: Iterable[str] | None
) -> CheckedQrels:
    report = Report(rules or CheckRules())
    reader = JudgmentReader(report, form)
    reading = read_chunks(source, report, reader.read)
    qrels = None
    if reading.is_complete:
        if not reader.topics and not reader.damaged:
            report.add("empty_file", None, "the file holds no judgments")
        reader.note_topics(topics)
        qrels = reader.qrels(reading)
    messages = reading.messages()
    is_rejected = outcome_of(messages) == "rejected"
    return CheckedQrels(
        None if is_rejected else qrels,
        messages,
        reading.lines,
        reading.sha256,
        reading.upload_sha256,
    )


class JudgmentReader(LineReader):
    """Collects judgments topic by topic; the first one of a document stands."""

    def __init__(self, report: Report, form: Form) -> None:
        super().__init__(report)
        self.form = form
        self.topics = Codes()
        self._first_lines: list[int] = []
        self._judged: list[dict[bytes, tuple[float, int]]] = []

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the judgments of a chunk, as a whole when it is sound."""
        rows = split_rows(chunk, self.limit)
        columns = self.form.columns
        if rows and set(map(len, rows)) == {columns} and b"#" not in {r[0][:1] for r in rows}:
            values = self._values([row[self.form.value] for row in rows])
            if values is not None:
                self.has_started = True
                lines = range(first_line, first_line + len(rows))
                for number, row, value in zip(lines, rows, values.tolist(), strict=True):
                    self._take(number, row[0], row[self.form.document], value, None)
                return
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            self._line(number, line)

    def _values(self, column: list[bytes]) -> NDArray[np.float64] | None:
        if not self.form.is_graded:
            return numbers(column)
        grades = integers(column)
        return None if grades is None else grades.astype(np.float64)

    def _line(self, number: int, line: bytes) -> None:
        fields = self.fields(number, line)
        if fields is None:
            return
        if self.form.is_pool and len(fields) == self.form.columns - 1:
            self.fault("missing_utility", number, line, "the line gives no utility")
            return
        if len(fields) != self.form.columns:
            wanted = "three" if self.form.is_pool else "four"
            self.fault(
                "wrong_column_count", number, line, "{} instead of {} columns", len(fields), wanted
            )
            return
        text = fields[self.form.value]
        value = self._value(text, number, line)
        if value is not None:
            self._take(number, fields[0], fields[self.form.document], value, line)

    def _value(self, text: bytes, number: int, line: bytes) -> float | None:
        if self.form.is_pool and text.lower() in _NO_UTILITY:
            self.fault("missing_utility", number, line, "utility {} is no number", text)
        elif self.form.is_graded and INTEGER.fullmatch(text):
            return float(int(text))
        elif self.form.is_graded:
            self.fault("bad_relevance", number, line, "grade {} is not a whole number", text)
        elif NUMBER.fullmatch(text) and np.isfinite(float(text)):
            return float(text)
        else:
            what = "finite" if NOT_FINITE.fullmatch(text) or NUMBER.fullmatch(text) else "a number"
            self.fault("bad_relevance", number, line, "utility {} is not {}", text, what)
        return None

    def _take(
        self, number: int, topic: bytes, document: bytes, value: float, line: bytes | None
    ) -> None:
        code = self.topics[topic]
        if code == len(self._judged):
            self._judged.append({})
            self._first_lines.append(number)
        judged = self._judged[code]
        before = judged.setdefault(document, (value, number))
        if before[1] == number:
            return
        kind = "duplicate_judgement" if before[0] == value else "conflicting_judgement"
        self.report.add(
            kind,
            number,
            "document {} of topic {} is judged {} here and {} on line {}",
            document,
            topic,
            _plain(value),
            _plain(before[0]),
            before[1],
            topic=topic,
            quoted=line,
        )

    def note_topics(self, topics: Iterable[str] | None) -> None:
        """Warn of judged topics that the topic file lacks, at their first line."""
        if topics is None:
            return
        known = {topic.encode() for topic in topics}
        for topic, code in self.topics.items():
            if topic not in known:
                self.report.add(
                    "topic_not_in_topic_file",
                    self._first_lines[code],
                    "topic {} is not in the topic file",
                    topic,
                    topic=topic,
                )

    def qrels(self, reading: Reading) -> Qrels:
        """The judgments, topics in byte order, documents in the order of the file."""
        names = sorted((topic.decode() for topic in self.topics), key=byte_order)
        by_topic = [self._judged[self.topics[name.encode()]] for name in names]
        starts = np.zeros(len(names) + 1, dtype=np.int64)
        np.cumsum([len(judged) for judged in by_topic], out=starts[1:])
        return Qrels(
            tuple(names),
            starts,
            Ids.of(document for judged in by_topic for document in judged),
            np.array(
                [value for judged in by_topic for value, _ in judged.values()], dtype=np.float64
            ),
            self.form.is_graded,
            reading.sha256 or "",
        )


def _plain(value: float) -> str:
    return f"{value:.0f}" if value.is_integer() else repr(value)
