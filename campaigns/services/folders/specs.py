"""A campaign as its folder describes it, read and without faults of form; no rows yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from campaigns.models import FilePurpose

Owner = tuple[str, ...]

SUBMITTED = "run"
"""First part of the owner of a submitted run's files; task and team follow."""


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that the YAML names at ``at``; ``owner`` says whose it is, for finding it again."""

    path: Path
    at: str
    purpose: FilePurpose
    owner: Owner


@dataclass(frozen=True, slots=True)
class FormSpec:
    """One wording of the topics."""

    form: str
    language: str
    translation: str
    file: FileUse


@dataclass(frozen=True, slots=True)
class CollectionSpec:
    """A test collection; ``columns`` go into its row as they are."""

    slug: str
    at: str
    columns: Mapping[str, Any]
    document_ids: FileUse | None
    topics: FileUse | None
    qrels: FileUse | None
    forms: tuple[FormSpec, ...]

    @property
    def files(self) -> list[FileUse]:
        """All files of the collection."""
        own = [use for use in (self.document_ids, self.topics, self.qrels) if use is not None]
        return [*own, *(form.file for form in self.forms)]


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run: by its file, or by scores alone (measure -> file)."""

    at: str
    file: FileUse | None
    scores: Mapping[str, FileUse]
    columns: Mapping[str, Any]
    system: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    received: datetime | None = None

    @property
    def files(self) -> list[FileUse]:
        """All files of the run."""
        return [*([self.file] if self.file else []), *self.scores.values()]


@dataclass(frozen=True, slots=True)
class OriginalSpec:
    """A pair of original runs."""

    slug: str
    at: str
    columns: Mapping[str, Any]
    runs: Mapping[str, RunSpec]


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A task; ``columns`` go into its row as they are."""

    slug: str
    at: str
    kind: str
    collection: str
    original_collection: str
    columns: Mapping[str, Any]
    initial_run: FileUse | None
    pool: FileUse | None
    originals: tuple[OriginalSpec, ...]


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """A system of a team."""

    slug: str
    columns: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TeamSpec:
    """A team."""

    slug: str
    at: str
    columns: Mapping[str, Any]
    systems: tuple[SystemSpec, ...]
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionSpec:
    """What a team handed in: one run, or the run or runs of a pair."""

    at: str
    task: str
    team: str
    run: RunSpec | None
    original: str = ""
    pair: Mapping[str, RunSpec] = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)
    series: Mapping[str, Mapping[str, FileUse]] = field(default_factory=dict)

    @property
    def runs(self) -> list[RunSpec]:
        """The runs of the submission."""
        return [*([self.run] if self.run else []), *self.pair.values()]


@dataclass(frozen=True, slots=True)
class CampaignSpec:
    """Everything in ``campaign.yaml``."""

    slug: str
    columns: Mapping[str, Any]
    collections: tuple[CollectionSpec, ...]
    tasks: tuple[TaskSpec, ...]
    teams: tuple[TeamSpec, ...]
    submissions: tuple[SubmissionSpec, ...]
    organizers: tuple[str, ...] = ()

    def series_files(self) -> Iterator[FileUse]:
        """Published series: read, not kept."""
        for submission in self.submissions:
            for parts in submission.series.values():
                yield from parts.values()

    def stored_files(self) -> Iterator[FileUse]:
        """All files that are kept as they are."""
        for collection in self.collections:
            yield from collection.files
        for task in self.tasks:
            yield from (use for use in (task.initial_run, task.pool) if use is not None)
        for run in self.runs():
            yield from run.files

    def runs(self) -> Iterator[RunSpec]:
        """Original runs, then submitted ones."""
        for task in self.tasks:
            for original in task.originals:
                yield from original.runs.values()
        for submission in self.submissions:
            yield from submission.runs
