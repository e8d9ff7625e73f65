"""Limits of a team in a task. A refused run costs none of them but has a cap of its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from campaigns.models import Run, RunState, Task, Team
from campaigns.services.refusals import RefusalError

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Quota:
    """What a team has left; None is no limit. ``next_at``: when the first day limit eases."""

    runs_left: int | None
    today_left: int | None
    refused_left: int | None
    attempts_left: int | None
    next_at: datetime | None

    @property
    def left(self) -> int | None:
        """How many more runs may be sent now."""
        limits = [
            left
            for left in (self.runs_left, self.today_left, self.attempts_left)
            if left is not None
        ]
        if self.refused_left == 0:
            limits.append(0)
        return min(limits) if limits else None


def _left(limit: int | None, used: int) -> int | None:
    return None if limit is None else max(0, limit - used)


def _oldest(runs: QuerySet[Run]) -> datetime | None:
    return runs.order_by("received_at").values_list("received_at", flat=True).first()


def quota_of(task: Task, team: Team, at: datetime) -> Quota:
    """What the team has left at a moment; a day is the last 24 hours."""
    runs = Run.objects.filter(task=task, team=team, deleted_at__isnull=True)
    used = runs.exclude(state=RunState.REJECTED)
    refused_today = runs.filter(state=RunState.REJECTED, received_at__gt=at - DAY)
    used_today = used.filter(received_at__gt=at - DAY)
    today_left = _left(task.runs_per_day, used_today.count())
    refused_left = _left(task.refused_per_day, refused_today.count())
    oldest = [
        first
        for left, rows in ((today_left, used_today), (refused_left, refused_today))
        if left == 0 and (first := _oldest(rows)) is not None
    ]
    return Quota(
        runs_left=_left(task.runs_per_team, used.count()),
        today_left=today_left,
        refused_left=refused_left,
        attempts_left=_left(task.attempts, runs.count()),
        next_at=max(oldest) + DAY if oldest else None,
    )


def check_quota(task: Task, team: Team, at: datetime, runs: int) -> None:
    """Refuse what goes over a limit (429); call it with the team locked."""
    quota = quota_of(task, team, at)
    later = f" Next possible at {quota.next_at:%Y-%m-%d %H:%M:%S} UTC." if quota.next_at else ""
    reasons = {
        "runs_per_team": (
            quota.runs_left,
            f"Your team may hand in {task.runs_per_team} runs to this task.",
        ),
        "per_day": (
            quota.today_left,
            f"Your team may hand in {task.runs_per_day} runs in 24 hours.{later}",
        ),
        "attempts": (
            quota.attempts_left,
            f"Your team may upload {task.attempts} files to this task, refused ones included.",
        ),
    }
    for name, (left, text) in reasons.items():
        if left is not None and left < runs:
            raise RefusalError(name, text, 429)
    if quota.refused_left == 0:
        raise RefusalError(
            "refused_per_day",
            f"{task.refused_per_day} files of your team were refused in 24 hours.{later} "
            "Check the file first with “python -m evaluation check”.",
            429,
        )
