"""What a viewer is told of pairs and their effects. ``policies`` decides, this module words it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns import policies
from campaigns.models import Effect, Job, JobKind, JobState, Pair, Task
from campaigns.policies import Viewer
from campaigns.services.pair_remarks import remarks_of
from campaigns.services.pair_summary import summaries_of
from campaigns.services.passports import passport_of
from campaigns.services.receipts import receipt_of_pair
from campaigns.services.shown_runs import (
    ORIGINAL_QRELS,
    QRELS,
    compared,
    comparisons_of,
    run_summary,
    set_in_use,
    shown_metadata,
    shown_status,
    shown_team,
)
from campaigns.states import Status


def effects_of(pairs: Iterable[Pair], task: Task, original_id: int | None) -> list[Effect]:
    """Effects in use of some pairs of one original, the newest of each pair and recipe name."""
    qrels_id, original_qrels_id = set_in_use(task, original_id)
    rows = (
        Effect.objects.filter(
            pair__in=pairs, qrels=qrels_id, original_qrels=original_qrels_id or qrels_id
        )
        .select_related("recipe", *QRELS, *ORIGINAL_QRELS)
        .order_by("pk")
    )
    return list({(row.pair_id, row.recipe.name): row for row in rows}.values())


def measure_of(effect: Effect) -> str:
    """The measure an effect is of."""
    return str(effect.recipe.parameters.get("measure", effect.recipe.name))


def effect_point(viewer: Viewer, pair: Pair, effect: Effect) -> dict[str, Any]:
    """A point of the ER-ΔRI chart."""
    return {
        "pair": str(pair.pk),
        "title": str(pair),
        **shown_team(viewer, pair.task, pair.team),
        "original": pair.original.slug,
        "family": pair.family or None,
        "family_order": pair.family_order,
        "measure": measure_of(effect),
        "effect_ratio": effect.effect_ratio,
        "delta_ri": effect.delta_ri,
        "region": effect.region,
        "distance": effect.distance,
        "relative_improvement_original": effect.relative_improvement_original,
        "relative_improvement_submitted": effect.relative_improvement_submitted,
        "original_effect": {"mean": effect.original_effect, "p_value": effect.original_effect_p},
        "submitted_effect": {"mean": effect.submitted_effect},
        "p_value": {"baseline": effect.p_baseline, "advanced": effect.p_advanced},
        "reasons": effect.reasons,
        "warnings": effect.warnings,
    }


def _compare_job(pair: Pair) -> Job | None:
    return pair.jobs.filter(kind=JobKind.COMPARE).order_by("-created_at").first()


def pair_status(viewer: Viewer, pair: Pair) -> Status:
    """The state of the run that is furthest behind, then that of the comparison."""
    runs = [run for run in (pair.baseline, pair.advanced) if run is not None]
    statuses = {status.state: status for status in (shown_status(viewer, run) for run in runs)}
    for state in ("rejected", "failed", "receiving", "checking", "scoring"):
        if state in statuses:
            return statuses[state]
    if not policies.may_see_pair_scores(viewer, pair):
        return Status("accepted")
    job = _compare_job(pair)
    if job is not None and job.state == JobState.FAILED:
        is_told = policies.is_own_pair(viewer, pair) or policies.oversees(
            viewer, pair.task.campaign_id
        )
        return Status("failed", job.reason if is_told else "")
    if job is not None and job.state in (JobState.WAITING, JobState.RUNNING):
        return Status("scoring", is_queued=job.state == JobState.WAITING, progress=job.progress)
    is_scored = len(runs) == 2 and effects_of([pair], pair.task, pair.original_id)
    return Status("scored" if is_scored else "accepted")


def pair_detail(viewer: Viewer, pair: Pair) -> dict[str, Any]:
    """A pair with its runs, comparisons and effects, as far as the viewer may know them."""
    is_own = policies.is_own_pair(viewer, pair)
    is_told = is_own or policies.oversees(viewer, pair.task.campaign_id)
    may_see_scores = policies.may_see_pair_scores(viewer, pair)
    status = pair_status(viewer, pair)
    runs = {"baseline": pair.baseline, "advanced": pair.advanced}
    for run in filter(None, runs.values()):
        run.task = pair.task
    effects = effects_of([pair], pair.task, pair.original_id) if may_see_scores else []
    comparisons = {
        role: comparisons_of(run)
        for role, run in runs.items()
        if run is not None and may_see_scores
    }
    return {
        "id": str(pair.pk),
        "campaign": pair.task.campaign.slug,
        "task": pair.task.slug,
        **shown_team(viewer, pair.task, pair.team),
        "original": pair.original.slug,
        "title": pair.title,
        "description": pair.description,
        "family": pair.family or None,
        "family_order": pair.family_order,
        "metadata": shown_metadata(viewer, pair, is_own=is_own),
        "state": status.state,
        "reason": status.reason or None,
        "runs": {
            role: run_summary(viewer, run) if run is not None else None
            for role, run in runs.items()
        },
        "comparisons": {
            role: {one.recipe.name: compared(one) for one in found}
            for role, found in comparisons.items()
        },
        "effects": [effect_point(viewer, pair, effect) for effect in effects],
        "remarks": remarks_of(pair, effects) if may_see_scores else [],
        "summary": summaries_of(
            pair.task,
            {measure_of(effect): effect for effect in effects},
            comparisons.get("baseline", []),
        ),
        "passport": {
            effect.recipe.name: passport_of(
                pair.task,
                effect.recipe,
                effect.qrels,
                original_qrels=effect.original_qrels,
                at=effect.created_at,
            )
            for effect in effects
        },
        "published_series": pair.published_series if may_see_scores else {},
        "receipt": receipt_of_pair(pair) if is_told else None,
    }
