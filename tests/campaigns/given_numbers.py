"""Boards whose numbers are given, not computed: what a test of ranks, ties and orders needs."""

from __future__ import annotations

from typing import Any

from campaigns import recipes
from campaigns.models import Board, BoardRow, BoardState, Original, Pair, Qrels, Run, RunRole, Task
from campaigns.models.evaluation import Comparison
from campaigns.services import boards
from tests.campaigns.factories import (
    ComparisonFactory,
    EffectFactory,
    EvaluationFactory,
    PairFactory,
    QrelsFactory,
    RunFactory,
)

UNDEFINED = "no topic is judged"


def qrels_for(task: Task, **columns: Any) -> tuple[Qrels, Qrels | None]:
    """A published version of the qrels of each side, with the boards of the task opened."""
    qrels = QrelsFactory(collection=task.collection, **columns)
    original = task.original_collection
    original_qrels = QrelsFactory(collection=original) if original is not None else None
    boards.open_boards(task, qrels, original_qrels)
    return qrels, original_qrels


def scored(run: Run, qrels: Qrels, **means: float | None) -> Run:
    """The run with these means by measure; None is undefined."""
    for name, mean in means.items():
        measure = next(m for m in run.task.measures if m.replace("@", "_") == name)
        EvaluationFactory(
            run=run,
            qrels=qrels,
            recipe=boards.recipe_row(recipes.evaluation_recipe(run.task, measure)),
            mean=mean,
            reason="" if mean is not None else UNDEFINED,
            topic_order=qrels.topic_order,
        )
    return run


def run_with(task: Task, qrels: Qrels, value: float | None, **columns: Any) -> Run:
    """A run whose primary score is given."""
    run = RunFactory(task=task, state="scored", **columns)
    return scored(run, qrels, **{task.primary.replace("@", "_"): value})


def original_with(task: Task, **columns: Any) -> Original:
    """An original whose runs are there, without scores."""
    from tests.campaigns.factories import original_pair

    return original_pair(task, **columns)


def _deviation(run: Run, original_run: Run, sets: tuple[Qrels, Qrels], **fields: Any) -> Comparison:
    value = fields.get("rmse")
    return ComparisonFactory(
        run=run,
        original_run=original_run,
        qrels=sets[0],
        original_qrels=sets[1],
        recipe=boards.recipe_row(recipes.deviation_recipe(run.task, run.task.primary)),
        value=value,
        reason="" if value is not None else UNDEFINED,
        detail=fields,
    )


def pair_with(
    original: Original,
    sets: tuple[Qrels, Qrels | None],
    *,
    rmse: tuple[float | None, float | None] = (0.1, 0.1),
    delta_arp: tuple[float | None, float | None] = (0.1, 0.1),
    rbo: tuple[float | None, float | None] = (0.5, 0.5),
    effect_ratio: float | None = 1.0,
    delta_ri: float | None = 0.0,
    received: tuple[Any, Any] = (None, None),
    **columns: Any,
) -> Pair:
    """A pair whose comparisons and effect by the primary measure are given."""
    qrels, both = sets[0], (sets[0], sets[1] or sets[0])
    tag = columns.pop("tag", "")
    for role, at in zip(RunRole.values, received, strict=True):
        columns |= {f"{role}__state": "scored"}
        columns |= {f"{role}__received_at": at} if at is not None else {}
        columns |= {f"{role}__tag": f"{tag}-{role}"} if tag else {}
    pair = PairFactory(original=original, title=tag, **columns)
    task = pair.task
    for place, role in enumerate(RunRole.values):
        run = scored(getattr(pair, role), qrels, **{task.primary.replace("@", "_"): 0.5})
        original_run = Run.objects.get(original=original, role=role, origin="original")
        _deviation(run, original_run, both, rmse=rmse[place], delta_arp=delta_arp[place])
        if recipes.rankings_compared(task):
            ComparisonFactory(
                run=run,
                original_run=original_run,
                qrels=both[0],
                original_qrels=both[1],
                recipe=boards.recipe_row(recipes.ranking_recipe(task, "rank_biased_overlap")),
                value=rbo[place],
                reason="" if rbo[place] is not None else UNDEFINED,
            )
    EffectFactory(
        pair=pair,
        qrels=both[0],
        original_qrels=both[1],
        recipe=boards.recipe_row(recipes.effect_recipe(task, task.primary)),
        effect_ratio=effect_ratio,
        delta_ri=delta_ri,
        reasons={
            name: "the original effect is 0"
            for name, value in (("effect_ratio", effect_ratio), ("delta_ri", delta_ri))
            if value is None
        },
    )
    return pair


def current(task: Task, subject: str = "runs", **conditions: Any) -> Board:
    """The board that is shown."""
    return Board.objects.get(task=task, subject=subject, state=BoardState.CURRENT, **conditions)


def rows(board: Board) -> list[BoardRow]:
    """The rows that are shown, in their order."""
    board.refresh_from_db()
    shown = board.rows.filter(version=board.version).order_by("position")
    return list(shown.select_related("run", "pair", "team"))


def ranks(board: Board) -> list[tuple[str, int | None]]:
    """Each row's tag or title with its rank, in their order."""
    return [(str(row.run or row.pair), row.rank) for row in rows(board)]
