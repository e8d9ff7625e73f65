"""Tasks are created and changed: settings on one page, dates and switches on another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from campaigns import kinds
from campaigns.models import (
    ALWAYS,
    Board,
    Campaign,
    Collection,
    JobKind,
    Origin,
    Pair,
    Run,
    RunState,
    Task,
)
from campaigns.policies import Viewer
from campaigns.services import jobs
from campaigns.services.checks import newest_qrels
from campaigns.services.events import audit
from campaigns.services.folders.updating import SCORING
from campaigns.services.organizing.edits import apply, refuse_if_changed
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.organizing.task_settings import PLAN, Settings
from campaigns.services.qrels import start_evaluation
from campaigns.services.refusals import RefusalError

SETTINGS = (
    "title",
    "summary",
    "description",
    "kind",
    "collection",
    "original_collection",
    *SCORING,
    "depth_rule",
    "rules",
    "tag_pattern",
    "fields",
    "runs_per_team",
    "runs_per_day",
    "refused_per_day",
    "attempts",
    "file_bytes",
)
FIXED_BY_RUNS = ("kind", "collection", "original_collection")
# A task made in the browser begins closed: nothing is shown before somebody has decided so.
BEGINNING = {
    "is_paused": True,
    "own_scores_from": None,
    "scores_from": None,
    "team_names_from": None,
    "topic_scores_from": None,
}


def has_runs(task: Task) -> bool:
    """Whether kind and collections are fixed by runs, original ones included."""
    return Run.objects.filter(task=task, deleted_at__isnull=True).exists()


def runs_scored_again(task: Task) -> int:
    """How many runs another way of scoring would score again."""
    if not Board.objects.filter(task=task).exists():
        return 0
    return Run.objects.filter(
        task=task, state__in=[RunState.ACCEPTED, RunState.SCORED], deleted_at__isnull=True
    ).count()


def _collections(campaign: Campaign, read: Settings) -> dict[str, Any]:
    by_slug = {one.slug: one for one in Collection.objects.filter(campaign=campaign)}
    return {
        "collection": by_slug[read.collection],
        "original_collection": by_slug.get(read.original_collection),
    }


def create_task(viewer: Viewer, campaign: Campaign, slug: str, read: Settings) -> Task:
    """A new task, paused and with closed scores; raises ``RefusalError``."""
    require_organizer(viewer, campaign)
    taken = f"This campaign has a task {slug} already."
    last = Task.objects.filter(campaign=campaign).aggregate(last=Max("position"))["last"]
    columns = read.columns | {"position": 0 if last is None else last + 1}
    try:
        with transaction.atomic():
            task = Task.objects.create(
                campaign=campaign,
                slug=slug,
                kind=read.kind,
                timezone=campaign.timezone,
                **_collections(campaign, read),
                **BEGINNING,
                **columns,
            )
            audit(campaign, viewer.user, "create task", slug, kind=read.kind)
            start_evaluation(task)
    except IntegrityError as error:
        raise RefusalError("bad_field", taken, 409, {"slug": taken}) from error
    return task


def _refuse_fixed(task: Task, columns: Mapping[str, Any]) -> None:
    if not has_runs(task):
        return
    errors = {
        name: "This cannot change any more: there are runs."
        for name in FIXED_BY_RUNS
        if getattr(task, name) != columns[name]
    }
    if errors:
        raise RefusalError("fixed", "There are runs already.", 409, errors)


def _changes_scoring(task: Task, columns: Mapping[str, Any]) -> bool:
    duplicates = "duplicate_document"
    return any(getattr(task, name) != columns[name] for name in SCORING) or task.rules.get(
        duplicates, "error"
    ) != columns["rules"].get(duplicates, "error")


def change_task(
    viewer: Viewer, task: Task, read: Settings, seen: str, *, is_confirmed: bool = False
) -> Task:
    """Change settings; other ways of scoring open new boards. Raises ``RefusalError``.

    Where runs are scored again for it, ``is_confirmed`` must say that this is known.
    """
    campaign = task.campaign
    require_organizer(viewer, campaign)
    with transaction.atomic():
        row = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
        refuse_if_changed(row, SETTINGS, seen, campaign)
        columns = {"kind": read.kind, **_collections(campaign, read), **read.columns}
        columns["position"] = row.position
        _refuse_fixed(row, columns)
        is_other_scoring = _changes_scoring(row, columns)
        again = runs_scored_again(row) if is_other_scoring else 0
        if again and not is_confirmed:
            text = f"This scores {again} run{'' if again == 1 else 's'} again. Tick the box."
            raise RefusalError("not_confirmed", text, 422, {"confirm": text})
        changed = apply(row, columns)
        if changed:
            audit(campaign, viewer.user, "change task", row.slug, changed=changed)
        if changed and is_other_scoring:
            evaluate_anew(row)
    return row


def evaluate_anew(task: Task) -> None:
    """Open boards for the settings as they are now, and have pairs compared where that is due."""
    start_evaluation(task)
    if kinds.of(task).is_pair:
        for pair in Pair.objects.filter(task=task, deleted_at__isnull=True):
            jobs.wake(JobKind.COMPARE, pair=pair)


def change_plan(
    viewer: Viewer, task: Task, columns: Mapping[str, Any], seen: str, reason: str = ""
) -> Task:
    """Change dates and switches; raises ``RefusalError``.

    A deadline that moves once runs have come, or has passed, needs a reason: teams ask for it.
    """
    campaign = task.campaign
    require_organizer(viewer, campaign)
    with transaction.atomic():
        row = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
        refuse_if_changed(row, PLAN, seen, campaign)
        if _moves_deadline(row, columns["closes"], viewer.now) and not reason.strip():
            text = "Say why the deadline moves: the audit list keeps it."
            raise RefusalError("bad_field", text, 422, {"reason": text})
        _refuse_opening_unready(row, is_paused=columns["is_paused"])
        changed = apply(row, columns)
        if changed:
            action = "move deadline" if "closes" in changed else "change dates"
            audit(campaign, viewer.user, action, row.slug, reason.strip(), changed=changed)
    return row


def _refuse_opening_unready(task: Task, *, is_paused: bool) -> None:
    """A task that lacks the file its runs are checked against takes none."""
    kind = kinds.of(task)
    if is_paused or not task.is_paused:
        return
    lacks = ""
    if kind.needs_initial_run and task.initial_run_id is None:
        lacks = "its initial run"
    if kind.needs_pool and newest_qrels(task.collection, task) is None:
        lacks = "a published pool"
    if lacks:
        text = f"The task stays paused until it has {lacks}: its runs are checked against that."
        raise RefusalError("bad_field", text, 422, {"is_paused": text})


def _moves_deadline(task: Task, closes: datetime | None, now: datetime) -> bool:
    if task.closes is None or closes == task.closes:
        return False
    submitted = Run.objects.filter(task=task, origin=Origin.SUBMITTED)
    return task.closes < now or submitted.exists()


def switch_word(switch: datetime | None) -> str:
    """How a switch is set: never, always or at a time."""
    if switch is None:
        return "never"
    return "always" if switch == ALWAYS else "at"
