"""Comparisons of a pair with its original: what they need, and what becomes of their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db import transaction

from campaigns import recipes
from campaigns.models import (
    BoardSubject,
    Comparison,
    Effect,
    Evaluation,
    Origin,
    Pair,
    Qrels,
    Run,
    RunRole,
    Task,
)
from campaigns.services import jobs
from campaigns.services.boards import live_boards, recipe_row, wake_boards
from campaigns.services.checks import stored_text
from campaigns.services.rules import scoring_rules
from campaigns.services.task_topics import averaged, topic_order, topics_of
from campaigns.work import (
    ComparisonResult,
    DeviationInput,
    EffectInput,
    EffectResult,
    RankingInput,
    Scores,
)

ROLES = (RunRole.BASELINE, RunRole.ADVANCED)


@dataclass(frozen=True, slots=True)
class RunWork:
    """Comparisons still to be made for one run under one evaluation set."""

    run: Run
    original_run: Run
    qrels: Qrels
    original_qrels: Qrels
    rankings: RankingInput | None
    deviations: tuple[DeviationInput, ...]


@dataclass(frozen=True, slots=True)
class PairWork:
    """Effects still to be computed for a pair under one evaluation set."""

    pair: Pair
    qrels: Qrels
    original_qrels: Qrels
    effects: tuple[EffectInput, ...]


@dataclass(frozen=True, slots=True)
class _Set:
    """An evaluation set of a task, with the topics averaged on each side."""

    task: Task
    qrels: Qrels
    original_qrels: Qrels
    topics: tuple[str, ...]
    new_topics: tuple[str, ...] | None


def _sets(task: Task, original_id: int) -> Iterator[_Set]:
    boards = live_boards(task).filter(original=original_id, subject=BoardSubject.PAIRS)
    for board in boards.select_related("qrels__topic_order", "original_qrels__topic_order"):
        if board.qrels is None:
            continue
        own = averaged(task, board.qrels)
        if board.original_qrels is None:
            yield _Set(task, board.qrels, board.qrels, own, None)
        else:
            of_original = averaged(task, board.original_qrels)
            yield _Set(task, board.qrels, board.original_qrels, of_original, own)


def _scores(run: Run | None, qrels: Qrels) -> dict[str, Scores]:
    """Stored topic scores of a run by measure; empty until it is scored."""
    if run is None:
        return {}
    digests = {recipes.evaluation_recipe(run.task, m).digest: m for m in run.task.measures}
    rows = Evaluation.objects.filter(
        run=run, qrels=qrels, recipe__digest__in=list(digests)
    ).select_related("recipe", "topic_order")
    return {
        digests[row.recipe.digest]: Scores(tuple(row.topic_order.topics), bytes(row.topic_values))
        for row in rows
    }


def original_runs(pair: Pair) -> dict[str, Run]:
    """The original runs of a pair by role."""
    runs = Run.objects.filter(
        original=pair.original, origin=Origin.ORIGINAL, deleted_at__isnull=True
    ).select_related("task", "file")
    return {run.role: run for run in runs}


def _rankings(run: Run, original_run: Run) -> RankingInput | None:
    submitted, original = stored_text(run.file), stored_text(original_run.file)
    names = recipes.rankings_compared(run.task)
    if submitted is None or original is None or not names:
        return None
    settings = recipes.comparison_settings(run.task)
    return RankingInput(
        original=original,
        submitted=submitted,
        rules=scoring_rules(run.task, is_original=True),
        topics=topics_of(run.task.collection),
        depth=settings["depth"],
        rbo_p=settings["rbo_p"],
        recipes={name: recipes.ranking_recipe(run.task, name).digest for name in names},
    )


def _run_work(run: Run, original_run: Run, where: _Set) -> RunWork | None:
    """What is missing for one run; None when nothing is, or one side is not scored yet."""
    done = set(
        Comparison.objects.filter(
            run=run,
            original_run=original_run,
            qrels=where.qrels,
            original_qrels=where.original_qrels,
        ).values_list("recipe__digest", flat=True)
    )
    own, original = _scores(run, where.qrels), _scores(original_run, where.original_qrels)
    if not own or not original:
        return None
    deviations = tuple(
        DeviationInput(
            measure, digest, original[measure], own[measure], where.topics, where.new_topics
        )
        for measure in run.task.measures
        if measure in own
        and measure in original
        and (digest := recipes.deviation_recipe(run.task, measure).digest) not in done
    )
    rankings = _rankings(run, original_run)
    if rankings is not None and set(rankings.recipes.values()) <= done:
        rankings = None
    if rankings is None and not deviations:
        return None
    return RunWork(run, original_run, where.qrels, where.original_qrels, rankings, deviations)


def _pair_work(pair: Pair, originals: Mapping[str, Run], where: _Set) -> PairWork | None:
    done = set(
        Effect.objects.filter(
            pair=pair, qrels=where.qrels, original_qrels=where.original_qrels
        ).values_list("recipe__digest", flat=True)
    )
    sides = [
        _scores(originals.get(RunRole.BASELINE), where.original_qrels),
        _scores(originals.get(RunRole.ADVANCED), where.original_qrels),
        _scores(pair.baseline, where.qrels),
        _scores(pair.advanced, where.qrels),
    ]
    work = []
    for measure in pair.task.measures:
        digest = recipes.effect_recipe(pair.task, measure).digest
        if digest in done or not all(measure in side for side in sides):
            continue
        b, a, b2, a2 = (side[measure] for side in sides)
        work.append(EffectInput(measure, digest, b, a, b2, a2, where.topics, where.new_topics))
    return PairWork(pair, where.qrels, where.original_qrels, tuple(work)) if work else None


def comparison_inputs(pair: Pair) -> tuple[list[RunWork], list[PairWork]]:
    """Everything that can be computed for a pair now and is not stored yet."""
    originals = original_runs(pair)
    runs: list[RunWork] = []
    pairs: list[PairWork] = []
    for where in _sets(pair.task, pair.original_id):
        for role in ROLES:
            run, original_run = getattr(pair, role), originals.get(role)
            if run is None or original_run is None:
                continue
            work = _run_work(run, original_run, where)
            if work is not None:
                runs.append(work)
        effects = _pair_work(pair, originals, where)
        if effects is not None:
            pairs.append(effects)
    return runs, pairs


def _comparison_rows(work: RunWork, results: list[ComparisonResult]) -> list[Comparison]:
    task = work.run.task
    specs = [recipes.ranking_recipe(task, name) for name in recipes.RANKING_MEASURES]
    specs += [recipes.deviation_recipe(task, measure) for measure in task.measures]
    by_digest = {spec.digest: spec for spec in specs}
    return [
        Comparison(
            run=work.run,
            original_run=work.original_run,
            qrels=work.qrels,
            original_qrels=work.original_qrels,
            recipe=recipe_row(by_digest[one.digest]),
            value=one.value,
            reason=one.reason[:200],
            topic_order=topic_order(one.topics) if one.values is not None else None,
            topic_values=one.values,
            detail=one.detail,
        )
        for one in results
    ]


def _effect_rows(work: PairWork, results: list[EffectResult]) -> list[Effect]:
    task = work.pair.task
    by_digest = {
        (spec := recipes.effect_recipe(task, measure)).digest: spec for measure in task.measures
    }
    return [
        Effect(
            pair=work.pair,
            qrels=work.qrels,
            original_qrels=work.original_qrels,
            recipe=recipe_row(by_digest[one.digest]),
            reasons=one.reasons,
            warnings=one.warnings,
            detail=one.detail,
            **one.columns,
        )
        for one in results
    ]


def record_comparisons(
    held: jobs.Claim,
    pair: Pair,
    compared: list[tuple[RunWork, list[ComparisonResult]]],
    effects: list[tuple[PairWork, list[EffectResult]]],
) -> None:
    """Store what was computed; what is stored already stays as it is."""
    with transaction.atomic():
        jobs.finish(held)
        rows = [row for work, results in compared for row in _comparison_rows(work, results)]
        Comparison.objects.bulk_create(rows, ignore_conflicts=True)
        found = [row for work, results in effects for row in _effect_rows(work, results)]
        Effect.objects.bulk_create(found, ignore_conflicts=True)
        wake_boards(pair.task)
