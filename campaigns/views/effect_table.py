"""The data of the ER–ΔRI chart as lines of HTML, made in one place as those of a board are."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from campaigns.templatetags.numbers import DASH
from campaigns.views.effect_points import Told


def columns_of(told: Sequence[Told]) -> list[str]:
    """Texts that any point has; a column of dashes alone is left out."""
    names = list(told[0].texts) if told else []
    return [name for name in names if any(one.texts[name] != DASH for one in told)]


def lines(told: Sequence[Told], columns: Sequence[str]) -> str:
    """A line for each point, in the order of the chart."""
    found = []
    for place, one in enumerate(told):
        point = one.point
        family = f'<span class="sub">{escape(point.family)}</span>' if point.family else ""
        cells = "".join(_cell(one, column) for column in columns)
        found.append(
            f'<tr data-point="{place}"><th scope="row" class="stick"><a href="{one.href}">'
            f"{escape(point.name)}</a>{family}</th><td>{escape(point.measure)}</td>{cells}</tr>"
        )
    # Every part is escaped where it is put in, or formatted from a number.
    return "\n".join(found)


def _cell(one: Told, column: str) -> str:
    text = one.texts[column]
    if text != DASH or column not in ("ER", "ΔRI", "Region", "Distance"):
        return f'<td class="n">{text}</td>'
    reason = escape(one.reason or "on an axis")
    return f'<td class="n undef" title="{reason}">{DASH}<span class="vh"> {reason}</span></td>'
