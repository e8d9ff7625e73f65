"""What a form means before it is saved: measures, tags and times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from campaigns.forms.organize.plan import SWITCHES
from campaigns.models import ALWAYS, Task
from campaigns.services.organizing.tag_tryout import tag_matches
from evaluation.notation import UnknownMeasureError, parse
from evaluation.rules import faults_of_settings

MOST_MEASURES = 60


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """One measure as typed, and as it is understood."""

    typed: str
    name: str = ""
    title: str = ""
    is_primary: bool = False
    is_ranked: bool = False
    fault: str = ""


def measure_lines(typed: list[str], primary: str) -> list[MeasureLine]:
    """Canonical names, or what is wrong."""
    lines: list[MeasureLine] = []
    seen: set[str] = set()
    wanted = _canonical(primary)
    for text in typed[:MOST_MEASURES]:
        try:
            measure = parse(text)
        except UnknownMeasureError as error:
            lines.append(MeasureLine(text, fault=str(error)))
            continue
        if measure.name in seen:
            lines.append(MeasureLine(text, measure.name, fault="It stands twice."))
            continue
        seen.add(measure.name)
        is_primary = measure.is_rankable and (
            measure.name == wanted if wanted else not any(one.is_primary for one in lines)
        )
        lines.append(
            MeasureLine(text, measure.name, measure.title, is_primary, measure.is_rankable)
        )
    return lines


def _canonical(text: str) -> str:
    try:
        return parse(text).name if text.strip() else ""
    except UnknownMeasureError:
        return ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a pattern makes of a tag."""

    tone: str
    text: str


def tag_verdict(pattern: str, tag: str) -> Verdict | None:
    """Whether the tag would be taken; None when there is nothing to try."""
    faults = faults_of_settings(tag_pattern=pattern) if pattern else []
    if faults:
        return Verdict("bad", f"The pattern {faults[0][1]}.")
    if not tag or not pattern:
        return None
    matches = tag_matches(pattern[:200], tag[:255])
    if matches is None:
        return Verdict("bad", "The pattern takes too long on this tag: make it simpler.")
    return (
        Verdict("ok", f"The tag {tag} is taken.")
        if matches
        else Verdict("warn", f"The tag {tag} is not taken.")
    )


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A date of the task in words: of a moment, or why there is none."""

    title: str
    moment: datetime | None
    word: str
    is_new: bool


def times_of(task: Task, columns: Mapping[str, Any] | None) -> list[TimeLine]:
    """Opening, closing and every switch, as they would be with these columns."""
    titles = {"opens": "Opens", "closes": "Closes"} | {
        f"{name}_from": title for name, (title, _) in SWITCHES.items()
    }
    lines = []
    for name, title in titles.items():
        before = getattr(task, name)
        after = columns[name] if columns is not None else before
        is_dated = after is not None and after != ALWAYS
        if name == "opens":
            word = "from the start"
        elif name == "closes":
            word = "never"
        else:
            word = "open now" if after == ALWAYS else "closed"
        lines.append(
            TimeLine(
                title, after if is_dated else None, word, columns is not None and before != after
            )
        )
    return lines


def coming_dates(tasks: Iterable[Task], now: datetime) -> list[tuple[Task, TimeLine]]:
    """What happens next in a campaign: openings, deadlines and releases still ahead."""
    ahead = [
        (task, line)
        for task in tasks
        for line in times_of(task, None)
        if line.moment is not None and line.moment > now
    ]
    return sorted(ahead, key=lambda one: (one[1].moment or now, one[0].position))
