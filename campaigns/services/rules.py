"""The check rules of a task, from its settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from campaigns import kinds
from campaigns.models import Task
from evaluation.notation import parse
from evaluation.rules import Budgets, CheckRules


def _candidates(task: Task) -> int | None:
    """How many candidates of a pool each topic must hold: the cut-off of the primary measure."""
    return parse(task.primary).cutoff if kinds.of(task).needs_pool else None


def check_rules(task: Task) -> CheckRules:
    """Rules under which a run of this task is read, when it is checked and when it is scored."""
    levels: dict[str, Any] = dict(task.rules)
    if kinds.of(task).needs_initial_run:
        levels.setdefault("pool_incomplete", "ignore")
    return CheckRules(
        levels=levels,
        depth=task.depth,
        depth_rule=task.depth_rule,  # type: ignore[arg-type]  # a constraint keeps the choices
        tag_pattern=task.tag_pattern or None,
        precision=task.precision,  # type: ignore[arg-type]  # a constraint keeps the choices
        candidates=_candidates(task),
        budgets=Budgets(
            upload_bytes=settings.MAX_UPLOAD_BYTES,
            text_bytes=task.file_bytes,
        ),
    )


def scoring_rules(task: Task, *, is_original: bool = False) -> CheckRules:
    """The same without what an accepted run has passed: limits that may have been changed since."""
    rules = check_rules(task)
    return CheckRules(
        levels=rules.levels,
        depth=None if is_original else rules.depth,
        depth_rule="truncate",
        precision=rules.precision,
        candidates=rules.candidates,
    )
