"""The page of a campaign: its dates and its results."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.views.timeline import timeline
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_board

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def page(client, campaign):
    response = client.get(reverse("pages:campaign", args=[campaign.slug]))
    assert response.status_code == 200
    return response.content.decode()


def results(html):
    return html.partition('id="results"')[2].partition("</table>")[0]


def test_dates_stand_in_their_order_with_what_is_over_and_what_is_next():
    task = make.TaskFactory(
        opens=NOON - timedelta(days=9), closes=NOON + timedelta(days=1), qrels_from=None,
        scores_from=NOON + timedelta(days=2),
    )  # fmt: skip
    steps = timeline([task], NOON)
    assert [(step.label, step.state) for step in steps] == [
        ("Runs open", "done"), ("Runs close", "now"), ("Scores released", ""),
    ]  # fmt: skip
    assert (steps[1].aoe, steps[1].utc) == ("Tue 1 Dec 2026, 00:00", "Tue 1 Dec 2026, 12:00")
    assert {step.tasks for step in steps} == {""}


def test_dates_of_some_tasks_name_them():
    first = make.TaskFactory(title="One", closes=NOON)
    campaign = first.campaign
    second = make.TaskFactory(campaign=campaign, title="Two", closes=NOON + timedelta(days=1))
    third = make.TaskFactory(campaign=campaign, title="Three", closes=NOON + timedelta(days=1))
    steps = timeline([first, second, third], NOON)
    assert [step.tasks for step in steps] == ["One", "Two, Three"]


def test_switches_that_are_always_on_are_no_dates():
    assert timeline([make.TaskFactory()], NOON) == []


def test_results_show_the_first_of_each_open_board(client, world):
    closed = make.TaskFactory(campaign=world.campaign, title="Held back", scores_from=None)
    fill_board(closed)
    html = results(page(client, world.campaign))
    assert "tag-0" in html
    assert "tag-1" not in html
    assert ".6000" in html
    assert ".5000 to .7000" in html
    assert re.search(r"Held back</th><td[^>]+>Withheld<", html)
    assert html.count("tag-0") == 1


def test_results_withhold_team_names(client, world):
    world.task.team_names_from = None
    world.task.save()
    html = page(client, world.campaign)
    assert world.rows[0].team.name not in html
    assert "withheld" in results(html)


def test_results_leave_out_what_is_withdrawn(client, world):
    run = world.rows[0].run
    run.withdrawn_at = timezone.now()
    run.save()
    assert results(page(client, world.campaign)) == ""


def test_hostile_tag_is_harmless_in_the_results(client, world):
    run = world.rows[0].run
    run.tag = "<script>x</script>"
    run.save()
    assert "&lt;script&gt;x" in results(page(client, world.campaign))


@pytest.mark.parametrize("tasks", [1, 4])
def test_queries_of_a_campaign_do_not_grow(client, world, tasks, django_assert_num_queries):
    for _ in range(tasks):
        fill_board(make.TaskFactory(campaign=world.campaign))
    with django_assert_num_queries(5):  # campaign, tasks, first rows, columns, teams
        page(client, world.campaign)
