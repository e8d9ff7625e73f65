"""Rows of a board as HTML, made in one place: no filter and no address is resolved per cell.

Whatever people wrote (tags, team names, titles, reasons) is escaped where it enters. That is
``html.escape``, as Django's own filter uses it, without the cost of its wrappers. Alignment and
type face of cells stand in the stylesheet, so that two hundred rows stay light.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.safestring import SafeString

from campaigns import policies
from campaigns.forms.submissions import label_of
from campaigns.models import BoardSubject, Origin, RunType, Task
from campaigns.policies import Viewer
from campaigns.templatetags.numbers import DASH
from campaigns.views.board_columns import Head
from campaigns.views.board_filters import told_fields
from campaigns.views.whiskers import Scale, whisker

WITHHELD_NAME = "Team name withheld"
_NOWHERE = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Table:
    """What the template puts together."""

    rows: SafeString
    scale: SafeString | None
    has_intervals: bool


def _ends(cell: Mapping[str, Any]) -> tuple[float, float, float] | None:
    value, low, high = cell.get("value"), cell.get("low"), cell.get("high")
    return None if value is None or low is None or high is None else (value, low, high)


def _cell(head: Head, cell: Mapping[str, Any]) -> str:
    value = cell.get("value")
    if value is None:
        reason = escape(cell.get("reason") or "undefined")
        return f'<td class="undef" title="{reason}">{DASH}<span class="vh"> {reason}</span></td>'
    place = cell.get("rank")
    # Bold is for the best of a column; the ranking one is heavy throughout.
    css = ' class="lead"' if head.is_primary else (' class="best"' if place == 1 else "")
    text = head.style.text(value)
    if head.has_places and place is not None:
        text += f'<small class="place">{int(place)}</small>'
    return f"<td{css}>{text}</td>"


def _isolated(text: str) -> str:
    """Escaped, and kept from turning the text after it round: letters may run to the left."""
    return escape(text) if text.isascii() else f"<bdi>{escape(text)}</bdi>"


class _Names:
    """Team names by team, each looked up in the policies once."""

    def __init__(self, viewer: Viewer, task: Task) -> None:
        self._viewer, self._task = viewer, task
        self._known: dict[int, str] = {}

    def of(self, team_id: int | None, name: str | None, *, is_organizers: bool) -> str:
        """The escaped name, or that it is withheld."""
        if team_id is None:
            return "Original"
        if team_id not in self._known:
            may = is_organizers or policies.may_see_team_name(self._viewer, self._task, team_id)
            self._known[team_id] = _isolated(name or "") if may else WITHHELD_NAME
        return self._known[team_id]


def _link(subject: str) -> tuple[str, str]:
    """What stands before and after the identifier in an address: resolved once a page."""
    name = "pages:pair" if subject == BoardSubject.PAIRS else "pages:run"
    before, _, after = reverse(name, args=[_NOWHERE]).partition(str(_NOWHERE))
    return before, after


def _metadata(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return row.get("run__metadata") or row.get("pair__metadata") or {}


def _badges(row: Mapping[str, Any], fields: Sequence[dict[str, Any]]) -> str:
    found = ""
    if row.get("run__run_type") == RunType.MANUAL:
        found += ' <span class="badge">manual</span>'
    if row.get("run__origin") == Origin.ORIGINAL:
        found += ' <span class="badge solid">original</span>'
    elif row["team__is_organizers"]:
        found += ' <span class="badge dash">baseline</span>'
    told = _metadata(row) if fields else {}
    for one in fields:
        # Compared as it is stored: what organizers changed into a flag later may hold a text.
        if one["type"] == "flag" and told.get(one["name"]) is True:
            found += f' <span class="badge soft">{escape(label_of(one).lower())}</span>'
    return found


def _choices(row: Mapping[str, Any], fields: Sequence[dict[str, Any]]) -> str:
    told = _metadata(row) if fields else {}
    values = [told.get(one["name"]) for one in fields if one["type"] == "choice"]
    return "".join(f", {_isolated(value)}" for value in values if isinstance(value, str))


def _title(row: Mapping[str, Any]) -> str:
    if "pair_id" in row:
        tags = (row["pair__baseline__tag"], row["pair__advanced__tag"])
        return row["pair__title"] or " / ".join(tag or "not yet" for tag in tags)
    return row["run__tag"] or row["run__title"] or str(row["run_id"])


def _name_cell(
    row: Mapping[str, Any],
    names: _Names,
    link: tuple[str, str],
    note: str,
    fields: Sequence[dict[str, Any]],
) -> str:
    identity = row["pair_id"] if "pair_id" in row else row["run_id"]
    team = names.of(
        row["team_id"], row["team__name"], is_organizers=bool(row["team__is_organizers"])
    )
    family = row.get("pair__family")
    if family:
        team += f", {_isolated(family)}"
    team += _choices(row, fields)
    reason = f'<span class="sub why">{escape(note)}</span>' if note else ""
    return (
        f'<th scope="row" class="stick"><a href="{link[0]}{identity}{link[1]}">'
        f"{escape(_title(row))}</a>"
        f'<span class="sub">{team}{_badges(row, fields)}</span>{reason}</th>'
    )


def _rank_cell(row: Mapping[str, Any]) -> str:
    if row["rank"] is None:
        spoken = '<span class="vh"> not ranked</span>'
        return f'<td class="undef">{DASH}<span class="tie"></span>{spoken}</td>'
    shared = '=<span class="vh"> shared</span>' if row["is_shared"] else ""
    return f'<td>{int(row["rank"])}<span class="tie">{shared}</span></td>'


def table(
    rows: Sequence[Mapping[str, Any]],
    heads: Sequence[Head],
    viewer: Viewer,
    task: Task,
    subject: str,
) -> Table:
    """The body of the table and the scale of its intervals."""
    primary = next((head for head in heads if head.is_primary), None)
    intervals = [_ends(row["cells"].get(primary.key, {})) if primary else None for row in rows]
    scale = Scale.over(end for ends in intervals if ends for end in ends)
    names, link, fields = _Names(viewer, task), _link(subject), told_fields(task)
    lines: list[str] = []
    for row, ends in zip(rows, intervals, strict=True):
        cells = row["cells"]
        note = row["reason"] if row["rank"] is None else ""
        line = [
            "<tr>",
            _rank_cell(row),
            _name_cell(row, names, link, "" if scale else note, fields),
        ]
        for head in heads:
            line.append(_cell(head, cells.get(head.key, {})))
            if head.is_primary and scale is not None:
                if ends is not None:
                    is_hollow = bool(row["team__is_organizers"])
                    drawn = whisker(scale, head.style, ends, is_hollow=is_hollow)
                    line.append(f"<td>{drawn}</td>")
                else:
                    line.append(f'<td class="undef why">{escape(note)}</td>')
        lines.append("".join([*line, "</tr>"]))
    # Every part is escaped where it is made, or formatted from a number.
    return Table(SafeString("\n".join(lines)), scale.head() if scale else None, scale is not None)
