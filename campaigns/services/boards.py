"""Boards and their columns: one for each evaluation set, made when qrels are published."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max, Q, QuerySet

from campaigns import kinds, recipes
from campaigns.models import (
    Board,
    BoardColumn,
    BoardState,
    BoardSubject,
    Collection,
    JobKind,
    OrderBy,
    Original,
    Qrels,
    Recipe,
    RunRole,
    Task,
)
from campaigns.services import jobs
from evaluation.notation import parse
from evaluation.pair_measures import PAIR_MEASURES

LONGEST_SLUG = 64
LIVE = (BoardState.CURRENT, BoardState.FILLING)
ROLE_SIGNS = {RunRole.BASELINE: "b′", RunRole.ADVANCED: "a′"}
EFFECTS = (("effect_ratio", "ER"), ("delta_ri", "ΔRI"))


def recipe_row(spec: recipes.RecipeSpec) -> Recipe:
    """The stored row of a recipe."""
    row, _ = Recipe.objects.get_or_create(
        digest=spec.digest,
        defaults={
            "name": spec.name,
            "parameters": spec.parameters,
            "version": recipes.RECIPE_VERSION,
        },
    )
    return row


def live_boards(task: Task) -> QuerySet[Board]:
    """Boards that are shown or being filled."""
    return Board.objects.filter(task=task, state__in=LIVE)


def live_qrels(task: Task, collection: Collection) -> list[Qrels]:
    """Versions of a collection's qrels that live boards use; oldest first."""
    boards = live_boards(task)
    used = Q(pk__in=boards.values("qrels")) | Q(pk__in=boards.values("original_qrels"))
    return list(Qrels.objects.filter(used, collection=collection).order_by("number"))


def wake_boards(task: Task) -> None:
    """Have the live boards of a task ranked again after this transaction."""
    for board in live_boards(task):
        jobs.wake(JobKind.RANK, board=board)


@dataclass(frozen=True, slots=True)
class _Column:
    key: str
    label: str
    source: str
    spec: recipes.RecipeSpec | None
    goal: str
    target: float | None = None
    is_primary: bool = False


def _evaluation(task: Task, measure: str, *, is_primary: bool) -> _Column:
    goal = "high" if parse(measure).is_rankable else "none"
    spec = recipes.evaluation_recipe(task, measure)
    return _Column(measure, measure, "evaluation", spec, goal, None, is_primary)


def _towards(name: str) -> tuple[str, float | None]:
    one = PAIR_MEASURES[name]
    return ("target", one.target) if one.is_rankable and one.target is not None else ("none", None)


def _comparisons(task: Task, role: str, sign: str) -> Iterator[_Column]:
    """Columns of one role: rankings compared, then deviations by measure."""
    prefix = f"{role}:" if sign else ""
    shown = f" {sign}" if sign else ""
    for name in recipes.rankings_compared(task):
        goal, target = _towards(name)
        label = PAIR_MEASURES[name].label + shown
        spec = recipes.ranking_recipe(task, name)
        yield _Column(prefix + name, label, f"comparison:{role}:value", spec, goal, target)
    fields = ("rmse", "nrmse") if kinds.of(task).compares_rankings else ()
    for measure in task.measures:
        spec = recipes.deviation_recipe(task, measure)
        for name in (*fields, "delta_arp", "p_value"):
            goal, target = ("none", None) if name == "p_value" else ("target", 0.0)
            label = {"rmse": "RMSE", "nrmse": "nRMSE", "delta_arp": "ΔARP", "p_value": "p"}[name]
            yield _Column(
                f"{prefix}{name}({measure})",
                f"{label} {measure}{shown}",
                f"comparison:{role}:{name}",
                spec,
                goal,
                target,
            )


