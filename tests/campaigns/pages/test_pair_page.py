"""The pair page: effects with reasons, withheld scores, a failed comparison."""

import pytest
from django.urls import reverse

from campaigns import recipes
from campaigns.models import Effect, JobKind, JobState, Pair, Queue, Run, RunState
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import recipe_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(pair_world):
    found = pair_world.rows[0].pair
    qrels = pair_world.board.qrels
    for measure, ratio in (("AP", 1.0334), ("nDCG@10", None)):
        Effect.objects.create(
            pair=found, qrels=qrels, original_qrels=qrels, effect_ratio=ratio,
            recipe=recipe_row(recipes.effect_recipe(found.task, measure)),
            relative_improvement_original=0.1529, relative_improvement_submitted=0.1609,
            delta_ri=None if ratio is None else -0.0081, region=None if ratio is None else 4,
            distance=None if ratio is None else 0.0344, original_effect=0.0567,
            submitted_effect=0.0586, original_effect_p=0.00001, p_baseline=0.5519, p_advanced=None,
            reasons={} if ratio else {"effect_ratio": "the original effect is 0"},
            warnings=[{"kind": "original_effect_unclear", "text": "ER is a ratio to <noise>."}],
        )  # fmt: skip
    return found


def page(client, pair) -> str:
    response = client.get(reverse("pages:pair", args=[pair.pk]))
    assert response.status_code == 200
    return response.content.decode()


def test_effects_stand_with_the_words_of_the_paper(client, pair):
    html = page(client, pair)
    for text in ("1.033", "\u22120.008", "+0.153", "+.0567", "&lt;.0001", ".5519", "0.034"):
        assert f">{text}</td>" in html
    assert "Region 4, larger effect" in html
    assert "somewhat successful in both" in html
    assert "replicability in CENTRE" in html


def test_undefined_effect_has_its_reason_and_no_region(client, pair):
    html = page(client, pair)
    assert 'title="the original effect is 0">–' in html
    assert "In no region" in html
    assert "0.000" not in html


def test_warnings_are_escaped(client, pair):
    assert "ER is a ratio to &lt;noise&gt;." in page(client, pair)


def test_closed_scores_show_no_effect(client, logged_in, pair):
    pair.task.own_scores_from = pair.task.scores_from = None
    pair.task.save()
    assert client.get(reverse("pages:pair", args=[pair.pk])).status_code == 404
    html = page(logged_in(make.member_of(pair.team)), pair)
    assert "Scores of this task are withheld" in html
    for secret in ("1.033", "Region 4", "Measure passport", "noise"):
        assert secret not in html
    assert "1.033" in page(logged_in(make.organizer_of(pair.task.campaign)), pair)


def test_failed_comparison_shows_its_reason_to_the_team(client, logged_in, pair):
    make.JobFactory(
        run=None, pair=pair, kind=JobKind.COMPARE, state=JobState.FAILED, queue=Queue.SCORING,
        subject=f"pair:{pair.pk}", reason="The store was out of reach.",
    )  # fmt: skip
    assert "The store was out of reach." in page(logged_in(make.member_of(pair.team)), pair)
    assert "The store was out of reach." not in page(client, pair)


def test_queries_of_a_pair_page_are_few(client, pair, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        page(client, pair)


@pytest.mark.parametrize(
    ("state", "job", "seconds"),
    [
        (RunState.CHECKING, JobState.DORMANT, 2),
        (RunState.ACCEPTED, JobState.DORMANT, 30),
        (RunState.SCORED, JobState.WAITING, 2),
        (RunState.SCORED, JobState.DORMANT, None),
    ],
)
def test_page_looks_again_until_the_pair_is_compared(client, logged_in, pair, state, job, seconds):
    make.JobFactory(
        run=None, pair=pair, kind=JobKind.COMPARE, state=job, queue=Queue.SCORING,
        subject=f"pair:{pair.pk}",
    )  # fmt: skip
    Run.objects.filter(pk__in=[pair.baseline_id, pair.advanced_id]).update(state=state)
    html = page(logged_in(make.member_of(pair.team)), pair)
    assert (f'hx-trigger="every {seconds}s"' in html) == (seconds is not None)
    assert ("hx-trigger" in html) == (seconds is not None)


def test_live_part_is_sent_only_when_it_changed(logged_in, pair):
    Run.objects.filter(pk=pair.baseline_id).update(state=RunState.CHECKING)
    client = logged_in(make.member_of(pair.team))
    seen = page(client, pair).partition("?seen=")[2].partition('"')[0]
    address = reverse("pages:pair-live", args=[pair.pk])
    assert client.get(address, {"seen": seen}).status_code == 204
    Run.objects.filter(pk=pair.baseline_id).update(state=RunState.REJECTED)
    response = client.get(address, {"seen": seen})
    assert response.status_code == 200
    assert "Not accepted" in response.content.decode()


def test_pair_goes_by_its_files_until_the_tags_are_known(client, logged_in, pair):
    Pair.objects.filter(pk=pair.pk).update(title="")
    Run.objects.filter(pk__in=[pair.baseline_id, pair.advanced_id]).update(
        tag="", state=RunState.CHECKING
    )
    html = page(logged_in(make.member_of(pair.team)), pair)
    assert "<title>Pair run.txt / run.txt · Centreboard</title>" in html
    assert str(pair.baseline_id) not in html.partition('id="live"')[0]


def test_run_without_tag_and_file_is_named_by_its_title_wherever_runs_are_listed(client, pair):
    Run.objects.filter(pk=pair.baseline_id).update(
        tag="", title="Published scores", file=None, is_scores_only=True
    )
    assert "Published scores</a>" in page(client, pair)
    client.force_login(make.member_of(pair.team))
    team = reverse("participants:team", args=[pair.task.campaign.slug, pair.team.slug])
    for path in (reverse("pages:my-runs"), team, "/"):
        assert "Published scores" in client.get(path).content.decode(), path
    client.force_login(make.organizer_of(pair.task.campaign))
    path = reverse("organize:runs", args=[pair.task.campaign.slug])
    assert "Published scores" in client.get(path).content.decode()


def originals_file(pair, role, text_sha256):
    original = pair.original.runs.get(role=role, origin="original")
    Run.objects.filter(pk=original.pk).update(text_sha256=text_sha256)


def told(client, pair):
    return client.get(reverse("api-pair", args=[pair.pk])).json()["remarks"]


def test_originals_own_file_is_taken_and_said(client, pair):
    assert told(client, pair) == []
    Run.objects.filter(pk=pair.baseline_id).update(text_sha256="a" * 64)
    originals_file(pair, "baseline", "a" * 64)
    said = "The baseline run is the original’s own baseline file: nothing was reproduced."
    assert told(client, pair) == [said]
    assert said in page(client, pair)


def test_swapped_files_and_effects_the_other_way_round_are_said(client, pair):
    Effect.objects.filter(pair=pair).update(effect_ratio=-0.5)
    said = "Every effect is the other way round: baseline and advanced run may be swapped."
    assert told(client, pair) == [said]
    Run.objects.filter(pk=pair.baseline_id).update(text_sha256="b" * 64)
    originals_file(pair, "advanced", "b" * 64)
    said = "The baseline run is the original’s advanced file: the two may be swapped."
    assert told(client, pair) == [said]
    assert said in page(client, pair)
    # Whoever may not see scores is told nothing: the team itself, while they are withheld.
    pair.task.scores_from = pair.task.own_scores_from = None
    pair.task.save()
    client.force_login(make.member_of(pair.team))
    assert told(client, pair) == []
    assert "Look twice" not in page(client, pair)
