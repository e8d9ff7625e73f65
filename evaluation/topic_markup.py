"""Reader of topics as TREC's SGML or as XML."""

from __future__ import annotations

import re

from evaluation.report import Report
from evaluation.topic_reader import ID_NAMES, WORDINGS, TopicReader, Wording, one_line

# No quantifier stands in another one: each of these takes time in step with the text.
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"([\w:-]{1,40})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')")
_DECLARATION = re.compile(r"<!(?!--)")
_REMARK = re.compile(r"<!--|<\?")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_TOPIC_TAGS = ("top", "topic")
# What TREC wrote before a text, since its tags were not closed.
_LABEL = re.compile(r"\s*(?:number|topic|description|narrative)\s*:", re.IGNORECASE)
# Parts of TREC's topics that hold none of the three wordings, yet end the one before.
_OTHERS = frozenset(("dom", "smry", "con", "fac", "def", "nat", "time", "aux", "domain"))
_PARTS = _OTHERS.union(ID_NAMES, *WORDINGS.values())
_MOST_LINES = 50  # that a tag or remark may take


class TaggedTopics(TopicReader):
    """Topics as TREC's SGML, where only ``<top>`` is closed, or as XML with ``<topic>``.

    Ids stand in an attribute of the topic or in an element of it. Nothing is declared: only the
    five entities of XML and numbers are read.
    """

    def __init__(self, report: Report, wording: Wording = "title", language: str = "") -> None:
        super().__init__(report, wording, language)
        self._parts: dict[str, list[str]] | None = None
        self._part = ""
        self._length = 0
        self._start, self._first = 1, b""
        self._pending, self._waited = "", 0

    def line(self, number: int, line: bytes) -> None:
        """Take one line; a tag or remark that goes on in the next one waits for it."""
        try:
            text = self._pending + line.rstrip(b"\r").decode() + "\n"
        except UnicodeDecodeError:
            self.fault("encoding_not_utf8", number, line, "the text is not UTF-8")
            return
        text, self._pending = _complete(text)
        self._waited = self._waited + 1 if self._pending else 0
        if self._waited > _MOST_LINES or len(self._pending) >= self.limit:
            self.fault("topic_damaged", number, line, "a tag or remark before is not closed")
            self._pending, self._waited = "", 0
        if _DECLARATION.search(text):
            self.fault("entity_not_allowed", number, line, "the file declares a type or entities")
            return
        end = 0
        for tag in _TAG.finditer(text):
            self._text(number, text[end : tag.start()], line)
            self._tag(number, tag, line)
            end = tag.end()
        self._text(number, text[end:], line)

    def finish(self) -> None:
        """A topic that is open at the end lacks something."""
        if self._parts is not None or self._pending:
            self.fault("topic_damaged", self._start, self._first, "the last topic is not closed")

    def _text(self, number: int, text: str, line: bytes) -> None:
        if self._parts is None:
            if text.strip():
                self.fault("topic_damaged", number, line, "the text belongs to no topic")
        elif self._part:
            self._length += len(text)
            if self._length < self.limit:
                self._parts[self._part].append(text)

    def _tag(self, number: int, tag: re.Match[str], line: bytes) -> None:
        is_end, name = bool(tag[1]), tag[2].lower()
        if name in _TOPIC_TAGS:
            self._edge(number, is_end, tag[3], line)
        elif self._parts is not None and name in _PARTS:
            # A second part of the same name says nothing about the first.
            self._part = "" if is_end or name in self._parts else name
            if self._part:
                self._parts[name] = []

    def _edge(self, number: int, is_end: bool, attributes: str, line: bytes) -> None:
        if is_end == (self._parts is None):
            text = "no topic is open here" if is_end else "the topic before is not closed"
            self.fault("topic_damaged", number, line, text)
        if is_end and self._parts is not None:
            self._close({name: "".join(texts) for name, texts in self._parts.items()})
        self._parts, self._part, self._length = None, "", 0
        if not is_end:
            given = {
                name.lower(): one or other for name, one, other in _ATTRIBUTE.findall(attributes)
            }
            self._parts = {name: [given[name]] for name in ID_NAMES if name in given}
            self._start, self._first = number, line

    def _close(self, parts: dict[str, str]) -> None:
        if self._length >= self.limit:
            self.fault(
                "line_too_long", self._start, self._first,
                f"the topic has {self.limit} characters or more",
            )  # fmt: skip
            return
        topic = next((parts[name] for name in ID_NAMES if name in parts), "")
        wording = next((parts[name] for name in self.wording if name in parts), "")
        try:
            texts = [_decoded(_LABEL.sub("", one, count=1)) for one in (topic, wording)]
        except ValueError as error:
            self.fault("entity_not_allowed", self._start, self._first, "{}", str(error))
            return
        self.take_free(self._start, one_line(texts[0]), one_line(texts[1]), self._first)


def _complete(text: str) -> tuple[str, str]:
    """The text without remarks, and what has begun but is not closed yet."""
    kept, start = [], 0
    while (mark := _REMARK.search(text, start)) is not None:
        kept.append(text[start : mark.start()])
        closing = "-->" if mark[0] == "<!--" else "?>"
        end = text.find(closing, mark.end())
        if end < 0:
            return "".join(kept), text[mark.start() :]
        start = end + len(closing)
    rest = text[start:]
    begun = rest.rfind("<")
    if begun > rest.rfind(">") and re.match(r"</?[A-Za-z]", rest[begun:]):
        return "".join(kept) + rest[:begun], rest[begun:]
    return "".join(kept) + rest, ""


def _decoded(text: str) -> str:
    """The text with its entities replaced; raises ValueError for one that is not known."""

    def character(found: re.Match[str]) -> str:
        name = found[1]
        if not name.startswith("#"):
            if name not in _PREDEFINED:
                raise ValueError(f"the entity &{name}; is not one of the five of XML")
            return _PREDEFINED[name]
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        if code > 0x10FFFF:
            raise ValueError(f"&{name}; is no character")
        return chr(code)

    return _ENTITY.sub(character, text)
