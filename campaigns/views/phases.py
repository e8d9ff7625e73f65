"""Whether a campaign or a task is open, upcoming or closed, and which date comes next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from campaigns import policies
from campaigns.models import Task

OPEN, UPCOMING, CLOSED = "open", "upcoming", "closed"


@dataclass(frozen=True, slots=True)
class Phase:
    """``moment`` is the date to show: of closing, opening or having closed; perhaps none."""

    name: str
    moment: datetime | None
    zone: str
    is_paused: bool = False

    @property
    def word(self) -> str:
        """As the badge says it."""
        return "Paused" if self.is_paused else self.name.capitalize()


def phase_of(task: Task, now: datetime) -> Phase:
    """Where a task stands."""
    zone = task.timezone
    if task.opens is not None and now < task.opens:
        return Phase(UPCOMING, task.opens, zone)
    if task.is_paused:
        return Phase(OPEN, task.closes, zone, is_paused=True)
    if policies.is_open(task, now):
        return Phase(OPEN, task.closes, zone)
    return Phase(CLOSED, task.closes, zone)


def phase_of_all(tasks: Iterable[Task], now: datetime) -> Phase:
    """Where a campaign stands: open with its first open task, else upcoming, else closed."""
    phases = [phase_of(task, now) for task in tasks]
    by_name = {name: [p for p in phases if p.name == name] for name in (OPEN, UPCOMING, CLOSED)}
    for name in (OPEN, UPCOMING):
        dated = [p for p in by_name[name] if p.moment is not None]
        if dated:
            return min(dated, key=lambda phase: (phase.moment is None, phase.moment))
        if by_name[name]:
            return by_name[name][0]
    past = [p for p in by_name[CLOSED] if p.moment is not None]
    if past:
        return max(past, key=lambda phase: (phase.moment is not None, phase.moment))
    return by_name[CLOSED][0] if phases else Phase(UPCOMING, None, "")
