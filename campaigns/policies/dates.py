"""Dated switches and deadlines: what is on, and what takes runs, at a moment."""

from __future__ import annotations

from datetime import datetime, timedelta

from campaigns.models import Task as TaskModel


def is_reached(switch: datetime | None, now: datetime) -> bool:
    """Whether a dated switch is on; null is never."""
    return switch is not None and switch <= now


def phase(task: TaskModel, now: datetime) -> str:
    """Part of a cache key: which switches are on now; a date passes without any write."""
    switches = (
        task.own_scores_from,
        task.scores_from,
        task.team_names_from,
        task.topic_scores_from,
        task.submitted_runs_from,
        task.original_runs_from,
        task.qrels_from,
    )
    return "".join("1" if is_reached(switch, now) else "0" for switch in switches)


def is_past_deadline(task: TaskModel, at: datetime) -> bool:
    """Whether the last second of the deadline is over."""
    if task.closes is None:
        return False
    return at >= task.closes.replace(microsecond=0) + timedelta(seconds=1)


def is_open(task: TaskModel, at: datetime) -> bool:
    """Takes runs received at this moment; a deadline includes its whole last second."""
    return closed_reason(task, at) == ""


def closed_reason(task: TaskModel, at: datetime) -> str:
    """Why a run received at this moment is not taken; empty when it is."""
    if task.is_paused:
        return "The organizers have paused submissions to this task."
    if task.opens is not None and at < task.opens:
        return f"This task opens at {task.opens:%Y-%m-%d %H:%M:%S} UTC."
    if task.closes is not None and is_past_deadline(task, at):
        return f"This task closed at {task.closes:%Y-%m-%d %H:%M:%S} UTC."
    return ""
