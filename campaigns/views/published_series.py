"""Published series of a pair as lines of a table."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.models import Pair, RunRole
from campaigns.services.published_series import series_of_pair
from campaigns.templatetags.numbers import style_of
from evaluation.pair_measures import PAIR_MEASURES


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """One series: means over topics of baseline and advanced run, a dash for one not given."""

    label: str
    cutoff: int | None
    means: tuple[str, str]
    note: str


def published_of(pair: Pair) -> list[PublishedLine]:
    """For those who may see the scores of the pair."""
    lines = []
    for one in series_of_pair(pair):
        known = PAIR_MEASURES.get(one.key)
        style = style_of(one.key)
        baseline, advanced = (
            style.text(one.means.get(role.value)) for role in (RunRole.BASELINE, RunRole.ADVANCED)
        )
        label = known.label if known else one.key
        lines.append(PublishedLine(label, one.cutoff, (baseline, advanced), one.note))
    return lines
