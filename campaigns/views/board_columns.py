"""Heads of a board: which columns stand there, and where their links lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from campaigns import kinds
from campaigns.models import BoardColumn, BoardSubject, Task
from campaigns.templatetags.help_links import meaning_of
from campaigns.templatetags.numbers import Style, style_of
from campaigns.views.board_query import Order, address


@dataclass(frozen=True, slots=True)
class Head:
    """One column with its link; ``aria_sort`` is set on the active one only."""

    key: str
    label: str
    href: str
    position: int
    aria_sort: str
    is_primary: bool
    style: Style
    has_places: bool
    meaning: str


def _is_short_listed(column: BoardColumn, task: Task) -> bool:
    if column.is_primary or column.source == "evaluation":
        return True
    name, _, measure = column.key.rpartition(":")[2].partition("(")
    measure = measure.removesuffix(")")
    if name in ("effect_ratio", "delta_ri"):
        return True
    if name == "rank_biased_overlap":
        return True
    # Absolute scores: by RMSE where topics are shared, else by the difference of the means.
    absolute = "rmse" if kinds.of(task).compares_rankings else "delta_arp"
    return name in ("region", absolute) and measure == task.primary


def shown_columns(
    columns: Sequence[BoardColumn], subject: str, task: Task, query: QueryDict
) -> list[BoardColumn]:
    """Primary first; those picked, or all with ``columns=all``, or else the short list."""
    picked = set(query.getlist("show"))
    if any(column.key in picked for column in columns):
        columns = [column for column in columns if column.is_primary or column.key in picked]
    elif query.get("columns") != "all":
        columns = [column for column in columns if _is_short_listed(column, task)]
    return sorted(columns, key=lambda column: (not column.is_primary, column.position))


def style_in(column: BoardColumn, task: Task) -> Style:
    """How the values of a column look."""
    if column.source.startswith("order:"):
        by = column.source.partition(":")[2]
        names = {"rmse": f"rmse({task.primary})", "arp": f"delta_arp({task.primary})"}
        return style_of({"rbo": "rank_biased_overlap"}.get(by, names.get(by, by)))
    return style_of(column.key)


def _aria_sort(column: BoardColumn, order: Order) -> str:
    active = order.column
    if active is None:
        is_active, is_reversed = column.is_primary, False
    else:
        is_active, is_reversed = active.pk == column.pk, order.is_reversed
    if not is_active:
        return ""
    if column.goal == "target":
        return "other"
    return "descending" if (column.goal == "high") != is_reversed else "ascending"


def heads(
    columns: Sequence[BoardColumn], task: Task, subject: str, order: Order, query: QueryDict
) -> list[Head]:
    """The heads in order; a second click on the active one turns its order round."""
    found = []
    for column in columns:
        aria_sort = _aria_sort(column, order)
        turns = bool(aria_sort) and not order.is_reversed
        href = address(query, sort=column.key, dir="reverse" if turns else None, page=None)
        has_places = subject == BoardSubject.PAIRS and column.goal == "target"
        found.append(
            Head(
                column.key, column.label, href, column.position, aria_sort, column.is_primary,
                style_in(column, task), has_places, meaning_of(column.key),
            )
        )  # fmt: skip
    return found
