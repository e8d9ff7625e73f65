"""What a viewer is told of runs. ``policies`` decides, this module words it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from campaigns import policies
from campaigns.models import (
    Board,
    BoardState,
    Comparison,
    Evaluation,
    Job,
    Origin,
    Pair,
    Run,
    RunState,
    Task,
    Team,
)
from campaigns.policies import Viewer
from campaigns.services.passports import passport_of
from campaigns.services.receipts import receipt_of
from campaigns.services.topic_values import by_topic
from campaigns.states import Status, status_of

SETTLED = ("rejected", "accepted", "scored", "failed")
QRELS = ("qrels__collection", "qrels__file")
ORIGINAL_QRELS = ("original_qrels__collection", "original_qrels__file")


def shown_status(viewer: Viewer, run: Run, jobs: Iterable[Job] | None = None) -> Status:
    """The state, without what would tell that scoring goes on where scores are closed."""
    if not policies.may_see_scores(viewer, run) and run.state in (
        RunState.ACCEPTED,
        RunState.SCORED,
    ):
        return Status("accepted")
    status = status_of(run, jobs)
    if status.reason and not policies.may_see_messages(viewer, run):
        return Status(status.state)
    return status


def shown_team(viewer: Viewer, task: Task, team: Team | None) -> dict[str, str | None]:
    """Slug and name, or nulls while names are withheld."""
    if team is None or not policies.may_see_team_name(viewer, task, team.pk):
        return {"team": None, "team_name": None}
    return {"team": team.slug, "team_name": team.name}


def shown_file_name(viewer: Viewer, run: Run) -> str:
    """The name of the run's file as it is downloaded; teams put their own name into theirs."""
    file = run.file
    is_named = run.team_id is None or policies.may_see_team_name(viewer, run.task, run.team_id)
    if file is not None and file.name and is_named:
        return str(file.name)
    return f"{run.pk}.txt.gz" if file is not None and file.is_gzip else f"{run.pk}.txt"


def shown_metadata(viewer: Viewer, thing: Run | Pair, *, is_own: bool) -> dict[str, Any]:
    """Values of the form's fields: all to team and organizers, the public ones to others."""
    if is_own or policies.oversees(viewer, thing.task.campaign_id):
        return dict(thing.metadata)
    public = {field["name"] for field in thing.task.fields if field.get("public")}
    return {name: value for name, value in thing.metadata.items() if name in public}


def set_in_use(task: Task, original_id: int | None) -> tuple[int | None, int | None]:
    """Ids of the qrels and original qrels of the current boards."""
    boards = Board.objects.filter(task=task, state=BoardState.CURRENT)
    if original_id is not None:
        boards = boards.filter(Q(original=original_id) | Q(original__isnull=True))
    found = boards.order_by("pk").values_list("qrels_id", "original_qrels_id").first()
    return found or (None, None)


def evaluations_of(run: Run) -> list[Evaluation]:
    """The scores in use, in the order of the task's measures; the newest of each recipe name."""
    qrels_id, original_qrels_id = set_in_use(run.task, run.original_id)
    if run.origin == Origin.ORIGINAL and original_qrels_id is not None:
        qrels_id = original_qrels_id
    rows = (
        Evaluation.objects.filter(run=run, qrels=qrels_id)
        .select_related("recipe", "topic_order", *QRELS)
        .order_by("pk")
    )
    newest = {row.recipe.name: row for row in rows}
    known = [newest.pop(measure) for measure in run.task.measures if measure in newest]
    return [*known, *newest.values()]


def comparisons_of(run: Run) -> list[Comparison]:
    """The comparisons with the original in use; the newest of each recipe name."""
    if run.original_id is None or run.origin == Origin.ORIGINAL:
        return []
    qrels_id, original_qrels_id = set_in_use(run.task, run.original_id)
    rows = (
        Comparison.objects.filter(
            run=run, qrels=qrels_id, original_qrels=original_qrels_id or qrels_id
        )
        .select_related("recipe", "topic_order", *QRELS, *ORIGINAL_QRELS)
        .order_by("pk")
    )
    return list({row.recipe.name: row for row in rows}.values())


