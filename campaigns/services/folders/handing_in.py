"""Runs and pairs of a folder enter the pipeline as if handed in; nothing is scored here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from campaigns.models import (
    GivenScores,
    JobKind,
    JobState,
    Origin,
    Original,
    Pair,
    Queue,
    Run,
    RunState,
    Task,
    Team,
)
from campaigns.services import jobs
from campaigns.services.checks import start_scoring
from campaigns.services.events import note
from campaigns.services.folders.creating import Rows
from campaigns.services.folders.specs import RunSpec, SubmissionSpec
from campaigns.services.folders.storing import scores_fingerprint
from campaigns.services.submissions import system_of


class Intake:
    """Takes the runs of a folder that are not there yet, in the order of the file."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self.stored = rows, rows.stored
        self.known = known_runs(rows.tasks.values())
        self._now, self._count = timezone.now(), 0
        self.added = {"originals": 0, "runs": 0, "pairs": 0}
        self.scored_alone: list[Run] = []

    def originals(self) -> None:
        """Original runs; those already there stay."""
        for task in self.rows.spec.tasks:
            for spec in task.originals:
                original = self.rows.originals[task.slug, spec.slug]
                for role, run in spec.runs.items():
                    key = ("original", original.pk, role)
                    if key in self.known:
                        continue
                    self.known[key] = self._run(
                        run,
                        self.rows.tasks[task.slug],
                        origin=Origin.ORIGINAL,
                        original=original,
                        role=role,
                    )
                    self.added["originals"] += 1

    def submissions(self) -> None:
        """Runs and pairs of teams; those already there stay as they are."""
        for spec in self.rows.spec.submissions:
            task = self.rows.tasks[spec.task]
            if spec.run is not None:
                self._submitted(spec.run, spec, task)
            else:
                original = self.rows.originals[spec.task, spec.original]
                self._pair(spec, task, original)

    def _submitted(self, run: RunSpec, spec: SubmissionSpec, task: Task, **more: Any) -> Run:
        team = self.rows.teams[spec.team]
        is_withdrawn = run.columns["withdrawn_at"] is not None
        key = (task.pk, team.pk, self.stored.fingerprint(run), is_withdrawn)
        if key not in self.known:
            system = system_of(team, run.system)
            self.known[key] = self._run(run, task, team=team, system=system, **more)
            self.added["runs"] += 1
        return self.known[key]

    def _pair(self, spec: SubmissionSpec, task: Task, original: Original) -> None:
        runs = {
            role: self._submitted(run, spec, task, original=original, role=role)
            for role, run in spec.pair.items()
        }
        team = self.rows.teams[spec.team]
        pair = _same_pair(task, team, original, runs)
        if pair is None:
            pair = Pair(task=task, team=team, original=original, **spec.columns)
            pair.published_series = self._series(spec)
        elif all(getattr(pair, f"{role}_id") == run.pk for role, run in runs.items()):
            return
        for role, run in runs.items():
            setattr(pair, role, run)
        pair.save()
        jobs.ensure(JobKind.COMPARE, state=JobState.DORMANT, queue=Queue.RESCORING, pair=pair)
        self.added["pairs"] += 1

    def _series(self, spec: SubmissionSpec) -> dict[str, Any]:
        return {
            name: {role: dict(self.rows.found.series[use.at]) for role, use in parts.items()}
            for name, parts in spec.series.items()
        }

    def _received_at(self, spec: RunSpec) -> datetime:
        """As given, else now, each run a little later than the one before."""
        self._count += 1
        return spec.received or self._now + timedelta(microseconds=self._count)

    def _run(self, spec: RunSpec, task: Task, **more: Any) -> Run:
        columns: dict[str, Any] = {
            "received_at": self._received_at(spec),
            "metadata": dict(spec.metadata),
            **spec.columns,
        }
        if spec.file is None:
            return self._by_scores(spec, task, **columns, **more)
        received = self.stored.received(spec.file)
        run = Run.objects.create(
            task=task,
            state=RunState.CHECKING,
            file=self.stored.row(spec.file),
            text_sha256=received.text_sha256,
            **columns,
            **more,
        )
        note(
            run,
            "received",
            self.rows.user,
            name=received.name,
            size=received.size,
            sha256=received.sha256,
            folder=True,
        )
        # Hundreds of runs at once: a queue of their own, so that nobody's upload waits for them.
        jobs.ensure(JobKind.CHECK, queue=Queue.RESCORING, run=run)
        return run

    def _by_scores(self, spec: RunSpec, task: Task, **columns: Any) -> Run:
        """A run whose file cannot be had is taken as accepted."""
        run = Run.objects.create(
            task=task, state=RunState.ACCEPTED, is_scores_only=True, outcome="accepted", **columns
        )
        for measure, use in spec.scores.items():
            GivenScores.objects.create(run=run, measure=measure, file=self.stored.row(use))
        note(run, "received", self.rows.user, scores=sorted(spec.scores), folder=True)
        self.scored_alone.append(run)
        return run

    def score_given(self) -> None:
        """Start the scoring of runs that skip the check, where qrels were published before."""
        for run in self.scored_alone:
            start_scoring(run)

    def summary(self) -> list[str]:
        """What was added."""
        return [f"{count} {what} added" for what, count in self.added.items() if count]


def _same_pair(task: Task, team: Team, original: Original, runs: Mapping[str, Run]) -> Pair | None:
    """The stored pair of these runs, else one of them that still waits for its other run."""
    pairs = list(
        Pair.objects.filter(task=task, team=team, original=original, deleted_at__isnull=True)
    )
    for may_wait in (False, True):
        for pair in pairs:
            stored = {role: getattr(pair, f"{role}_id") for role in runs}
            wanted = {role: run.pk for role, run in runs.items()}
            waits = may_wait and any(stored.values())
            if stored == wanted or (
                waits and all(stored[role] in (None, wanted[role]) for role in runs)
            ):
                return pair
    return None


def known_runs(tasks: Any) -> dict[tuple[Any, ...], Run]:
    """Runs already there, by what tells them apart; of equal ones the newest that still counts."""
    known: dict[tuple[Any, ...], Run] = {}
    runs = (
        Run.objects.filter(task__in=list(tasks), deleted_at__isnull=True)
        .select_related("task", "original")
        .prefetch_related("given_scores__file")
        .order_by("received_at", "pk")
    )
    for run in runs:
        key = key_of(run)
        if key not in known or run.state != RunState.REJECTED:
            known[key] = run
    return known


def key_of(run: Run) -> tuple[Any, ...]:
    """What tells a run from the others of its campaign."""
    if run.origin == Origin.ORIGINAL:
        return ("original", run.original_id, run.role)
    text = run.text_sha256 or scores_fingerprint(
        (one.measure, one.file.text_sha256) for one in run.given_scores.all()
    )
    return (run.task_id, run.team_id, text, run.withdrawn_at is not None)
