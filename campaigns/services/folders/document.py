"""Reads YAML into plain values with the line of each path: bounded, and without tags.

Works on the parser's events, so that neither depth nor repetition can exhaust anything. Scalars
are those of YAML 1.2, so that ``no`` and ``12:30`` stay text; times stay text as well, since only
their text still holds the zone.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from campaigns.services.folders.faults import Faults

MAX_BYTES = 4 << 20
MAX_DEPTH = 24
MAX_NODES = 400_000

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Document:
    """The values of a YAML file, and the line of each path in it."""

    value: Any
    lines: dict[str, int]


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being read."""

    path: str
    value: list[Any] | dict[str, Any]
    anchor: str | None = None
    key: str | None = None
    names: set[str] = field(default_factory=set)


class _Unreadable(Exception):
    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


def read_document(path: Path) -> Document:
    """Read a YAML file; raises ``FolderRefusedError`` with what makes it unreadable."""
    faults = Faults()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            faults.add("", f"{path.name} holds more than {MAX_BYTES:,} bytes")
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        faults.add("", f"{path.name} is not UTF-8 text (byte {error.start})")
    except OSError as error:
        faults.add("", f"{path.name} cannot be read: {error.strerror}")
    faults.refuse_if_any()
    return parse_document(text)


def parse_document(text: str) -> Document:
    """Read YAML text; raises ``FolderRefusedError``."""
    faults = Faults()
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = "" if mark is None else f"line {mark.line + 1}: "
        faults.add("", f"{line}not YAML: {error.problem or error.context}")
    except yaml.YAMLError as error:
        faults.add("", f"not YAML: {str(error).splitlines()[0]}")
    except _Unreadable as error:
        faults.add("", f"line {error.line}: {error}")
    faults.refuse_if_any()
    return Document(builder.root, builder.lines)


class _Builder:
    def __init__(self) -> None:
        self.root: Any = None
        self.lines: dict[str, int] = {}
        self._stack: list[_Open] = []
        self._anchors: dict[str, Any] = {}
        self._nodes = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), line)
        elif isinstance(event, yaml.NodeEvent):
            self._check(event, line)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _Unreadable("the file holds more than one document", line)
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open([], event.anchor, line)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open({}, event.anchor, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            closed = self._stack.pop()
            if closed.anchor is not None:
                self._anchors[closed.anchor] = closed.value

    def _check(self, event: Any, line: int) -> None:
        self._count(line)
        if getattr(event, "tag", None) not in (None, "!"):
            raise _Unreadable(f"tags such as {event.tag} are not read: remove it", line)

    def _count(self, line: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Unreadable(f"the file holds more than {MAX_NODES:,} values", line)

    def _alias(self, anchor: str, line: int) -> None:
        """A copy of the anchored value; copies count as if they were written out."""
        if anchor not in self._anchors:
            raise _Unreadable(f"there is no finished value &{anchor} before *{anchor}", line)
        if self._is_key_wanted():
            raise _Unreadable("a name in a mapping must be text", line)
        self._add(self._copy(self._anchors[anchor], len(self._stack), line), line)

    def _copy(self, value: Any, depth: int, line: int) -> Any:
        self._count(line)
        if not isinstance(value, list | dict):
            return value
        if depth >= MAX_DEPTH:
            raise _Unreadable(f"more than {MAX_DEPTH} levels deep", line)
        if isinstance(value, list):
            return [self._copy(one, depth + 1, line) for one in value]
        return {name: self._copy(one, depth + 1, line) for name, one in value.items()}

    def _is_key_wanted(self) -> bool:
        top = self._stack[-1] if self._stack else None
        return top is not None and isinstance(top.value, dict) and top.key is None

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        top = self._stack[-1] if self._stack else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            if event.value in top.names:
                raise _Unreadable(f"{event.value!r} stands twice in the same mapping", line)
            if "\0" in event.value:
                raise _Unreadable("a name holds a null character", line)
            top.names.add(event.value)
            top.key = event.value
            return
        if "\0" in event.value:
            raise _Unreadable("a value holds a null character", line)
        is_plain = event.style is None or event.style == ""
        value = plain_value(event.value) if is_plain else event.value
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._add(value, line)

    def _open(self, value: list[Any] | dict[str, Any], anchor: str | None, line: int) -> None:
        if self._is_key_wanted():
            raise _Unreadable("a name in a mapping must be text", line)
        if len(self._stack) >= MAX_DEPTH:
            raise _Unreadable(f"more than {MAX_DEPTH} levels deep", line)
        self._stack.append(_Open(self._add(value, line), value, anchor))

    def _add(self, value: Any, line: int) -> str:
        """Put a value into its place; the path of that place."""
        if not self._stack:
            self.root = value
            return ""
        top = self._stack[-1]
        if isinstance(top.value, list):
            path = f"{top.path}[{len(top.value)}]"
            top.value.append(value)
        else:
            path = joined(top.path, str(top.key))
            top.value[str(top.key)] = value
            top.key = None
        self.lines[path] = line
        return path


def joined(path: str, name: str) -> str:
    """The path of a name in the mapping at ``path``; odd names are quoted and cut."""
    shown = name if _PLAIN.fullmatch(name) else repr(name[:60])
    return f"{path}.{shown}" if path else shown


def plain_value(text: str) -> Any:
    """What an unquoted scalar means."""
    if text in _NULL:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text
