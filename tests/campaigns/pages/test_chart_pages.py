"""Charts on pages: who sees them, what they hold, that hostile names stay names."""

import json
import re
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import recipes
from campaigns.models import Effect, Evaluation, RunState
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_board, fill_pairs, recipe_row

pytestmark = pytest.mark.django_db

HOSTILE = "</script><img src=x onerror=alert(1)>“\"'&ראש😀"
EFFECTS = {  # measure -> one (ER, ΔRI, p of the original effect) a pair
    "AP": [(1.4, -0.02, 0.001), (0.9, 0.05, 0.001), (None, 0.1, 0.001)],
    "nDCG@10": [(1.0, -0.01, 0.21), (0.8, 0.04, 0.21), (0.5, -5.5, 0.21)],
}


def add_effects(world):
    for measure, values in EFFECTS.items():
        for row, (ratio, delta, p) in zip(world.rows, values, strict=True):
            Effect.objects.create(
                pair=row.pair, qrels=world.board.qrels, original_qrels=world.board.qrels,
                recipe=recipe_row(recipes.effect_recipe(world.task, measure)),
                effect_ratio=ratio, delta_ri=delta, region=None if ratio is None else 4,
                distance=None if ratio is None else 0.5,
                relative_improvement_original=0.2, relative_improvement_submitted=0.2 - delta,
                original_effect_p=p,
                reasons={"effect_ratio": "the original effect is 0"} if ratio is None else {},
            )  # fmt: skip


