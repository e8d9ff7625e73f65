"""Reads one run or pair of the YAML, and the runs of an original."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from campaigns.kinds import KINDS
from campaigns.models import FilePurpose, RunRole, RunType
from campaigns.services.folders.faults import suggestion
from campaigns.services.folders.paths import Folder
from campaigns.services.folders.section import Section
from campaigns.services.folders.specs import (
    SUBMITTED,
    FileUse,
    Owner,
    RunSpec,
    SubmissionSpec,
    TaskSpec,
)
from campaigns.services.form_fields import clean_metadata, definition_faults
from evaluation.notation import UnknownMeasureError, parse

BOTH = "pair"
"""The key under which a published series stands that is given once for a pair."""


def read_submission(
    one: Section, folder: Folder, tasks: Mapping[str, TaskSpec], teams: Container[str]
) -> SubmissionSpec | None:
    """The run or pair of one mapping; None when its task is not known."""
    task_slug, team = one.text("task", required=True), one.text("team", required=True)
    task = tasks.get(task_slug)
    if task_slug and task is None:
        one.fault("task", f"there is no task {task_slug!r}{suggestion(task_slug, tasks)}")
    if team and team not in teams:
        one.fault("team", f"there is no team {team!r} under teams")
    if task is None or task.kind not in KINDS:
        return None
    reader = RunReader(folder, (SUBMITTED, task.slug, team), task.columns["fields"])
    if KINDS[task.kind].is_pair:
        spec = _pair(one, reader, task, team)
    else:
        spec = SubmissionSpec(one.path, task.slug, team, reader.read(one, {}))
    one.close()
    return spec


def _pair(one: Section, reader: RunReader, task: TaskSpec, team: str) -> SubmissionSpec:
    original = one.text("original", required=True)
    known = {spec.slug for spec in task.originals}
    if original and original not in known:
        one.fault("original", f"there is no original {original!r}{suggestion(original, known)}")
    details = reader.details(one, {})
    metadata = reader.metadata(one, {})
    received, _ = one.time("received")
    inherited = {**details, "metadata": metadata, "received": received}
    reader.owner = (*reader.owner, original)
    runs: dict[str, RunSpec] = {}
    for role in RunRole.values:
        run = reader.nested(one, role, inherited)
        if run is not None:
            runs[role] = run
    if not any(one.has(role) for role in RunRole.values):
        one.fault("baseline", "is missing: a pair has a baseline and an advanced run")
    order = one.whole("order", least=-1_000_000, most=1_000_000)
    columns = {
        "title": details["title"],
        "description": details["description"],
        "family": one.text("family", most=60),
        "family_order": order,
        "metadata": metadata,
    }
    series = _series(one, reader.folder)
    return SubmissionSpec(one.path, task.slug, team, None, original, runs, columns, series)


def _series(one: Section, folder: Folder) -> dict[str, dict[str, FileUse]]:
    """Published values by topic: one file, or one for each role."""
    section = one.section("series")
    series: dict[str, dict[str, FileUse]] = {}
    for name in one.mapping("series"):
        value = section.take(name)
        parts = Section(value, section.at(name), one.faults) if isinstance(value, dict) else None
        named = {role: parts.take(role) for role in (*RunRole.values, BOTH)} if parts else {}
        if parts is not None:
            parts.close()
        for role, file in (named or {BOTH: value}).items():
            if file is None and parts is not None:
                continue
            at = parts.at(role) if parts else section.at(name)
            use = folder.file(file, at, FilePurpose.TOPIC_SCORES, ("series",))
            if use is not None:
                series.setdefault(name[:80], {})[role] = use
    return series


class RunReader:
    """Reads runs of one owner: a team in a task, or an original in a role."""

    def __init__(self, folder: Folder, owner: Owner, fields: Iterable[Mapping[str, Any]]) -> None:
        self.folder, self.owner = folder, owner
        # What was handed in before a field existed is not held against it.
        listed = list(fields)
        self.has_sound_fields = not definition_faults(listed)
        self.fields = (
            [{**one, "required": False} for one in listed] if self.has_sound_fields else []
        )

    def nested(self, one: Section, role: str, inherited: Mapping[str, Any]) -> RunSpec | None:
        """A run of a pair: the name of its file, or a mapping with details of its own."""
        value = one.take(role)
        if value is None:
            return None
        part = Section(
            value if isinstance(value, dict) else {"run": value}, one.at(role), one.faults
        )
        outer, self.owner = self.owner, (*self.owner, role)
        run = self.read(part, inherited, at="" if isinstance(value, dict) else one.at(role))
        self.owner = outer
        part.close()
        return run

    def read(self, one: Section, inherited: Mapping[str, Any], at: str = "") -> RunSpec:
        """The run of a mapping; ``at`` is the path when the file alone was given."""
        file = self._file(one, at)
        scores = self._scores(one)
        if one.is_mapping and not one.has("run") and not one.has("scores"):
            one.fault("run", "is missing: name the run file, or give scores")
        if one.has("run") and one.has("scores"):
            one.fault("scores", "is for runs whose file cannot be had: leave out one of the two")
        details = self.details(one, inherited)
        received, _ = one.time("received")
        if not one.has("received"):
            received = inherited.get("received")
        if received is not None and received > timezone.now():
            one.fault("received", "lies in the future")
        details["withdrawn_at"] = one.time("withdrawn")[0]
        details |= self._disqualified(one)
        details |= {"is_pooled": one.flag("pooled"), "is_final": one.flag("final")}
        details["priority"] = one.whole("priority")
        system = details.pop("system")
        metadata = self.metadata(one, inherited)
        return RunSpec(one.path, file, scores, details, system, metadata, received)

    def _file(self, one: Section, at: str) -> FileUse | None:
        value = one.take("run")
        if not one.has("run"):
            return None
        return self.folder.file(value, at or one.at("run"), FilePurpose.RUN, self.owner)

    def _scores(self, one: Section) -> dict[str, FileUse]:
        section = one.section("scores")
        scores: dict[str, FileUse] = {}
        for name in one.mapping("scores"):
            try:
                measure = parse(name).name
            except UnknownMeasureError as error:
                section.fault(name, str(error))
                continue
            use = self.folder.file(
                section.take(name), section.at(name), FilePurpose.TOPIC_SCORES, self.owner
            )
            if measure in scores:
                section.fault(name, "stands twice, under two spellings")
            elif use is not None:
                scores[measure] = use
        if one.has("scores") and not one.mapping("scores"):
            one.fault("scores", "must name a file for at least one measure")
        return scores

    def details(self, one: Section, inherited: Mapping[str, Any]) -> dict[str, Any]:
        """What is said of a run; what is not given comes from around it."""
        values: dict[str, Any] = {
            "title": one.text("title", most=200),
            "description": one.text("description"),
            "system": one.text("system", most=120),
            "run_type": one.choice("run_type", RunType.values, RunType.AUTOMATIC),
        }
        return {
            name: inherited[name] if name in inherited and not one.has(name) else value
            for name, value in values.items()
        }

    def metadata(self, one: Section, inherited: Mapping[str, Any]) -> dict[str, Any]:
        """Values of the task's own fields."""
        given = one.mapping("metadata")
        if not one.has("metadata") and "metadata" in inherited:
            return dict(inherited["metadata"])
        if not self.has_sound_fields:
            return {}
        values, faults = clean_metadata(self.fields, given)
        section = one.section("metadata")
        for name, text in faults.items():
            section.fault(name, text)
        return values

    def _disqualified(self, one: Section) -> dict[str, datetime | str | None]:
        at, _ = one.time("disqualified")
        reason = one.text("disqualified_reason")
        if at is not None and not reason:
            one.fault("disqualified_reason", "is missing: say why the run was disqualified")
        return {"disqualified_at": at, "disqualified_reason": reason if at else ""}
