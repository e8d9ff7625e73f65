"""What workers are given and what they give back: plain values, no database, no NumPy.

Services make the inputs and record the results; ``numerics`` turns one into the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.rules import CheckRules


@dataclass(frozen=True, slots=True)
class StoredText:
    """A file in the store, by key, with the checksum of its text."""

    key: str
    text_sha256: str


@dataclass(frozen=True, slots=True)
class CheckInput:
    """A run file and what it is checked against."""

    file: StoredText
    rules: CheckRules
    topics: tuple[str, ...] | None = None
    document_ids: StoredText | None = None
    initial_run: StoredText | None = None
    pool: StoredText | None = None
    qrels: StoredText | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The report of a check; ``organizer_messages`` come from judgments."""

    outcome: str
    messages: list[dict[str, Any]]
    organizer_messages: list[dict[str, Any]]
    tag: str
    topics: int
    documents: int


@dataclass(frozen=True, slots=True)
class UploadInput:
    """A file of the organizers; ``topics`` are those that judgments may be about.

    ``form`` and ``language`` say which wording of the topics is wanted from a file of several.
    """

    file: StoredText
    purpose: str
    topics: tuple[str, ...] | None = None
    form: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ScoreInput:
    """A run, or its given scores by measure, and the qrels. ``measures``: name -> recipe digest."""

    run: StoredText | None
    given: Mapping[str, StoredText]
    rules: CheckRules
    qrels: StoredText
    is_graded: bool
    topics: tuple[str, ...] | None
    measures: Mapping[str, str]
    averaging: str
    depth: int
    clip: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """The score by one recipe; ``values`` are little-endian doubles aligned to ``topics``."""

    digest: str
    mean: float | None
    reason: str
    interval: tuple[float, float] | None
    topics_averaged: int
    topics: tuple[str, ...]
    values: bytes
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scores:
    """Stored topic scores of one run by one measure."""

    topics: tuple[str, ...]
    values: bytes


@dataclass(frozen=True, slots=True)
class RankingInput:
    """Two run files whose orders are compared over the topics of a task."""

    original: StoredText
    submitted: StoredText
    rules: CheckRules
    topics: tuple[str, ...] | None
    depth: int
    rbo_p: float
    recipes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DeviationInput:
    """Stored scores of both runs by one measure, and the topics averaged on each side."""

    measure: str
    digest: str
    original: Scores
    submitted: Scores
    topics: tuple[str, ...]
    new_topics: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class EffectInput:
    """Stored scores of both pairs by one measure."""

    measure: str
    digest: str
    original_baseline: Scores
    original_advanced: Scores
    submitted_baseline: Scores
    submitted_advanced: Scores
    topics: tuple[str, ...]
    new_topics: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """One quantity between a run and its original."""

    digest: str
    value: float | None
    reason: str
    topics: tuple[str, ...] = ()
    values: bytes | None = None
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EffectResult:
    """A pair's effect by one measure; ``columns`` holds the stored numbers by name."""

    digest: str
    columns: dict[str, float | int | None]
    reasons: dict[str, str]
    warnings: list[dict[str, str]]
    detail: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """A column to rank: towards high, low or a target, or not at all."""

    key: str
    goal: str
    target: float | None = None


@dataclass(frozen=True, slots=True)
class CellValue:
    """A number of a row, or why there is none."""

    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RowInput:
    """A row to rank. ``tie_break`` orders rows of the same rank, ``excluded`` unranks it."""

    identity: str
    team: int | None
    cells: Mapping[str, CellValue]
    tie_break: tuple[Any, ...]
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class RankInput:
    """A whole board."""

    columns: tuple[ColumnSpec, ...]
    primary: str
    rows: tuple[RowInput, ...]


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row in its place; ``ranks`` by column."""

    identity: str
    position: int
    rank: int | None
    is_shared: bool
    reason: str
    is_best_of_team: bool
    ranks: Mapping[str, int | None]
