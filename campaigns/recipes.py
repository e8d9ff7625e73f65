"""Recipes: how each number of a task is made, with a digest that changes when it changes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from campaigns import kinds
from campaigns.models import Task

RECIPE_VERSION = 1
"""Raised by hand when numbers change; the package's version would make everything stale."""

RANKING_MEASURES = (
    "kendall_tau_union",
    "kendall_tau_union_sorted",
    "kendall_tau_union_tied_below",
    "kendall_tau_intersection",
    "rank_biased_overlap",
    "overlap",
    "length_coverage",
)


@dataclass(frozen=True, slots=True)
class RecipeSpec:
    """A recipe before it is a row."""

    name: str
    parameters: dict[str, Any]

    @property
    def digest(self) -> str:
        """SHA-256 of name, parameters and version, whatever the order of the keys."""
        text = json.dumps(
            [self.name, self.parameters, RECIPE_VERSION],
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
        )
        return hashlib.sha256(text.encode()).hexdigest()


def _reading(task: Task) -> dict[str, Any]:
    """How a run file is read, as far as it changes numbers."""
    return {
        "topics_averaged": task.topics_averaged,
        "depth": task.depth,
        "precision": task.precision,
        "duplicate_document": task.rules.get("duplicate_document", "error"),
        **({"gains": task.gains} if task.gains else {}),
    }


def comparison_settings(task: Task) -> dict[str, Any]:
    """Depth and RBO's p of comparisons, with the defaults of ``measures.md``."""
    chosen = task.comparison or {}
    return {
        "rbo_p": float(chosen.get("rbo_p", 0.8)),
        "depth": int(chosen.get("depth", task.depth)),
    }


def evaluation_recipe(task: Task, measure: str) -> RecipeSpec:
    """The score of a run by one measure."""
    return RecipeSpec(measure, {"what": "evaluation", "measure": measure, **_reading(task)})


def ranking_recipe(task: Task, name: str) -> RecipeSpec:
    """How alike the original and the submitted run order their documents."""
    settings = comparison_settings(task)
    parameters: dict[str, Any] = {"what": "ranking", "depth": settings["depth"]}
    if name == "rank_biased_overlap":
        parameters |= {"p": settings["rbo_p"], "variant": "ext"}
    return RecipeSpec(name, {**parameters, "reading": _reading(task)})


def deviation_recipe(task: Task, measure: str) -> RecipeSpec:
    """RMSE, nRMSE, difference of means and t-test of one measure."""
    return RecipeSpec(
        f"deviation {measure}", {"what": "deviation", "measure": measure, **_reading(task)}
    )


def effect_recipe(task: Task, measure: str) -> RecipeSpec:
    """ER, RI, ΔRI and region of a pair by one measure."""
    return RecipeSpec(
        f"effect {measure}",
        {"what": "effect", "kind": task.kind, "measure": measure, **_reading(task)},
    )


def rankings_compared(task: Task) -> tuple[str, ...]:
    """Measures of the rankings themselves: on the same collection only."""
    return RANKING_MEASURES if kinds.of(task).compares_rankings else ()
