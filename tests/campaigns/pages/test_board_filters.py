"""Filters, columns, kept boards and ETags of a task page."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.policies import Viewer
from tests.campaigns import factories as make
from tests.campaigns.pages.test_task_page import page, rows_of, tags_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_here")]

FIELDS = [
    {"name": "topic_form", "type": "choice", "choices": ["title", "a&b"], "public": True,
     "label": "Topic form"},
    {"name": "monolingual", "type": "flag", "public": True},
    {"name": "contains", "type": "choice", "choices": ["x"], "public": True},
    {"name": "secret", "type": "choice", "choices": ["hidden-word"], "public": False},
]  # fmt: skip


@pytest.fixture
def told(world):
    """The board whose runs tell of themselves."""
    world.task.fields = FIELDS
    world.task.save()
    answers = [
        {"topic_form": "title", "monolingual": True, "secret": "hidden-word"},
        {"topic_form": "a&b", "monolingual": False},
        {"topic_form": "title", "contains": "x"},
        {},
    ]
    for row, metadata in zip(world.rows, answers, strict=True):
        row.run.metadata = metadata
        row.run.save()
    return world


def tags(client, world, query):
    return tags_of(page(client, world, query))


def test_board_narrows_to_a_run_type(client, world):
    world.rows[1].run.run_type = "manual"
    world.rows[1].run.save()
    assert tags(client, world, "?type=manual") == ["tag-1"]
    assert tags(client, world, "?type=automatic") == ["tag-0", "tag-2", "tag-3"]
    assert len(tags(client, world, "?type=unheard-of")) == 4


def test_board_narrows_to_a_team_and_keeps_the_ranks(client, world):
    html = page(client, world, f"?team={world.rows[1].team.slug}")
    assert tags_of(html) == ["tag-1"]
    assert "<td>2<" in rows_of(html)[0]
    assert "1 run left; ranks are those of the whole board" in html


def test_withheld_team_is_no_filter(client, logged_in, world):
    world.task.team_names_from = None
    world.task.save()
    slug = world.rows[1].team.slug
    html = page(client, world, f"?team={slug}")
    assert len(tags_of(html)) == 4
    assert world.rows[1].team.name not in html
    assert f'value="{slug}"' not in html
    organizer = logged_in(make.organizer_of(world.campaign))
    assert tags(organizer, world, f"?team={slug}") == ["tag-1"]


def test_board_narrows_to_values_of_public_fields(client, told):
    assert tags(client, told, "?f.topic_form=title") == ["tag-0", "tag-2"]
    assert tags(client, told, "?f.topic_form=a%26b") == ["tag-1"]
    assert tags(client, told, "?f.monolingual=true") == ["tag-0"]
    assert tags(client, told, "?f.monolingual=false") == ["tag-1"]
    assert tags(client, told, "?f.contains=x&f.topic_form=title") == ["tag-2"]


def test_fields_that_are_not_public_neither_show_nor_filter(client, told):
    html = page(client, told, "?f.secret=hidden-word")
    assert len(tags_of(html)) == 4
    assert ">hidden-word<" not in html
    assert "Secret" not in html


def test_public_fields_stand_beside_the_team_and_as_badges(client, told):
    rows = rows_of(page(client, told))
    assert ", title" in rows[0]
    assert '<span class="badge soft">monolingual</span>' in rows[0]
    assert ", a&amp;b" in rows[1]
    assert "monolingual" not in rows[1]


def test_one_run_per_team_keeps_baselines(client, world):
    for position, is_best in enumerate((True, False, False, False)):
        world.rows[position].is_best_of_team = is_best
        world.rows[position].save()
    team = world.rows[2].team
    team.is_organizers = True
    team.save()
    assert tags(client, world, "?best=1") == ["tag-0", "tag-2"]


def test_filters_that_leave_nothing_say_so(client, world):
    html = page(client, world, "?type=manual")
    assert "No run is left" in html
    assert "Take the filters away" in html


def test_filters_are_folded_until_one_is_on(client, world):
    assert '<details class="fold"><summary' in page(client, world)
    assert '<details class="fold" open><summary' in page(client, world, "?type=manual")


def test_sorting_keeps_the_filters_and_the_form_keeps_the_order(client, told):
    html = page(client, told, "?f.topic_form=title&sort=AP&dir=reverse")
    assert tags_of(html) == ["tag-0", "tag-2"]
    assert 'href="?f.topic_form=title&amp;sort=nDCG%4010#board"' in html
    assert '<input type="hidden" name="sort" value="AP">' in html
    assert '<input type="hidden" name="dir" value="reverse">' in html
    assert '<option value="title" selected>' in html


def test_columns_are_picked(client, pair_world):
    html = page(client, pair_world, "?show=baseline:kendall_tau_union")
    assert ">KTU b′</a>" in html
    assert ">ER AP</a>" not in html
    assert "RMSE, mean of both runs, AP</a>" in html  # the ranking one always stands there


def test_swap_answers_with_the_part_alone_and_announces_it(client, world):
    response = client.get(world.url + "?sort=AP", headers={"HX-Request": "true",
                                                           "HX-Target": "board-part"})  # fmt: skip
    html = response.content.decode()
    assert html.startswith('<div id="board-part"')
    assert "4 runs, sorted by AP." in html
    assert "<html" not in html
    assert "HX-Target" in response["Vary"]


def test_reader_who_has_the_page_gets_not_modified(client, world):
    first = client.get(world.url)
    again = client.get(world.url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    world.board.version = 2
    world.board.save()
    changed = client.get(world.url, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_kept_board_is_not_shown_to_others(client, logged_in, world):
    world.task.scores_from = None
    world.task.save()
    organizer = logged_in(make.organizer_of(world.campaign))
    response = organizer.get(world.url)
    assert ".6000" in response.content.decode()
    assert "private" in response["Cache-Control"]
    assert ".6000" not in page(client, world)


def test_kept_board_ends_when_a_date_passes(client, world, monkeypatch):
    switch = timezone.now() + timedelta(seconds=3000)
    world.task.team_names_from = switch
    world.task.save()
    name = world.rows[0].team.name
    assert name not in page(client, world)
    monkeypatch.setattr("campaigns.views.task.viewer_of", lambda _: Viewer(None, switch))
    assert name in page(client, world)


def test_kept_board_forgets_what_is_taken_away_or_renamed(client, world):
    page(client, world)
    team = world.rows[0].team
    team.name = "A new name"
    team.save()
    assert "A new name" in page(client, world)
    run = world.rows[0].run
    run.withdrawn_at = timezone.now()
    run.save()
    assert "tag-0" not in tags_of(page(client, world))


def test_board_says_that_runs_are_being_scored_again(client, world):
    assert "being scored again" not in page(client, world)
    make.BoardFactory(task=world.task, slug=world.board.slug, number=2, state="filling")
    assert "being scored again" in page(client, world)


def test_disqualified_run_stands_last_with_its_reason(client, world):
    row = world.rows[3]
    row.reason = "Disqualified: used the judgments <of> the task"
    row.save()
    rows = rows_of(page(client, world))
    assert "Disqualified: used the judgments &lt;of&gt; the task" in rows[3]


@pytest.mark.parametrize("form", ["csv", "tex", "json"])
def test_board_leads_to_its_exports(client, world, form):
    address = re.search(rf'href="([^"]+format={form})"', page(client, world))[1]
    response = client.get(address.replace("&amp;", "&"))
    assert response.status_code == 200
    assert b"tag-0" in response.content.replace(b"\\", b"")
