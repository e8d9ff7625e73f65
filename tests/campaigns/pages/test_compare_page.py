"""Two runs of a task side by side."""

import json
import re
from uuid import UUID

import pytest
from django.urls import reverse

from campaigns import recipes
from campaigns.models import Evaluation
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import recipe_row

pytestmark = pytest.mark.django_db

SCORES = [(0.25, 1.0), (0.5, 0.5), (0.125, 0.125)]


@pytest.fixture
def scored(world):
    """Three runs with scores by topic."""
    for row, values in zip(world.rows, SCORES, strict=False):
        for measure in world.task.measures:
            Evaluation.objects.create(
                run=row.run, qrels=world.board.qrels, mean=sum(values) / 2, topics_averaged=2,
                recipe=recipe_row(recipes.evaluation_recipe(world.task, measure)),
                topic_order=world.board.qrels.topic_order, topic_values=make.packed(*values),
            )  # fmt: skip
    return world


def address(world):
    return reverse("pages:compare", args=[world.campaign.slug, world.task.slug])


def page(client, world, a=None, b=None, **more):
    asked = {"a": a.pk if a else "", "b": b.pk if b else "", **more}
    response = client.get(address(world), asked)
    assert response.status_code == 200
    return response.content.decode()


def body(html, number):
    rows = re.findall(r"(?s)<tbody>(.*?)</tbody>", html)[number]
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows.split("</tr>")[:-1]]


def test_scores_stand_side_by_side_with_their_difference(client, scored):
    html = page(client, scored, scored.rows[0].run, scored.rows[1].run)
    assert body(html, 0) == [[".6250", ".5000", "\u2212.1250"]] * 2


def test_topics_go_from_the_greatest_gain_to_the_greatest_loss(client, scored):
    html = page(client, scored, scored.rows[0].run, scored.rows[1].run)
    assert body(html, 1) == [[".2500", ".5000", "+.2500"], ["1.0000", ".5000", "\u2212.5000"]]
    first, second = scored.board.qrels.topic_order.topics
    assert re.search(rf'stick">{first}<.*stick">{second}<', html.partition("Per topic")[2], re.S)
    assert "B is better on 1 topic, worse on 1, equal on 0" in html


def drawn(html):
    found = re.search(r'(?s)<script id="compare-data"[^>]*>(.*?)</script>', html)
    return json.loads(found[1]) if found else None


def test_chart_has_a_bar_for_each_topic_in_the_order_of_the_table(client, scored):
    html = page(client, scored, scored.rows[0].run, scored.rows[1].run)
    chart = drawn(html)
    assert chart["data"][0]["y"] == [0.25, -0.5]
    assert chart["points"][0]["card"] == [["A", ".2500"], ["B", ".5000"], ["B \u2212 A", "+.2500"]]
    words = [one["text"] for one in chart["layout"]["annotations"]]
    assert words == ["Left: topics where B gains", "Right: topics where B loses"]
    assert re.findall(r'<tr data-point="(\d)">', html) == ["0", "1"]


def test_topic_without_a_value_has_a_row_and_no_bar(client, scored):
    Evaluation.objects.filter(run=scored.rows[1].run).update(
        topic_values=make.packed(float("nan"), 0.5)
    )
    html = page(client, scored, scored.rows[0].run, scored.rows[1].run)
    assert drawn(html)["data"][0]["y"] == [-0.5]
    assert len(drawn(html)["points"]) == 1
    assert re.findall(r'<tr data-point="(\d)">', html) == ["0"]
    assert body(html, 1)[1] == [".2500", "–", "–"]


def test_closed_topics_are_not_drawn(client, scored):
    scored.task.topic_scores_from = None
    scored.task.save()
    assert drawn(page(client, scored, scored.rows[0].run, scored.rows[1].run)) is None


def test_form_alone_offers_the_scored_runs(client, scored):
    html = client.get(address(scored)).content.decode()
    assert len(re.findall(r"<option ", html)) == 2 * len(scored.rows)
    assert "<tbody>" not in html


def test_one_run_twice_is_said(client, scored):
    run = scored.rows[0].run
    assert "This is one run twice" in page(client, scored, run, run)


def test_topics_stay_closed_until_their_switch(client, scored):
    scored.task.topic_scores_from = None
    scored.task.save()
    html = page(client, scored, scored.rows[0].run, scored.rows[1].run)
    assert len(re.findall("<tbody>", html)) == 1
    assert "Scores by topic are not released" in html


def test_withheld_scores_are_not_compared(client, logged_in, scored):
    scored.task.scores_from = None
    scored.task.save()
    a, b = scored.rows[0].run, scored.rows[1].run
    assert client.get(address(scored), {"a": a.pk, "b": b.pk}).status_code == 404
    assert "tag-0" not in client.get(address(scored)).content.decode()
    member = logged_in(make.member_of(scored.rows[0].team))
    assert member.get(address(scored), {"a": a.pk, "b": b.pk}).status_code == 404
    organizer = logged_in(make.organizer_of(scored.campaign))
    assert organizer.get(address(scored), {"a": a.pk, "b": b.pk}).status_code == 200


@pytest.mark.parametrize("asked", ["nonsense", str(UUID(int=7)), "\0"])
def test_unknown_run_is_not_found(client, scored, asked):
    assert client.get(address(scored), {"a": asked}).status_code == 404


def test_run_of_another_task_is_not_found(client, scored):
    other = make.RunFactory(state="scored")
    assert client.get(address(scored), {"a": other.pk}).status_code == 404


def test_run_that_is_not_scored_yet_has_a_dash_and_a_reason(client, scored):
    html = page(client, scored, scored.rows[0].run, scored.rows[3].run)
    assert body(html, 0)[0] == [".6250", "–", "–"]
    assert "one of the two is not scored yet" in html


def test_withheld_team_names_and_hostile_tags(client, scored):
    scored.task.team_names_from = None
    scored.task.save()
    run = scored.rows[0].run
    run.tag = "<script>\"'"
    run.save()
    html = page(client, scored, run, scored.rows[1].run)
    assert scored.rows[0].team.name not in html
    assert '<script>"' not in html
    assert "&lt;script&gt;&quot;&#x27;" in html


@pytest.mark.parametrize("count", [2, 12])
def test_queries_do_not_grow_with_the_runs(client, scored, count, django_assert_num_queries):
    for _ in range(count):
        make.RunFactory(task=scored.task, state="scored")
    a, b = scored.rows[0].run, scored.rows[1].run
    with django_assert_num_queries(5):  # task, runs, twice the board, scores
        page(client, scored, a, b)


def test_page_without_a_choice_says_what_to_do(client, scored):
    first, second = scored.rows[0].run, scored.rows[1].run
    assert "Choose two runs" in page(client, scored)
    assert "Choose two runs" not in page(client, scored, first, second)
