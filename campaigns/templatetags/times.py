"""Moments as text: how far away first, then AoE, UTC and the reader's own time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaigns.models import ALWAYS
from campaigns.services.zones import AOE, zone_of

register = template.Library()

# Unit, its length, and from how many on it is used: one hour is told in minutes.
_UNITS = (
    ("year", timedelta(days=365), 2),
    ("day", timedelta(days=1), 1),
    ("hour", timedelta(hours=1), 2),
    ("minute", timedelta(minutes=1), 1),
)


def away(distance: timedelta) -> str:
    """A distance in its largest unit, rounded down: never promises more time than there is."""
    distance = abs(distance)
    for name, unit, least in _UNITS:
        amount = distance // unit
        if amount >= least:
            return f"{amount} {name}{'' if amount == 1 else 's'}"
    return "less than a minute"


def spelled(moment: datetime) -> str:
    """To the minute, with the day of the week, in whatever zone it is in."""
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M}"


@register.filter
def utc(moment: datetime | None) -> str:
    """To the second, in UTC: for receipts and logs."""
    return "" if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


@register.filter
def utc_day(moment: datetime | None) -> str:
    """A day in UTC, as in prose."""
    if moment is None:
        return ""
    moment = moment.astimezone(UTC)
    return f"{moment.day} {moment:%b %Y}"


@register.filter
def utc_minute(moment: datetime | None) -> str:
    """To the minute, in UTC, with the day of the week."""
    return "" if moment is None else f"{spelled(moment.astimezone(UTC))} UTC"


@register.filter
def is_dated(moment: datetime | None) -> bool:
    """Whether a switch has a date of its own: neither never nor from the start."""
    return moment is not None and moment > ALWAYS


@register.simple_tag
def distance(moment: datetime, now: datetime | None = None) -> str:
    """How far away a moment is."""
    return away(moment - (now or timezone.now()))


@register.simple_tag
def moment(value: datetime | None) -> SafeString | str:
    """UTC as a ``time`` element that machines read too."""
    if value is None:
        return ""
    value = value.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), utc(value)
    )


@register.inclusion_tag("parts/when.html")
def when(moment: datetime, before: str, after: str, zone: str = "") -> dict[str, Any]:
    """A date with its distance in AoE, UTC, its own zone and the reader's time."""
    now = timezone.now()
    own = zone_of(zone) if zone else None
    times: list[tuple[str, tzinfo]] = [("AoE", AOE), ("UTC", UTC)]
    if own is not None and zone not in ("AoE", "UTC"):
        times.insert(0, (zone, own))
    return {
        "is_past": moment < now,
        "label": after if moment < now else before,
        "away": away(moment - now),
        "times": [(name, spelled(moment.astimezone(place))) for name, place in times],
        "iso": moment.astimezone(UTC).isoformat(timespec="seconds"),
        "utc": spelled(moment.astimezone(UTC)),
    }
