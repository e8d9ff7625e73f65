"""Series of a pair that were published with it: shown as they are, apart from what is computed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from campaigns.models import Pair, RunRole
from campaigns.templatetags.numbers import style_of
from evaluation.pair_measures import PAIR_MEASURES

# rank_biased_overlap@10 (depth 9): a measure, the cut-off of both rankings, and how it was taken.
_NAME = re.compile(r"(?P<name>[^@(]+?)(?:@(?P<cutoff>\d+))?(?: \((?P<note>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """One series: means over topics of baseline and advanced run, a dash for one not given."""

    label: str
    cutoff: int | None
    means: tuple[str, str]
    note: str


def published_of(pair: Pair) -> list[PublishedLine]:
    """The published series of a pair, by measure and cut-off; for those who may see its scores."""
    found = [_line(name, roles) for name, roles in pair.published_series.items()]
    return sorted(found, key=lambda line: (line.label, line.cutoff or 0))


def _line(name: str, roles: Mapping[str, Mapping[str, float | None]]) -> PublishedLine:
    match = _NAME.fullmatch(name)
    key, cutoff, note = (match["name"], match["cutoff"], match["note"]) if match else (name, "", "")
    label = PAIR_MEASURES[key].label if key in PAIR_MEASURES else key
    style = style_of(key)
    both = (RunRole.BASELINE, RunRole.ADVANCED)
    baseline, advanced = (style.text(_mean(roles.get(role.value, {}))) for role in both)
    return PublishedLine(label, int(cutoff) if cutoff else None, (baseline, advanced), note or "")


def _mean(values: Mapping[str, float | None]) -> float | None:
    known = [value for value in values.values() if value is not None]
    return math.fsum(known) / len(known) if known else None
