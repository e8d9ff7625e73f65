"""The first page: what can be done with each campaign, what came of the closed ones, all dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from icalendar import Calendar

from campaigns.models import ALWAYS, RunState
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

PAST = datetime(2025, 6, 2, 11, 59, tzinfo=UTC)
LATER = datetime(2030, 12, 8, 12, 0, tzinfo=UTC)


def task_of(title, **more):
    return make.TaskFactory(campaign__title=title, campaign__slug=title.lower(), **more)


def test_open_campaign_leads_to_submitting_and_to_its_board(client):
    task = task_of("Alpha", closes=timezone.now() + timedelta(days=2), scores_from=PAST)
    html = client.get("/").content.decode()
    assert f'href="/campaigns/alpha/tasks/{task.slug}/submit/"' in html
    assert f'href="/campaigns/alpha/tasks/{task.slug}/#board"' in html
    make.TaskFactory(campaign=task.campaign, closes=None, scores_from=PAST)
    html = client.get("/").content.decode()
    assert html.count('href="/campaigns/alpha/#tasks"') == 2


def test_withheld_board_is_not_led_to_and_its_date_is_said(client):
    task = task_of("Beta", closes=PAST, scores_from=LATER)
    make.RunFactory(task=task, state=RunState.SCORED)
    make.RunFactory(task=task, state=RunState.REJECTED)
    make.RunFactory(task=task, state=RunState.SCORED, withdrawn_at=timezone.now())
    html = client.get("/").content.decode()
    assert "#board" not in html
    assert "Scores are released on Sun 8 Dec 2030, 12:00 UTC" in html
    row = html[html.index('href="/campaigns/beta/"') :]
    assert '<td class="n">1</td><td><span' in row


@pytest.mark.parametrize(
    ("switches", "said"),
    [
        ((ALWAYS,), ">Released</a>"),
        ((PAST,), ">Released 2 Jun 2025</a>"),
        ((None,), "Not announced"),
        ((PAST, LATER), ">In part</a>"),
        ((PAST, None), ">In part</a>"),
    ],
)
def test_results_of_a_closed_campaign(client, switches, said):
    first = task_of("Gamma", closes=PAST, scores_from=switches[0])
    for switch in switches[1:]:
        make.TaskFactory(campaign=first.campaign, closes=PAST, scores_from=switch)
    assert said in client.get("/").content.decode()


def test_member_sees_the_newest_own_runs_alone(client, logged_in):
    task = task_of("Epsilon")
    own = make.RunFactory(task=task, tag="mine-1")
    make.RunFactory(task=task, tag="theirs-1")
    html = logged_in(make.member_of(own.team)).get("/").content.decode()
    assert "Your runs" in html
    assert "mine-1" in html
    assert "theirs-1" not in html
    assert "Your runs" not in client.get("/").content.decode()


def test_calendar_holds_the_dates_of_visible_tasks(client, logged_in):
    task = task_of("Zeta, eta; theta", campaign__is_public=True, opens=PAST, closes=LATER)
    hidden = make.TaskFactory(campaign__is_public=False, closes=LATER)
    answer = client.get("/deadlines.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [(str(one["summary"]), one.decoded("dtstart")) for one in events] == [
        (f"Zeta, eta; theta, {task.title} opens", PAST),
        (f"Zeta, eta; theta, {task.title} closes", LATER),
    ]
    assert str(events[0]["url"]).endswith(f"/tasks/{task.slug}/")
    organizer = logged_in(make.organizer_of(hidden.campaign))
    assert hidden.title in organizer.get("/deadlines.ics").content.decode()
