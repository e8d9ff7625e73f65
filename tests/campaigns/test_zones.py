"""Times with their zone, there and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.services.zones import read_time, write_time, zone_of


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment", "zone"),
    [
        ("2026-12-31T23:59:59Z", utc(2026, 12, 31, 23, 59, 59), "UTC"),
        ("2026-12-31 23:59:59 AoE", utc(2027, 1, 1, 11, 59, 59), "AoE"),
        ("2026-12-31T23:59:59 aoe", utc(2027, 1, 1, 11, 59, 59), "AoE"),
        ("2026-12-31T23:59:59-12:00", utc(2027, 1, 1, 11, 59, 59), "-12:00"),
        ("2026-12-31T23:59:59+0530", utc(2026, 12, 31, 18, 29, 59), "+05:30"),
        ("2026-07-01T12:00 Europe/Berlin", utc(2026, 7, 1, 10), "Europe/Berlin"),
        ("2026-01-01T12:00:00.5 Europe/Berlin", utc(2026, 1, 1, 11, 0, 0, 500_000),
         "Europe/Berlin"),
    ],
)  # fmt: skip
def test_read_time_gives_the_moment_and_the_zone(text: str, moment: datetime, zone: str) -> None:
    assert read_time(text) == (moment, zone)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-12-31", "is not a time"),
        ("tomorrow", "is not a time"),
        ("2026-12-31T23:59:59", "has no zone"),
        ("2026-12-31T23:59:59 Atlantis", "unknown zone"),
        ("2026-12-31T23:59:59 ../../etc/passwd", "unknown zone"),
        ("2026-12-31T23:59:59+25:00", "unknown zone"),
        ("2026-02-30T00:00:00Z", "not a time that exists"),
        ("2026-03-29T02:30:00 Europe/Berlin", "the clock goes forward"),
        ("2026-10-25T02:30:00 Europe/Berlin", "happens twice"),
        ("0001-01-01T00:00:00+12:00", "not a time that exists"),
        ("1969-12-31T23:59:59Z", "1970"),
    ],
)
def test_read_time_refuses_what_names_no_moment(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_time(text)


@given(
    st.integers(0, 220_000_000_000).map(
        lambda seconds: utc(1971, 1, 1) + timedelta(seconds=seconds)
    ),
    st.sampled_from(["UTC", "AoE", "-12:00", "+05:45", "Europe/Berlin", "America/St_Johns"]),
)
def test_write_time_is_read_back(moment: datetime, zone: str) -> None:
    assert read_time(write_time(moment, zone))[0] == moment


def test_write_time_of_a_doubled_hour_falls_back_to_utc() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    for moment in (first, first + timedelta(hours=1)):
        assert write_time(moment, "Europe/Berlin") == moment.isoformat()[:-6] + "Z"


def test_zone_of_knows_no_paths() -> None:
    assert zone_of("/etc/localtime") is None
    assert zone_of("") is None
