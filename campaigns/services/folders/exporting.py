"""A campaign becomes a folder: runs, pairs and published scores beside the settings."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from campaigns.models import (
    Campaign,
    Evaluation,
    Origin,
    Original,
    Pair,
    Run,
    RunRole,
    RunState,
    Task,
    Team,
)
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.handing_in import key_of
from campaigns.services.folders.run_sections import BOTH
from campaigns.services.folders.writing import (
    FolderWriter,
    campaign_section,
    collection_section,
    task_section,
    team_section,
)
from campaigns.services.zones import write_time

SCORES = "scores.csv"

Section = dict[str, Any]


def export_folder(campaign: Campaign, root: Path) -> int:
    """Write a campaign into an empty or new folder; how many runs it holds.

    ``load_campaign`` makes an equal campaign of it. Its ``scores.csv`` is for readers: scores
    are computed again from the runs. Raises ``FolderRefusedError`` when the folder is in use.
    """
    faults = Faults()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        faults.add("", f"{root} exists and is not an empty folder: name a new one")
        faults.refuse_if_any()
    root.mkdir(parents=True, exist_ok=True)
    return _Export(campaign, FolderWriter(root)).write()


class _Export:
    def __init__(self, campaign: Campaign, writer: FolderWriter) -> None:
        self.campaign, self.writer = campaign, writer
        self.runs = _kept(
            Run.objects.filter(task__campaign=campaign, deleted_at__isnull=True)
            .exclude(state=RunState.RECEIVING)
            .select_related("task", "team", "system", "original", "file")
            .prefetch_related("given_scores__file")
            .order_by("received_at", "pk")
        )
        self.numbers = {run.pk: number for number, run in enumerate(self.runs.values(), 1)}

    def write(self) -> int:
        campaign = self.campaign
        collections = campaign.collections.filter(deleted_at__isnull=True)
        tasks = list(
            Task.objects.filter(campaign=campaign, deleted_at__isnull=True).select_related(
                "collection", "original_collection", "initial_run"
            )
        )
        teams = Team.objects.filter(campaign=campaign, deleted_at__isnull=True)
        self.writer.document(
            {
                "campaign": campaign_section(campaign),
                "collections": [collection_section(one, self.writer) for one in collections],
                "tasks": [task_section(one, self.writer, self._originals) for one in tasks],
                "teams": [team_section(one) for one in teams.prefetch_related("systems")],
                "runs": [*self._single_runs(), *self._pairs()],
            }
        )
        self.writer.text(self._scores(), ".", SCORES)
        return len(self.runs)

    def _originals(self, original: Original, *place: str) -> Section:
        return {
            run.role: self._run(run, *place, run.role, has_details=bool(run.title))
            for run in self.runs.values()
            if run.origin == Origin.ORIGINAL and run.original_id == original.pk
        }

    def _is_exported(self, run: Run) -> bool:
        return run.task.deleted_at is None and run.team is not None and run.team.deleted_at is None

    def _single_runs(self) -> Iterable[Section]:
        for run in self.runs.values():
            if run.origin == Origin.SUBMITTED and not run.original_id and self._is_exported(run):
                yield {
                    "task": run.task.slug,
                    "team": run.team.slug if run.team else "",
                    **self._run(run, *self._place(run)),
                }

    def _pairs(self) -> Iterable[Section]:
        seen = set()
        for pair in (
            Pair.objects.filter(task__campaign=self.campaign, deleted_at__isnull=True)
            .select_related("task", "team", "original", "baseline", "advanced")
            .order_by("created_at", "pk")
        ):
            runs = {
                role: self.runs[key_of(run)]
                for role in RunRole.values
                if (run := getattr(pair, role)) is not None and key_of(run) in self.runs
            }
            key = (pair.original_id, *sorted((role, run.pk) for role, run in runs.items()))
            if not runs or key in seen or not all(map(self._is_exported, runs.values())):
                continue
            seen.add(key)
            yield self._pair(pair, runs)

    def _pair(self, pair: Pair, runs: Mapping[str, Run]) -> Section:
        section: Section = {
            "task": pair.task.slug,
            "team": pair.team.slug,
            "original": pair.original.slug,
            "title": pair.title,
            "description": pair.description,
            "family": pair.family,
            "order": pair.family_order,
            "metadata": pair.metadata,
        }
        for role, run in runs.items():
            section[role] = self._run(run, *self._place(run))
        series: Section = {}
        runs_place = "-".join(f"{self.numbers[run.pk]:04d}" for run in runs.values())
        for name, parts in pair.published_series.items():
            for role, values in parts.items():
                file = self._table(values, "series", runs_place, f"{_safe(name)}-{role}.csv")
                series.setdefault(name, {})[role] = file
        if series:
            section["series"] = {
                name: parts[BOTH] if set(parts) == {BOTH} else parts
                for name, parts in series.items()
            }
        return section

    def _place(self, run: Run) -> tuple[str, ...]:
        team = run.team.slug if run.team else "originals"
        return ("runs", run.task.slug, team, f"{self.numbers[run.pk]:04d}")

    def _table(self, values: Mapping[str, float | None], *place: str) -> str:
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["topic", "score"])
        table.writerows(
            [topic, "" if value is None else repr(value)] for topic, value in values.items()
        )
        return self.writer.text(out.getvalue(), *place)

    def _run(self, run: Run, *place: str, has_details: bool = True) -> Section:
        section: Section = {}
        if run.file is not None:
            section["run"] = self.writer.file(run.file, *place)
        else:
            section["scores"] = {
                one.measure: self.writer.file(one.file, *place, _safe(one.measure))
                for one in run.given_scores.all()
            }
        if has_details:
            section |= {"title": run.title, "description": run.description}
        if run.origin == Origin.SUBMITTED:
            section |= {
                "run_type": run.run_type,
                "system": run.system.name if run.system else "",
                "metadata": run.metadata,
                "pooled": run.is_pooled,
                "final": run.is_final,
                "priority": run.priority,
            }
        section["received"] = write_time(run.received_at, "UTC")
        if run.withdrawn_at is not None:
            section["withdrawn"] = write_time(run.withdrawn_at, "UTC")
        if run.disqualified_at is not None:
            section["disqualified"] = write_time(run.disqualified_at, "UTC")
            section["disqualified_reason"] = run.disqualified_reason
        return section

    def _scores(self) -> str:
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(
            ["task", "team", "original", "role", "run", "tag", "measure", "qrels", "mean", "reason"]
        )
        evaluations = (
            Evaluation.objects.filter(run__in=[run.pk for run in self.runs.values()])
            .select_related("run__task", "run__team", "run__original", "recipe", "qrels")
            .order_by("run__received_at", "run__pk", "qrels__number", "recipe__name")
        )
        for one in evaluations:
            run = one.run
            table.writerow(
                [
                    run.task.slug,
                    run.team.slug if run.team else "",
                    run.original.slug if run.original else "",
                    run.role,
                    run.pk,
                    run.tag,
                    one.recipe.name,
                    one.qrels.number,
                    "" if one.mean is None else repr(one.mean),
                    one.reason,
                ]
            )
        return out.getvalue()


def _kept(runs: Iterable[Run]) -> dict[tuple[Any, ...], Run]:
    """One run of those with the same text: the newest that was not refused, else the newest."""
    kept: dict[tuple[Any, ...], Run] = {}
    for run in runs:
        key = key_of(run)
        if key not in kept or run.state != RunState.REJECTED:
            kept[key] = run
    return kept


def _safe(name: str) -> str:
    return "".join(char if char.isalnum() and char.isascii() else "_" for char in name)[:60]
