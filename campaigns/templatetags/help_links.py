"""From the columns of a board to the entries of the help that explain them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import template

from evaluation.notation import FAMILIES
from evaluation.pair_measures import PAIR_MEASURES

register = template.Library()

_FAMILY = re.compile(r"[A-Za-z]+")


def entry_of(key: str) -> tuple[str, str] | None:
    """Anchor and name of what a column shows: ``baseline:rmse(AP)`` is RMSE.

    >>> entry_of("baseline:rmse(AP)"), entry_of("nDCG(dcg='exp-log2')@10")
    (('rmse', 'RMSE'), ('nDCG', 'nDCG'))
    """
    name = key.rpartition(":")[2].partition("(")[0]
    if name in PAIR_MEASURES:
        return name, PAIR_MEASURES[name].label
    found = _FAMILY.match(key)
    if found is not None and found[0] in FAMILIES:
        return found[0], found[0]
    return None


def meaning_of(key: str) -> str:
    """What a column shows, in a few words; empty where its label says it all.

    >>> meaning_of("baseline:rmse(AP)"), meaning_of("order")
    ('root mean square error', '')
    """
    entry = entry_of(key)
    if entry is None:
        return ""
    name = entry[0]
    return PAIR_MEASURES[name].title if name in PAIR_MEASURES else FAMILIES[name].title


@register.simple_tag
def column_entries(heads: Iterable[Any]) -> list[tuple[str, str]]:
    """Entries for the heads of a board, each once, in their order."""
    entries = (entry_of(head.key) for head in heads)
    return list(dict.fromkeys(entry for entry in entries if entry is not None))
