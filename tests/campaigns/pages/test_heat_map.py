"""Runs by topics below a board."""

import re

import pytest
from django.template.loader import render_to_string

from campaigns import recipes
from campaigns.models import Evaluation
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import recipe_row
from tests.campaigns.pages.test_task_page import page

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored(world):
    """Two runs with scores by topic: the second topic is the easier one."""
    order = world.board.qrels.topic_order
    assert len(order.topics) == 2
    for row, values in zip(world.rows, [(0.25, 1.0), (0.0, 0.5)], strict=False):
        Evaluation.objects.create(
            run=row.run, qrels=world.board.qrels, mean=sum(values) / 2, topics_averaged=2,
            recipe=recipe_row(recipes.evaluation_recipe(world.task, "nDCG@10")),
            topic_order=order, topic_values=make.packed(*values),
        )  # fmt: skip
    return world


def heat_of(html):
    return html.partition('<table class="t heat">')[2].partition("</table>")[0]


def test_heat_map_goes_from_easy_to_hard_with_shades_by_value(client, scored):
    heat = heat_of(page(client, scored))
    first, second = scored.board.qrels.topic_order.topics
    assert re.findall(r'<th scope="col">([^<]+)</th>', heat) == [second, first]
    cells = re.findall(r'<td class="(q\d)">(\d+)</td>', heat)
    assert cells == [("q5", "100"), ("q1", "25"), ("q3", "50"), ("q0", "0")]


@pytest.mark.parametrize(
    ("topics", "css"), [(60, "t heat"), (61, "t heat many"), (111, "t heat many crowd")]
)
def test_heat_map_says_how_crowded_it_is_so_that_it_fits_a_sheet(topics, css):
    heat = {"topics": [str(one) for one in range(topics)], "rows": ""}
    assert f'<table class="{css}">' in render_to_string("parts/heat_map.html", {"heat": heat})


def test_topic_without_relevant_documents_is_hatched(client, scored):
    qrels = scored.board.qrels
    qrels.topics_without_relevant = [qrels.topic_order.topics[0]]
    qrels.save()
    heat = heat_of(page(client, scored))
    assert heat.count('<td class="qx">') == 2
    assert '<td class="q1">25' not in heat


def test_heat_map_stays_closed_until_the_switch_of_topic_scores(client, logged_in, scored):
    scored.task.topic_scores_from = None
    scored.task.save()
    assert heat_of(page(client, scored)) == ""
    member = logged_in(make.member_of(scored.rows[0].team))
    assert heat_of(page(member, scored)) == ""
    organizer = logged_in(make.organizer_of(scored.campaign))
    assert 'class="q5"' in heat_of(page(organizer, scored))


def test_hostile_tag_is_harmless_in_the_heat_map(client, scored):
    run = scored.rows[0].run
    run.tag = "<img src=x>\"'"
    run.save()
    heat = heat_of(page(client, scored))
    assert "&lt;img src=x&gt;&quot;&#x27;" in heat
    assert "<img" not in heat
