"""What readers of topics have in common, whatever the form."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Literal

from evaluation.errors import FileProblem
from evaluation.lines import FORBIDDEN, INVISIBLE, LineReader
from evaluation.report import Report

Wording = Literal["title", "description", "narrative"]

# The names that tracks give to the same thing, the commonest first.
ID_NAMES = ("topic_id", "query_id", "qid", "id", "_id", "number", "num", "topicid", "topic")
WORDINGS: Mapping[str, tuple[str, ...]] = {
    "title": ("title", "topic_title", "query", "text", "question"),
    "description": ("description", "topic_description", "desc"),
    "narrative": ("narrative", "topic_narrative", "narr"),
}

# Texts may hold any blank, but nothing that a database or JSON cannot.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_BLANKS = re.compile(r"[ \t\r\n]+")


def wording_of(form: str) -> Wording:
    """The wording that a form's name asks for: the title unless it names another one."""
    for wording in ("description", "narrative"):
        if form.strip().lower() in WORDINGS[wording]:
            return wording
    return "title"


class TopicReader(LineReader, ABC):
    """Topics that were read, id to text in the order of the file, whatever their form."""

    def __init__(self, report: Report, wording: Wording = "title", language: str = "") -> None:
        super().__init__(report)
        self.wording = WORDINGS[wording]
        self.language = language
        self.topics: dict[str, str] = {}
        self._lines: dict[str, int] = {}

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the topics of a chunk of whole lines."""
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            if len(line) >= self.limit:
                self.fault(
                    "line_too_long", number, line, f"the line has {self.limit} bytes or more"
                )
            else:
                self.line(number, line)

    @abstractmethod
    def line(self, number: int, line: bytes) -> None:
        """Take one line."""

    def finish(self) -> None:
        """The text is over."""

    def take(self, number: int, topic: str, wording: str, line: bytes) -> None:
        """Keep a topic unless something is wrong with its text, or it is there already."""
        if _CONTROL.search(wording):
            self.fault("character_not_allowed", number, line, "the text holds control characters")
        elif topic in self.topics:
            self.report.add(
                "duplicate_topic", number, "topic {} is already on line {}",
                topic.encode(), self._lines[topic], topic=topic, quoted=line,
            )  # fmt: skip
        elif len(self.topics) >= self.report.rules.budgets.topics:
            raise FileProblem("file_too_large", f"the file has more than {len(self.topics)} topics")
        else:
            self.topics[topic] = wording
            self._lines[topic] = number

    def take_free(self, number: int, topic: str, wording: str, line: bytes) -> None:
        """Keep a topic whose id did not stand in a column, so that it may be anything."""
        if not _is_text(topic) or not _is_text(wording):
            self.fault("encoding_not_utf8", number, line, "the topic holds half a character")
        elif not topic:
            self.fault("topic_damaged", number, line, "the topic has no id")
        elif FORBIDDEN.search(topic) or " " in topic or "\t" in topic:
            self.fault("character_not_allowed", number, line, "the id holds blanks or controls")
        else:
            if INVISIBLE.search(topic):
                self.report.add(
                    "invisible_character_in_id", number, "the id holds an invisible character",
                    quoted=line,
                )  # fmt: skip
            self.take(number, topic, wording, line)


def one_line(text: str) -> str:
    """The text with each stretch of blanks as one space."""
    return _BLANKS.sub(" ", text).strip(" ")


def _is_text(given: str) -> bool:
    """Whether no half of a surrogate pair stands alone, which JSON can write."""
    return not any("\ud800" <= character <= "\udfff" for character in given)
