"""A draft of the qrels is put to use; what that means for runs and boards is said before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from campaigns.models import (
    Board,
    BoardState,
    Collection,
    Evaluation,
    Job,
    JobKind,
    JobState,
    Qrels,
    QrelsState,
    Run,
    RunState,
    Task,
)
from campaigns.policies import Viewer
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.qrels import publish_qrels, tasks_using
from campaigns.services.refusals import RefusalError


@dataclass(frozen=True, slots=True)
class Reach:
    """What publishing does to one task."""

    task: Task
    scored_again: int
    scored_first: int


def reach_of(qrels: Qrels) -> list[Reach]:
    """The tasks that a version is for, with the runs that would be scored under it."""
    reached = []
    for task in tasks_using(qrels):
        runs = Run.objects.filter(task=task, deleted_at__isnull=True)
        reached.append(
            Reach(
                task,
                runs.filter(state=RunState.SCORED).count(),
                runs.filter(state=RunState.ACCEPTED).count(),
            )
        )
    return reached


def needs_confirmation(qrels: Qrels) -> bool:
    """Whether runs that have scores are scored again."""
    return any(reach.scored_again for reach in reach_of(qrels))


def publish_draft(
    viewer: Viewer, qrels: Qrels, *, changelog: str = "", confirmation: str = ""
) -> Qrels:
    """Use a draft from now on; raises ``RefusalError``.

    Where scored runs are scored again, ``confirmation`` must name the version (``v2``).
    """
    require_organizer(viewer, qrels.collection.campaign)
    with transaction.atomic():
        Collection.objects.select_for_update(no_key=True).get(pk=qrels.collection_id)
        current = Qrels.objects.get(pk=qrels.pk)
        if current.state == QrelsState.PUBLISHED:
            raise RefusalError("published", "This version has been published already.", 409)
        newer = Qrels.objects.filter(
            collection=qrels.collection_id,
            task=qrels.task_id,
            state=QrelsState.PUBLISHED,
            number__gt=qrels.number,
        ).first()
        if newer is not None:
            raise RefusalError(
                "superseded",
                f"Version {newer.number} is published already. To go back to these judgments, "
                "upload the file again as a new version.",
                409,
            )
        word = f"v{qrels.number}"
        if needs_confirmation(qrels) and confirmation.strip().lower() != word:
            text = f"Type {word} to confirm that the runs are scored again."
            raise RefusalError("not_confirmed", text, 422, {"confirmation": text})
        if changelog.strip() != current.changelog:
            Qrels.objects.filter(pk=qrels.pk).update(changelog=changelog.strip())
        return publish_qrels(qrels, viewer.user, changelog.strip())


def is_moving(qrels: Qrels) -> bool:
    """Whether runs are still being scored under a version, or its boards ranked."""
    awake = [JobState.WAITING, JobState.RUNNING]
    return Job.objects.filter(
        Q(kind=JobKind.SCORE, qrels=qrels) | Q(kind=JobKind.RANK, board__qrels=qrels),
        state__in=awake,
    ).exists()


@dataclass(frozen=True, slots=True)
class BoardProgress:
    """A board of a version, and how many of its runs have their scores."""

    board: Board
    scored: int
    runs: int


def boards_of(qrels: Qrels) -> list[BoardProgress]:
    """Boards that stand on a version, with how full they are."""
    boards = (
        _shown_boards(Board.objects.filter(qrels=qrels))
        .select_related("task__campaign", "original")
        .order_by("task__position", "task__slug", "slug", "number")
    )
    progress = []
    for board in boards:
        runs = Run.objects.filter(
            task=board.task,
            state__in=[RunState.ACCEPTED, RunState.SCORED],
            withdrawn_at__isnull=True,
            deleted_at__isnull=True,
            origin="submitted",
        )
        if board.original_id is not None:
            runs = runs.filter(original=board.original_id)
        scored = (
            Evaluation.objects.filter(run__in=runs, qrels=qrels).values("run").distinct().count()
        )
        progress.append(BoardProgress(board, scored, runs.count()))
    return progress


def board_counts(versions: Iterable[Qrels]) -> dict[int, list[tuple[str, int]]]:
    """How many boards stand on each version, by their state in words."""
    found: dict[int, list[tuple[str, int]]] = {}
    rows = _shown_boards(Board.objects.filter(qrels__in=list(versions)))
    for qrels_id, state, count in (
        rows.order_by("state").values_list("qrels", "state").annotate(count=Count("pk"))
    ):
        found.setdefault(qrels_id, []).append((BoardState(state).label, count))
    return found


def _shown_boards(boards: QuerySet[Board]) -> QuerySet[Board]:
    """Without those of deleted tasks, and those put aside before they were complete."""
    return boards.filter(task__deleted_at__isnull=True).exclude(
        state=BoardState.PAST, switched_at__isnull=True, number__gt=1
    )
