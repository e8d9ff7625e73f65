"""Scoring: what it needs, and what becomes of its results."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from campaigns import kinds, recipes
from campaigns.models import (
    Evaluation,
    JobKind,
    Origin,
    Pair,
    Qrels,
    Run,
    RunState,
)
from campaigns.services import jobs
from campaigns.services.boards import recipe_row, wake_boards
from campaigns.services.checks import stored_text
from campaigns.services.events import note
from campaigns.services.rules import scoring_rules
from campaigns.services.task_topics import collection_of, topic_order, topics_of
from campaigns.work import ScoreInput, ScoreResult, StoredText


def score_input(run: Run, qrels: Qrels) -> ScoreInput:
    """What a worker needs to score a run under a version of the qrels."""
    task = run.task
    given = {
        one.measure: StoredText(one.file.key, one.file.text_sha256)
        for one in run.given_scores.select_related("file")
    }
    is_original = run.origin == Origin.ORIGINAL
    qrels_text = stored_text(qrels.file)
    if qrels_text is None:
        raise ValueError("These qrels have no file.")
    return ScoreInput(
        run=stored_text(run.file),
        given=given,
        rules=scoring_rules(task, is_original=is_original),
        qrels=qrels_text,
        is_graded=qrels.is_graded,
        topics=topics_of(collection_of(run)),
        measures={
            measure: recipes.evaluation_recipe(task, measure).digest for measure in task.measures
        },
        averaging=task.topics_averaged,
        depth=task.depth,
        clip=task.gains.get("clip", 0) if task.gains else 0,
    )


def record_scores(held: jobs.Claim, run: Run, qrels: Qrels, results: Iterable[ScoreResult]) -> None:
    """Store the scores, then wake what waits for them: comparisons and boards."""
    specs = {
        (spec := recipes.evaluation_recipe(run.task, measure)).digest: spec
        for measure in run.task.measures
    }
    with transaction.atomic():
        jobs.finish(held)
        Evaluation.objects.bulk_create(
            [
                Evaluation(
                    run=run,
                    qrels=qrels,
                    recipe=recipe_row(specs[one.digest]),
                    mean=one.mean,
                    reason=one.reason,
                    interval_low=one.interval[0] if one.interval else None,
                    interval_high=one.interval[1] if one.interval else None,
                    topics_averaged=one.topics_averaged,
                    topic_order=topic_order(one.topics),
                    topic_values=one.values,
                    detail=one.detail,
                )
                for one in results
                if one.digest in specs
            ],
            ignore_conflicts=True,
        )
        Run.objects.filter(pk=run.pk, state=RunState.ACCEPTED).update(state=RunState.SCORED)
        note(run, "scored", qrels=qrels.number)
        wake_comparisons(run)
        wake_boards(run.task)


def pairs_of(run: Run) -> Iterable[Pair]:
    """Pairs that need this run's scores."""
    if not kinds.of(run.task).is_pair:
        return []
    if run.origin == Origin.ORIGINAL:
        return Pair.objects.filter(original=run.original, deleted_at__isnull=True)
    return Pair.objects.filter(Q(baseline=run) | Q(advanced=run), deleted_at__isnull=True)


def wake_comparisons(run: Run) -> None:
    """Have the pairs of a run compared after this transaction."""
    for pair in pairs_of(run):
        jobs.wake(JobKind.COMPARE, pair=pair)
