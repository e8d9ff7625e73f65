"""The search finds what the viewer may see, and nothing else."""

import re
import struct
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone

from campaigns import policies
from campaigns.models import Team
from campaigns.services.searching import search, visible_teams
from tests.campaigns import factories as make
from tests.campaigns.participants.conftest import viewer

pytestmark = pytest.mark.django_db


def names(found):
    return (
        [one.title for one in found.campaigns],
        [one.title for one in found.tasks],
        [one.name for one in found.teams],
        [one.tag for one in found.runs],
    )


def test_all_words_must_stand_somewhere():
    task = make.TaskFactory(title="Persian ad hoc", campaign__title="News 2026")
    make.TaskFactory(title="Persian reranking", campaign__title="Other")
    make.TeamFactory(campaign=task.campaign, name="Persian Cats", affiliation="House of hoc")
    make.RunFactory(task=task, tag="persian-hoc-1")
    assert names(search(viewer(None), "  HOC\tpersian ")) == (
        [], ["Persian ad hoc"], ["Persian Cats"], ["persian-hoc-1"],
    )  # fmt: skip
    assert names(search(viewer(None), "news 2026"))[0] == ["News 2026"]


def test_hidden_things_are_found_only_by_those_who_see_them():
    later = timezone.now() + timedelta(days=1)
    task = make.TaskFactory(
        title="hidden task", campaign__title="hidden campaign", campaign__is_public=False,
        scores_from=later, team_names_from=later,
    )  # fmt: skip
    run = make.RunFactory(task=task, tag="hidden-run", team__name="hidden team")
    other = make.member_of(make.TeamFactory(campaign=task.campaign))
    everything = (["hidden campaign"], ["hidden task"], ["hidden team"], ["hidden-run"])
    assert names(search(viewer(None), "hidden")) == ([], [], [], [])
    assert names(search(viewer(make.UserFactory()), "hidden")) == ([], [], [], [])
    assert names(search(viewer(other), "hidden")) == (*everything[:2], [], [])
    assert names(search(viewer(make.member_of(run.team)), "hidden")) == everything
    assert names(search(viewer(make.organizer_of(task.campaign)), "hidden")) == everything
    assert names(search(viewer(make.UserFactory(is_superuser=True)), "hidden")) == everything


def test_teams_found_are_those_whose_names_the_policy_shows():
    tasks = [
        make.TaskFactory(),
        make.TaskFactory(team_names_from=None),
        make.TaskFactory(team_names_from=timezone.now() + timedelta(days=1)),
        make.TaskFactory(campaign__is_public=False),
    ]
    make.TaskFactory(campaign=tasks[0].campaign, team_names_from=None, deleted_at=timezone.now())
    teams = [make.TeamFactory(campaign=task.campaign) for task in tasks for _ in range(2)]
    make.TeamFactory(campaign=tasks[0].campaign, deleted_at=timezone.now())
    people = [
        None, make.UserFactory(), make.UserFactory(is_superuser=True),
        *(make.member_of(team) for team in teams), make.organizer_of(tasks[1].campaign),
    ]  # fmt: skip
    for person in people:
        by_rule = {
            team.pk
            for team in Team.objects.filter(deleted_at__isnull=True)
            if policies.may_see_campaign(viewer(person), team.campaign)
            and all(
                policies.may_see_team_name(viewer(person), task, team.pk)
                for task in team.campaign.tasks.filter(deleted_at__isnull=True)
            )
        }
        assert {team.pk for team in visible_teams(viewer(person))} == by_rule


@pytest.mark.parametrize(
    "text",
    ["%", "%%%", "a' OR 1=1 --", "\x00\x00ab", "<script>alert(1)</script>", "\\", "__", "🚀🚀",
     "x" * 5000, " ".join("ab" for _ in range(500)), "مرحبا", "\u202eabc", "${7*7}{{7*7}}"],
)  # fmt: skip
def test_hostile_text_is_harmless(client, text):
    make.RunFactory(tag="ordinary")
    response = client.get("/search/", {"q": text})
    assert response.status_code == 200
    html = response.content.decode()
    assert "<script>alert" not in html
    assert "ordinary" not in html


def test_signs_of_patterns_stand_for_themselves():
    make.TaskFactory(title="100% recall")
    make.TaskFactory(title="100 recall")
    assert names(search(viewer(None), "100%"))[1] == ["100% recall"]


def test_one_letter_finds_nothing_and_says_so(client):
    make.TaskFactory(title="a")
    assert "at least two letters" in client.get("/search/?q=a").content.decode()
    assert "<h1>Search</h1>" in client.get("/search/").content.decode()


@pytest.mark.parametrize("rows", [1, 15])
def test_queries_do_not_grow(client, rows, django_assert_num_queries):
    for number in range(rows):
        make.RunFactory(tag=f"common-{number}", team__name="common", task__title="common")
    with django_assert_num_queries(4):
        client.get("/search/?q=common")


def test_fixed_addresses_of_programs(client):
    robots = client.get("/robots.txt").content.decode()
    assert "Disallow: /search/" in robots
    assert "Disallow: /campaigns" not in robots
    assert client.get("/favicon.ico").url == "/static/img/mark.svg"


def test_pages_say_what_they_are(client):
    task = make.TaskFactory(title='Odd "title" <b>', summary="What it <asks>.")
    path = f"/campaigns/{task.campaign.slug}/tasks/{task.slug}/"
    html = client.get(f"{path}?sort=AP").content.decode()
    title = f"Odd &quot;title&quot; &lt;b&gt;, {task.campaign.title}"
    assert f"<title>{title} · Centreboard</title>" in html
    assert f'<meta property="og:title" content="{title}">' in html
    assert '<meta name="description" content="What it &lt;asks&gt;.">' in html
    assert f'<link rel="canonical" href="http://testserver{path}">' in html
    assert f'<meta property="og:url" content="http://testserver{path}">' in html


def test_links_to_pages_come_with_a_picture_that_is_there(client):
    html = client.get("/").content.decode()
    address = re.search(
        r'<meta property="og:image" content="http://testserver/static/([^"]+)">', html
    )
    assert address is not None
    picture = Path(finders.find(address[1])).read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert (picture[:8], width, height) == (b"\x89PNG\r\n\x1a\n", 1200, 630)
    assert f'<meta property="og:image:width" content="{width}">' in html
    assert f'<meta property="og:image:height" content="{height}">' in html