def _score(one: Evaluation) -> dict[str, Any]:
    has_interval = one.interval_low is not None and one.interval_high is not None
    return {
        "mean": one.mean,
        "reason": one.reason or None,
        "interval": [one.interval_low, one.interval_high] if has_interval else None,
    }


def compared(one: Comparison) -> dict[str, Any]:
    """A comparison: its value, reason, and what belongs beside them."""
    return {**one.detail, "value": one.value, "reason": one.reason or None}


def _scores(viewer: Viewer, run: Run) -> dict[str, Any]:
    """Everything derived from qrels; all of it empty while it is closed."""
    if not policies.may_see_scores(viewer, run):
        return {"scores": {}, "comparisons": {}, "passport": {}}
    evaluations, comparisons = evaluations_of(run), comparisons_of(run)
    passport = {
        one.recipe.name: passport_of(
            run.task, one.recipe, one.qrels, topics=one.topics_averaged, at=one.created_at
        )
        for one in evaluations
    }
    passport |= {
        one.recipe.name: passport_of(
            run.task,
            one.recipe,
            one.qrels,
            topics=one.detail.get("count"),
            original_qrels=one.original_qrels,
            at=one.created_at,
        )
        for one in comparisons
    }
    return {
        "scores": {one.recipe.name: _score(one) for one in evaluations},
        "comparisons": {one.recipe.name: compared(one) for one in comparisons},
        "passport": passport,
    }


def run_summary(viewer: Viewer, run: Run, jobs: Iterable[Job] | None = None) -> dict[str, Any]:
    """A run in a list."""
    status = shown_status(viewer, run, jobs)
    return {
        "id": str(run.pk),
        "campaign": run.task.campaign.slug,
        "task": run.task.slug,
        **shown_team(viewer, run.task, run.team),
        "origin": run.origin,
        "original": run.original.slug if run.original else None,
        "role": run.role or None,
        "run_tag": run.tag or None,
        "title": run.title,
        "run_type": run.run_type,
        "state": status.state,
        "reason": status.reason or None,
        "received_at": run.received_at,
        "withdrawn_at": run.withdrawn_at,
        "disqualified_at": run.disqualified_at,
        "disqualified_reason": run.disqualified_reason or None,
    }


def run_detail(viewer: Viewer, run: Run) -> dict[str, Any]:
    """A run with all that the viewer may know of it."""
    is_own = policies.is_own_run(viewer, run)
    is_told = policies.may_see_messages(viewer, run)
    is_named = run.team_id and policies.may_see_team_name(viewer, run.task, run.team_id)
    pairs = (
        []
        if run.original_id is None
        else Pair.objects.filter(Q(baseline=run) | Q(advanced=run), deleted_at__isnull=True)
    )
    detail = {
        **run_summary(viewer, run),
        "description": run.description,
        "system": run.system.name if run.system and is_named else None,
        "metadata": shown_metadata(viewer, run, is_own=is_own),
        "topics": run.topics,
        "documents": run.documents,
        "outcome": run.outcome or None,
        "messages": run.messages if is_told else [],
        "pairs": [str(pair.pk) for pair in pairs],
        "receipt": receipt_of(run) if is_told else None,
        **_scores(viewer, run),
    }
    if policies.may_see_organizer_messages(viewer, run):
        detail["organizer_messages"] = run.organizer_messages
    return detail


def run_topics(run: Run) -> dict[str, Any]:
    """Scores and comparisons topic by topic; ask ``may_see_topic_scores`` first."""
    measures = {
        one.recipe.name: {
            **_score(one),
            "topics": by_topic(one.topic_order.topics, one.topic_values),
        }
        for one in evaluations_of(run)
    }
    comparisons = {
        one.recipe.name: {
            **compared(one),
            "topics": by_topic(one.topic_order.topics, one.topic_values),
        }
        for one in comparisons_of(run)
        if one.topic_order is not None
    }
    return {"run": str(run.pk), "measures": measures, "comparisons": comparisons}
