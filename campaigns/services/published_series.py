"""Series of a pair that were published with it: shown as they are, apart from what is computed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from campaigns.models import Pair

# rank_biased_overlap@10 (depth 9): a measure, the cut-off of both rankings, and how it was taken.
_NAME = re.compile(r"(?P<key>[^@(]+?)(?:@(?P<cutoff>\d+))?(?: \((?P<note>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class PublishedSeries:
    """One series. ``means`` are over topics, by role; None for a role without values."""

    key: str
    cutoff: int | None
    note: str
    means: Mapping[str, float | None]


def series_of_pair(pair: Pair) -> list[PublishedSeries]:
    """By measure and cut-off; for those who may see the scores of the pair."""
    found = [_series(name, roles) for name, roles in pair.published_series.items()]
    return sorted(found, key=lambda one: (one.key, one.cutoff or 0))


def _series(name: str, roles: Mapping[str, Mapping[str, float | None]]) -> PublishedSeries:
    match = _NAME.fullmatch(name)
    key, cutoff, note = match.group("key", "cutoff", "note") if match else (name, None, None)
    means = {role: _mean(values) for role, values in roles.items()}
    return PublishedSeries(key, int(cutoff) if cutoff else None, note or "", means)


def _mean(values: Mapping[str, float | None]) -> float | None:
    known = [value for value in values.values() if value is not None]
    return math.fsum(known) / len(known) if known else None
