"""Times with their zone: AoE, UTC, offsets and the names of the time zone database."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ANYWHERE_ON_EARTH = "AoE"
AOE = timezone(timedelta(hours=-12), ANYWHERE_ON_EARTH)

REMEDY = "write it as 2026-12-31T23:59:59 and a zone: Z, -12:00, AoE or a name like Europe/Berlin"

_TIME = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]\s*"
    r"(?P<clock>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    r"\s*(?P<zone>\S.*)?"
)
_OFFSET = re.compile(r"(?:UTC)?([-+])([0-9]{2}):?([0-9]{2})")


def zone_of(name: str) -> tzinfo | None:
    """The zone of a name such as ``AoE``, ``UTC``, ``-12:00`` or ``Europe/Berlin``, or None."""
    if name.lower() == ANYWHERE_ON_EARTH.lower():
        return AOE
    if name.upper() in ("Z", "UTC"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        hours, minutes = int(offset[2]), int(offset[3])
        if hours > 14 or minutes > 59:
            return None
        distance = timedelta(hours=hours, minutes=minutes)
        return timezone(-distance if offset[1] == "-" else distance)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def normal_zone(name: str) -> str:
    """The one spelling under which a zone is stored."""
    if name.lower() == ANYWHERE_ON_EARTH.lower():
        return ANYWHERE_ON_EARTH
    if name.upper() in ("Z", "UTC"):
        return "UTC"
    offset = _OFFSET.fullmatch(name)
    return f"{offset[1]}{offset[2]}:{offset[3]}" if offset else name


def read_time(text: str) -> tuple[datetime, str]:
    """The moment in UTC and the zone it was given in; raises ``ValueError`` with the remedy."""
    parts = _TIME.fullmatch(text.strip())
    if parts is None:
        raise ValueError(f"is not a time: {REMEDY}")
    if not parts["zone"]:
        raise ValueError(f"has no zone: {REMEDY}")
    zone = zone_of(parts["zone"].strip())
    if zone is None:
        raise ValueError(f"has the unknown zone {parts['zone'][:60]!r}: {REMEDY}")
    try:
        local = datetime.fromisoformat(f"{parts['day']}T{parts['clock']}").replace(tzinfo=zone)
        moment = local.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"is not a time that exists: {REMEDY}") from None
    if moment.astimezone(zone).replace(fold=0) != local:
        raise ValueError("does not exist in its zone: the clock goes forward over it")
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        raise ValueError("happens twice in its zone, when the clock goes back: give the offset")
    if not 1970 <= moment.year <= 9000:
        raise ValueError("lies outside the years 1970 to 9000")
    return moment, normal_zone(parts["zone"].strip())


def write_time(moment: datetime, zone: str) -> str:
    """A moment in a zone, so that ``read_time`` gives back both."""
    place = zone_of(zone)
    local = moment.astimezone(place or UTC)
    is_twofold = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    if place is None or is_twofold:
        local, zone = moment.astimezone(UTC), "UTC"
    name = {"UTC": "Z"}.get(zone, zone)
    space = "" if name == "Z" or name[:1] in "+-" else " "
    return f"{local.replace(tzinfo=None).isoformat()}{space}{name}"
