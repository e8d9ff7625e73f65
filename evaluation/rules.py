"""The rules of a task by which a file is checked, and their validation.

Imports the standard library alone: models, forms and campaign folders validate with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evaluation.errors import KINDS, LEVELS, BadRules, Level

DepthRule = Literal["reject", "truncate"]
Precision = Literal["double", "single"]

# A group with a repetition inside that is repeated itself, such as (a+)+.
_REPEATED_REPETITION = re.compile(r"\((?:\\.|[^()\\])*[*+}](?:\\.|[^()\\])*\)[*+{]")

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class Budgets:
    """What a file may cost; reading stops as soon as one is exceeded.

    ``expansion`` bounds the bytes of text for each byte of a gzip file, once the text exceeds
    ``expansion_from`` bytes: runs compress to a fifth, a bomb to a thousandth.
    """

    upload_bytes: int = 100 * MEBIBYTE
    text_bytes: int = 1024 * MEBIBYTE
    line_bytes: int = 65_536
    lines: int = 10_000_000
    topics: int = 200_000
    faulty_lines: int = 100_000
    expansion: int = 50
    expansion_from: int = 8 * MEBIBYTE

    def faults(self) -> list[tuple[str, str]]:
        """Budgets that are not whole numbers of at least 1."""
        return [
            (name, f"must be a whole number of at least 1, not {value!r}")
            for name in self.__slots__
            if not _is_whole(value := getattr(self, name), 1)
        ]


UNLIMITED = Budgets(upload_bytes=1 << 62, text_bytes=1 << 62, expansion=1 << 31)
"""For a file that was read within its budgets before."""


@dataclass(frozen=True, slots=True)
class CheckRules:
    """How a run is checked: levels of message kinds, depth, tag, precision and budgets.

    ``levels`` gives kinds another level than their default. ``depth`` is the number of documents
    allowed a topic (None: any), ``candidates`` how many of a pool's candidates each topic must
    hold (None: all of them, up to the depth). ``tag_pattern`` must match the whole tag.
    Raises BadRules, which lists every fault.
    """

    levels: Mapping[str, Level] = field(default_factory=dict)
    depth: int | None = None
    depth_rule: DepthRule = "reject"
    tag_pattern: str | None = None
    precision: Precision = "double"
    candidates: int | None = None
    budgets: Budgets = field(default_factory=Budgets)

    def __post_init__(self) -> None:
        faults = [
            *faults_of_levels(self.levels),
            *faults_of_settings(
                depth=self.depth,
                depth_rule=self.depth_rule,
                tag_pattern=self.tag_pattern,
                precision=self.precision,
                candidates=self.candidates,
            ),
            *self.budgets.faults(),
        ]
        if faults:
            raise BadRules(faults)

    def level(self, kind: str) -> Level:
        """The level of a kind under these rules."""
        return self.levels.get(kind, KINDS[kind].level)


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def faults_of_levels(levels: object) -> list[tuple[str, str]]:
    """All faults of a ``{kind: error|warning|ignore}`` mapping, as (name, what is wrong)."""
    if not isinstance(levels, Mapping):
        return [("rules", "must map kinds of message to error, warning or ignore")]
    return [
        (str(name), fault)
        for name, level in levels.items()
        if (fault := _fault_of_level(name, level)) is not None
    ]


def _fault_of_level(name: object, level: object) -> str | None:
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        return "is not a kind of message"
    if level not in LEVELS:
        return f"must be error, warning or ignore, not {level!r}"
    if level != kind.level and level not in kind.levels:
        return f"is always {kind.level} and cannot be changed"
    return None


def faults_of_settings(
    *,
    depth: object = None,
    depth_rule: object = "reject",
    tag_pattern: object = None,
    precision: object = "double",
    candidates: object = None,
) -> list[tuple[str, str]]:
    """All faults of a task's other checking settings, as (name, what is wrong)."""
    faults = []
    for name, number, least in (("depth", depth, 1), ("candidates", candidates, 0)):
        if number is not None and not _is_whole(number, least):
            faults.append(
                (name, f"must be a whole number of at least {least}, or absent, not {number!r}")
            )
    if depth_rule not in ("reject", "truncate"):
        faults.append(("depth_rule", f"must be reject or truncate, not {depth_rule!r}"))
    if precision not in ("double", "single"):
        faults.append(("precision", f"must be double or single, not {precision!r}"))
    if tag_pattern is not None:
        fault = _fault_of_pattern(tag_pattern)
        if fault is not None:
            faults.append(("tag_pattern", fault))
    return faults


def _fault_of_pattern(pattern: object) -> str | None:
    if not isinstance(pattern, str):
        return f"must be a regular expression, not {pattern!r}"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression: {error}"
    if _REPEATED_REPETITION.search(pattern):
        return "repeats a part that repeats already; matching a hostile tag could take for ever"
    return None


def parse_level(assignment: str) -> tuple[str, Level]:
    """Read ``NAME=error|warning|ignore`` as the command line takes it; raises BadRules."""
    name, _, value = assignment.partition("=")
    for level in LEVELS:
        if level == value:
            faults = faults_of_levels({name: level})
            if faults:
                raise BadRules(faults)
            return name, level
    raise BadRules([(name, f"must be error, warning or ignore, not {value!r}")])