def _pair_columns(task: Task) -> Iterator[_Column]:
    order = kinds.order_of(task, kinds.of(task)) or OrderBy.DISTANCE
    goal = "high" if order == OrderBy.RBO else "low"
    label = f"{order.label}, {task.primary}" if order != OrderBy.RBO else order.label
    yield _Column("order", label[:120], f"order:{order.value}", None, goal, None, is_primary=True)
    for measure in task.measures:
        spec = recipes.effect_recipe(task, measure)
        for name, short in EFFECTS:
            goal_, target = _towards(name)
            yield _Column(
                f"{name}({measure})", f"{short} {measure}", f"effect:{name}", spec, goal_, target
            )
        yield _Column(f"region({measure})", f"Region {measure}", "effect:region", spec, "none")
    for role, sign in ROLE_SIGNS.items():
        yield from _comparisons(task, role.value, sign)


def _columns(task: Task, subject: str) -> Iterator[_Column]:
    if subject == BoardSubject.PAIRS:
        yield from _pair_columns(task)
        return
    for measure in task.measures:
        yield _evaluation(task, measure, is_primary=measure == task.primary)
    if kinds.of(task).compares_rankings:
        yield from _comparisons(task, "own", "")


def _slug(subject: str, original: Original | None) -> str:
    """The board's name within its task; long names of originals are cut but stay apart."""
    if original is None:
        return subject
    whole = f"{subject}-{original.slug}"
    if len(whole) <= LONGEST_SLUG:
        return whole
    stamp = hashlib.sha256(original.slug.encode()).hexdigest()[:8]
    return f"{whole[: LONGEST_SLUG - 9]}-{stamp}"


def _create(
    task: Task, original: Original | None, subject: str, qrels: Qrels, original_qrels: Qrels | None
) -> Board:
    slug = _slug(subject, original)
    same = Board.objects.filter(campaign=task.campaign, task=task, slug=slug)
    is_first = not same.filter(state=BoardState.CURRENT).exists()
    board = Board.objects.create(
        campaign=task.campaign,
        task=task,
        original=original,
        slug=slug,
        subject=subject,
        qrels=qrels,
        original_qrels=original_qrels,
        number=(same.aggregate(last=Max("number"))["last"] or 0) + 1,
        state=BoardState.CURRENT if is_first else BoardState.FILLING,
    )
    for position, column in enumerate(_columns(task, subject)):
        BoardColumn.objects.create(
            board=board,
            key=column.key,
            label=column.label,
            position=position,
            task=task,
            qrels=qrels,
            recipe=recipe_row(column.spec) if column.spec else None,
            source=column.source,
            goal=column.goal,
            target=column.target,
            is_primary=column.is_primary,
        )
    jobs.ensure(JobKind.RANK, board=board)
    return board


def _shows_the_same(board: Board, task: Task, subject: str) -> bool:
    """Whether a board's columns are those that the task's settings ask for now."""
    stored = list(
        board.columns.values_list("key", "label", "source", "is_primary", "recipe__digest")
    )
    wanted = [
        (
            column.key,
            column.label,
            column.source,
            column.is_primary,
            column.spec.digest if column.spec else None,
        )
        for column in _columns(task, subject)
    ]
    return stored == wanted


def open_boards(task: Task, qrels: Qrels, original_qrels: Qrels | None) -> list[Board]:
    """Boards of a task for an evaluation set, made if there are none.

    The first set is shown while it fills; a later one (new qrels, or other measures) is filled in
    the background, and a set that was still filling is put aside for it.
    """
    kind = kinds.of(task)
    originals: list[Original | None] = (
        list(Original.objects.filter(task=task)) if kind.is_pair else [None]
    )
    boards = []
    for original in originals:
        for subject in kind.subjects():
            known = live_boards(task).filter(
                original=original, subject=subject, qrels=qrels, original_qrels=original_qrels
            )
            board = next((one for one in known if _shows_the_same(one, task, subject)), None)
            if board is None:
                live_boards(task).filter(
                    original=original, subject=subject, state=BoardState.FILLING
                ).update(state=BoardState.PAST)
                board = _create(task, original, subject, qrels, original_qrels)
            boards.append(board)
    return boards
