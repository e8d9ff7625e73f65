"""Moments: distance, AoE, UTC, the task's zone."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.template import Context, Template

from campaigns.models import ALWAYS
from campaigns.templatetags.times import away, is_dated, utc, utc_minute

DEADLINE = datetime(2026, 12, 15, 11, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("distance", "text"),
    [
        (timedelta(days=3318), "9 years"),
        (timedelta(days=729), "729 days"),
        (timedelta(days=14, hours=23), "14 days"),
        (timedelta(hours=47, minutes=59), "1 day"),
        (timedelta(hours=23, minutes=59), "23 hours"),
        (timedelta(hours=1, minutes=59), "119 minutes"),
        (timedelta(minutes=1, seconds=59), "1 minute"),
        (timedelta(seconds=59), "less than a minute"),
        (-timedelta(days=2), "2 days"),
    ],
)
def test_distance_never_promises_more_than_there_is(distance, text):
    assert away(distance) == text


def _when(zone=""):
    template = Template('{% load times %}{% when moment "Closes in" "Closed" zone %}')
    return template.render(Context({"moment": DEADLINE, "zone": zone}))


@time_machine.travel(datetime(2026, 12, 1, 11, 59, tzinfo=UTC), tick=False)
def test_date_stands_in_aoe_utc_and_for_the_reader():
    html = _when()
    assert "Closes in" in html
    assert "14 days" in html
    assert "Mon 14 Dec 2026, 23:59" in html
    assert "Tue 15 Dec 2026, 11:59" in html
    assert 'datetime="2026-12-15T11:59:00+00:00"' in html


@time_machine.travel(datetime(2026, 12, 1, tzinfo=UTC), tick=False)
def test_zone_of_the_deadline_stands_first():
    html = _when("Europe/Rome")
    assert html.index("Europe/Rome") < html.index("AoE")
    assert "Tue 15 Dec 2026, 12:59" in html


@time_machine.travel(datetime(2026, 12, 17, 12, 0, tzinfo=UTC), tick=False)
def test_past_date_says_so():
    html = _when()
    assert "Closed" in html
    assert "2 days ago" in html


def test_moments_name_their_zone():
    assert utc(DEADLINE) == "2026-12-15 11:59:00 UTC"
    assert utc_minute(DEADLINE) == "Tue 15 Dec 2026, 11:59 UTC"
    assert utc(None) == ""


def test_switches_without_a_date_are_not_dated():
    assert [is_dated(one) for one in (None, ALWAYS, DEADLINE)] == [False, False, True]
