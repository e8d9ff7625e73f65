"""The forms of topic files: lines with a tab, lines of JSON, TREC's SGML and XML."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from evaluation.errors import FileProblem
from evaluation.report import Report
from evaluation.sniff import refuse_other_files
from evaluation.topic_markup import TaggedTopics
from evaluation.topic_reader import ID_NAMES, TopicReader, Wording, one_line

_HEADER = frozenset(
    ("id", "qid", "query", "query_id", "text", "title", "topic", "topic_id", "topicid")
)


class TabSeparatedTopics(TopicReader):
    """Topics as lines of id, tab, text; further columns belong to the text."""

    def line(self, number: int, line: bytes) -> None:
        """Take one line."""
        name, _, text = line.rstrip(b"\r").partition(b"\t")
        is_first = not self.has_started
        # Only the id has to obey the rules of ids: its text may hold any blank.
        fields = self.fields(number, name)
        if fields is None:
            if text.strip() and not name.strip():
                self.fault("wrong_column_count", number, line, "the line has no topic id")
            return
        if len(fields) != 1:
            self.fault("wrong_column_count", number, line, "the line is not topic id, tab, text")
            return
        try:
            topic, wording = fields[0].decode(), text.strip().decode()
        except UnicodeDecodeError:
            self.fault("encoding_not_utf8", number, line, "the text is not UTF-8")
            return
        if is_first and {topic.lower(), wording.lower()} <= _HEADER:
            self.report.add("header_line", number, "the first line names the columns", quoted=line)
            return
        self.take(number, topic, wording, line)


class JsonTopics(TopicReader):
    """Topics as lines of JSON objects, flat or as NeuCLIR nests them (``topics`` by language)."""

    def line(self, number: int, line: bytes) -> None:
        """Take one line."""
        if not line.strip():
            return
        try:
            given = json.loads(line.decode())
        except UnicodeDecodeError:
            self.fault("encoding_not_utf8", number, line, "the text is not UTF-8")
            return
        except (ValueError, RecursionError):
            self.fault("topic_damaged", number, line, "the line is not JSON")
            return
        if not isinstance(given, dict):
            self.fault("topic_damaged", number, line, "the line is not a JSON object")
            return
        topic = _first(given, ID_NAMES)
        nested = self._of_language(given.get("topics"))
        wording = _first({**nested, **given}, self.wording)
        if isinstance(topic, bool) or not isinstance(topic, str | int | None):
            self.fault("topic_damaged", number, line, "the id is neither a text nor a number")
        elif not isinstance(wording, str | None):
            self.fault("topic_damaged", number, line, f"the {self.wording[0]} is not a text")
        else:
            name = "" if topic is None else str(topic).strip()
            self.take_free(number, name, one_line(wording or ""), line)

    def _of_language(self, entries: Any) -> dict[str, Any]:
        """The entry of the language that was asked for, or else the first."""
        listed = (
            [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
        )
        asked = (one for one in listed if self.language in (one.get("lang"), one.get("language")))
        return next(asked, listed[0] if listed else {})


TOPIC_FORMS: Mapping[str, Callable[[Report, Wording, str], TopicReader]] = {
    "tsv": TabSeparatedTopics,
    "jsonl": JsonTopics,
    "xml": TaggedTopics,
}


def form_of(start: bytes) -> str:
    """The form that a file has by its beginning; raises FileProblem for what holds no topics."""
    head = start.lstrip()
    if head.startswith(b"{"):
        return "jsonl"
    if head.startswith(b"<") and not head[:9].lower().startswith((b"<html", b"<!doctype")):
        return "xml"
    if head.startswith(b"[") and head[1:].lstrip().startswith(b"{"):
        raise FileProblem(
            "topic_damaged", "the file is one JSON list; write each topic as a line of its own"
        )
    refuse_other_files(start)
    return "tsv"


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), None)
