"""How often a board is ranked, without a worker that waits while there is other work."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from campaigns.models import Board, Job, JobKind, JobState
from campaigns.services import jobs


def seconds_to_wait(board: Board, pause: float) -> float:
    """Until the last ranking of the board is ``pause`` seconds old."""
    if board.ranked_at is None:
        return 0.0
    age = (timezone.now() - board.ranked_at).total_seconds()
    return min(pause, max(0.0, pause - age))


def leave_to_later(held: jobs.Claim, board: Board, seconds: float) -> bool:
    """Put a ranking off for scores and comparisons of its task that wait; whether it was.

    Each of them wakes the board when it is recorded or has failed, so the ranking is not missed;
    the last one finds nothing that waits.
    """
    if board.task_id is None:
        return False
    waiting = Job.objects.filter(
        Q(run__task=board.task_id) | Q(pair__task=board.task_id),
        kind__in=[JobKind.SCORE, JobKind.COMPARE],
        state=JobState.WAITING,
        not_before__isnull=True,
    )
    return waiting.exists() and jobs.postpone(held, seconds)