@pytest.fixture(autouse=True)
def kept(settings):
    """A cache that keeps things, empty at the start."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def charted(pair_world):
    add_effects(pair_world)
    return pair_world


def page(client, url):
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def payload(html, name="chart-data"):
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', html)
    return json.loads(found[1]) if found else None


def test_board_has_its_chart_with_the_points_of_its_pairs(client, charted):
    html = page(client, charted.url)
    points = payload(html)["points"]
    assert [(one["name"], one["measure"], one["at"]) for one in points] == [
        ("pair-0", "AP", [1.4, -0.02]),
        ("pair-1", "AP", [0.9, 0.05]),
        ("pair-2", "AP", None),
        ("pair-0", "nDCG@10", [1.0, -0.01]),
        ("pair-1", "nDCG@10", [0.8, 0.04]),
        ("pair-2", "nDCG@10", [0.5, -5.5]),
    ]
    card = dict(points[0]["card"])
    assert card["ER"] == "1.400"
    assert card["ΔRI"] == "−0.020"
    assert card["RI original"] == "+0.200"
    assert card["Region"] == "4"
    assert card["RMSE b′ / a′"] == ".1200 / –"
    assert "js/charts.js" in html
    assert "plotly/plotly.min.js" in html
    assert "<strong>" in html


def test_each_team_has_its_own_family_though_they_share_a_word(client, charted):
    families = [one["family"] for one in payload(page(client, charted.url))["points"][:3]]
    assert sorted(families) == ["tf", "tf (2)", "tf (3)"]


def test_undefined_points_are_listed_with_their_reason(client, charted):
    html = page(client, charted.url)
    listed = html[html.index('id="undefined"') : html.index('id="chart-table"')]
    assert "pair-2" in listed
    assert "the original effect is 0" in listed
    assert listed.count("<tr>") == 2  # the head and one point


def test_unclear_original_effect_is_a_warning_and_a_note(client, charted):
    html = page(client, charted.url)
    assert "By nDCG@10 the original effect cannot be told from 0" in html
    notes = {one["measure"]: one["note"] for one in payload(html)["points"]}
    assert notes == {"AP": "", "nDCG@10": "Original effect unclear: p = .2100"}


def test_table_holds_every_point(client, charted):
    html = page(client, charted.url)
    table = html[html.index("effect-table") :]
    assert re.findall(r'<tr data-point="(\d)">', table) == list("012345")
    assert "−5.500" in table


def test_closed_scores_have_no_chart_and_no_data(client, logged_in, charted):
    task = charted.task
    task.scores_from = timezone.now() + timedelta(days=1)
    task.save()
    member = logged_in(make.member_of(charted.rows[0].pair.team))
    for viewer in (client, member):
        html = page(viewer, charted.url)
        assert payload(html) is None
        assert "charts.js" not in html
        assert payload(page(viewer, "/"), "small-chart-data") is None
    organizer = logged_in(make.organizer_of(charted.campaign))
    assert payload(page(organizer, charted.url)) is not None
    assert payload(page(client, charted.url)) is None  # what was kept is for organizers


def test_chart_comes_when_its_date_has_passed_without_any_write(client, charted):
    task = charted.task
    task.scores_from = timezone.now() + timedelta(hours=1)
    task.save()
    assert payload(page(client, charted.url)) is None
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        assert payload(page(client, charted.url)) is not None


def test_withdrawn_pair_leaves_the_chart_at_once(client, charted):
    assert len(payload(page(client, charted.url))["points"]) == 6
    run = charted.rows[0].pair.baseline
    run.withdrawn_at = timezone.now()
    run.save()
    assert {one["name"] for one in payload(page(client, charted.url))["points"]} == {
        "pair-1", "pair-2",
    }  # fmt: skip


def test_hostile_names_stay_names(client, charted):
    pair = charted.rows[0].pair
    pair.title, pair.family = HOSTILE, HOSTILE
    pair.save()
    html = page(client, charted.url)
    assert "<img src=x" not in html
    found = payload(html)
    assert found["points"][0]["name"] == HOSTILE
    assert found["points"][0]["family"] == HOSTILE
    assert "<" not in "".join(text for text in found["data"][0]["text"] if text)


def test_second_look_asks_for_no_effects(client, charted, django_assert_num_queries):
    page(client, charted.url)
    # task, boards, teams, what has gone since
    with django_assert_num_queries(4):
        page(client, charted.url)
    with CaptureQueriesContext(connection) as asked:
        page(client, charted.url + "?sort=order")
    assert not [one for one in asked if "campaigns_effect" in one["sql"]]


def test_new_version_of_the_board_makes_a_new_chart(client, charted):
    page(client, charted.url)
    Effect.objects.filter(pair=charted.rows[0].pair).update(effect_ratio=1.25)
    board = charted.board
    board.rows.update(version=2)
    board.version = 2
    board.save()
    assert payload(page(client, charted.url))["points"][0]["at"] == [1.25, -0.02]


def test_board_of_runs_has_no_chart(client, world):
    html = page(client, world.url)
    assert "plotly" not in html


def test_first_page_shows_one_board_and_the_way_to_it(client, charted):
    html = page(client, "/")
    found = payload(html, "small-chart-data")
    assert {one["measure"] for one in found["points"]} == {"AP", "nDCG@10"}
    assert "3 reproductions of" in html
    assert f'href="{charted.url}?board={charted.board.slug}#effect"' in html


def test_first_page_prefers_real_boards_to_examples(client, charted):
    charted.campaign.is_example = True
    charted.campaign.save()
    assert "(example data)" in page(client, "/")
    task = make.TaskFactory(same_collection=True, measures=["AP", "nDCG@10"], primary="AP")
    add_effects(fill_pairs(task, make.original_pair(task, title="A real one")))
    html = page(client, "/")
    assert "reproductions of A real one" in html
    assert "(example data)" not in html


def test_first_page_keeps_private_boards_to_their_people(client, logged_in, charted):
    charted.campaign.is_public = False
    charted.campaign.save()
    assert "small-chart" not in page(client, "/")
    assert "small-chart" in page(logged_in(make.organizer_of(charted.campaign)), "/")


def scored(task, board, values, **columns):
    run = make.RunFactory(task=task, state=RunState.SCORED, **columns)
    for measure in task.measures:
        Evaluation.objects.create(
            run=run, qrels=board.qrels, mean=sum(values) / len(values),
            recipe=recipe_row(recipes.evaluation_recipe(task, measure)),
            topics_averaged=len(values), topic_order=board.qrels.topic_order,
            topic_values=make.packed(*values),
        )  # fmt: skip
    return run


def bars_of(client, run, query=""):
    return payload(page(client, reverse("pages:run", args=[run.pk]) + query), "topic-data")


def test_bars_are_differences_from_the_best_baseline(client, world):
    own = scored(world.task, world.board, (0.75, 0.25))
    for values, tag in (((0.5, 0.5), "bm25"), ((0.25, 0.5), "weak")):
        team = make.TeamFactory(campaign=world.campaign, is_organizers=True)
        scored(world.task, world.board, values, team=team, tag=tag)
    html = page(client, reverse("pages:run", args=[own.pk]))
    found = payload(html, "topic-data")
    assert found["data"][0]["y"] == [0.25, -0.25]
    assert [one["name"] for one in found["points"]] == ["Topic 101", "Topic 102"]
    assert found["points"][1]["card"] == [
        ["This run", ".2500"], ["Reference", ".5000"], ["Difference", "−.2500"],
    ]  # fmt: skip
    assert "This run minus the best baseline, bm25" in html
    assert "It gains on 1 topic and loses on 1." in html


def test_bars_are_scores_where_nothing_is_there_to_compare(client, world):
    own = scored(world.task, world.board, (0.25, 0.75))
    found = bars_of(client, own)
    assert found["data"][0]["y"] == [0.75, 0.25]
    assert found["points"][0]["card"] == [["This run", ".7500"]]


def test_topic_without_a_value_has_no_bar_but_is_named(client, world):
    own = scored(world.task, world.board, (0.25, 0.75))
    Evaluation.objects.filter(run=own).update(topic_values=make.packed(float("nan"), 0.75))
    html = page(client, reverse("pages:run", args=[own.pk]))
    assert payload(html, "topic-data")["data"][0]["y"] == [0.75]
    assert "Without a value: topic 101." in html


def test_measure_of_the_bars_is_chosen_by_a_link(client, world):
    own = scored(world.task, world.board, (0.25, 0.75))
    html = page(client, reverse("pages:run", args=[own.pk]) + "?measure=AP")
    assert payload(html, "topic-data")["points"][0]["measure"] == "AP"
    assert '?measure=AP#topics" aria-current="true"' in html
    assert bars_of(client, own, "?measure=<script>")["points"][0]["measure"] == "nDCG@10"


def test_bars_of_a_reproduced_run_are_set_against_its_original(client, charted):
    task, original = charted.task, charted.board.original
    board = make.BoardFactory(
        task=task, original=original, slug="runs-x", qrels=charted.board.qrels, number=1
    )
    own = scored(task, board, (0.75, 0.25), original=original, role="baseline")
    source = original.runs.get(role="baseline", origin="original")
    for measure in task.measures:
        Evaluation.objects.create(
            run=source, qrels=board.qrels, mean=0.5, topics_averaged=2,
            recipe=recipe_row(recipes.evaluation_recipe(task, measure)),
            topic_order=board.qrels.topic_order, topic_values=make.packed(0.5, 0.5),
        )  # fmt: skip
    assert bars_of(client, own)["data"][0]["y"] == [0.25, -0.25]


def test_bars_follow_the_switch_of_topic_scores(client, logged_in, world):
    own = scored(world.task, world.board, (0.25, 0.75))
    world.task.topic_scores_from = None
    world.task.save()
    member = logged_in(make.member_of(own.team))
    assert bars_of(client, own) is None
    assert bars_of(member, own) is None
    assert bars_of(logged_in(make.organizer_of(world.campaign)), own) is not None


def test_baseline_whose_scores_are_closed_is_not_used(logged_in, world):
    own = scored(world.task, world.board, (0.75, 0.25))
    team = make.TeamFactory(campaign=world.campaign, is_organizers=True)
    scored(world.task, world.board, (0.5, 0.5), team=team)
    world.task.scores_from = timezone.now() + timedelta(days=1)
    world.task.save()
    member = logged_in(make.member_of(own.team))
    assert bars_of(member, own)["data"][0]["y"] == [0.75, 0.25]


def test_board_with_many_runs_is_not_asked_for_bars(client):
    world = fill_board(make.TaskFactory())
    assert payload(page(client, world.url), "topic-data") is None
