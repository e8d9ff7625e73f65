"""All pages: who gets in, what the policy header says, what the web process does not load."""

import subprocess
import sys
from datetime import timedelta

import pytest
from django.test import override_settings
from django.urls import get_resolver, reverse
from django.utils import timezone

from campaigns import urls
from campaigns.models import RunState
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

# What each role gets from each address of a private campaign: visitor, stranger, team, organizer.
TABLE = {
    "home": (200, 200, 200, 200),
    "deadlines": (200, 200, 200, 200),
    "campaign": (404, 404, 200, 200),
    "task": (404, 404, 200, 200),
    "compare": (404, 404, 200, 200),
    "agreement": (404, 404, 200, 200),
    "task-file": (404, 404, 200, 200),
    "submit": (302, 404, 200, 200),
    "my-runs": (302, 200, 200, 200),
    "run": (404, 404, 200, 200),
    "run-live": (404, 404, 200, 200),
    "run-file": (404, 404, 200, 200),
    "run-receipt": (404, 404, 200, 200),
    "run-withdraw": (405, 405, 405, 405),
    "run-retry": (405, 405, 405, 405),
    "pair": (404, 404, 200, 200),
    "pair-live": (404, 404, 200, 200),
}
ROLES = ("visitor", "stranger", "team", "organizer")


@pytest.fixture
def site(logged_in, client):
    task = make.TaskFactory(same_collection=True, campaign__is_public=False)
    task.collection.has_topic_file = True
    task.collection.save()
    pair = make.PairFactory(original=make.OriginalFactory(task=task))
    campaign = task.campaign
    people = {
        "visitor": client,
        "stranger": logged_in(make.UserFactory()),
        "team": logged_in(make.member_of(pair.team)),
        "organizer": logged_in(make.organizer_of(campaign)),
    }
    arguments = {
        "home": [], "deadlines": [], "my-runs": [], "campaign": [campaign.slug],
        "task": [campaign.slug, task.slug], "compare": [campaign.slug, task.slug],
        "agreement": [campaign.slug, task.slug],
        "task-file": [campaign.slug, task.slug, "topics.tsv"],
        "submit": [campaign.slug, task.slug],
        "pair": [pair.pk],
        "pair-live": [pair.pk],
    }  # fmt: skip

    def get(role, name):
        return people[role].get(
            reverse(f"pages:{name}", args=arguments.get(name, [pair.baseline.pk]))
        )

    return get


def test_every_address_stands_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_strangers_do_not_learn_what_a_private_campaign_holds(site, name):
    assert tuple(site(role, name).status_code for role in ROLES) == TABLE[name]


@pytest.mark.parametrize("name", [name for name, got in TABLE.items() if got[2] == 200])
def test_policy_header_allows_nothing_inline(site, name):
    response = site("team", name)
    policy = response["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    if response.streaming or "html" not in response["Content-Type"]:
        return
    html = response.content.decode()
    assert " style=" not in html
    assert "<style" not in html
    assert " onclick=" not in html
    assert "<script>" not in html


@pytest.mark.parametrize("name", [name for name, got in TABLE.items() if got[2] == 200])
def test_pages_are_light(site, name):
    response = site("team", name)
    if not response.streaming:
        assert len(response.content) < 120_000


def test_web_process_loads_no_numpy():
    """In a process of its own: tests beside this one load NumPy themselves."""
    script = (
        "import os, sys, django\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'\n"
        "django.setup()\n"
        "from django.urls import get_resolver\n"
        "get_resolver().url_patterns\n"
        "import config.wsgi\n"
        "from django.template.loader import get_template\n"
        "for name in ('home', 'campaign', 'task', 'run', 'pair', 'submit', 'my_runs'):\n"
        "    get_template(f'pages/{name}.html')\n"
        "print(sorted({'numpy', 'scipy', 'plotly', 'pandas'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_pages_walked_load_no_numpy(site, settings):
    """The same for what a request imports on its way."""
    before = set(sys.modules)
    for name in TABLE:
        for role in ROLES:
            site(role, name)
    loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
    assert not loaded & {"numpy", "scipy", "plotly"}


def test_unknown_page_keeps_the_look(client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()
    assert 'href="/static/css/base.css"' in response.content.decode()


@pytest.mark.parametrize("code", [400, 403, 404, 413, 429, 500])
def test_error_pages_render_without_a_request(code):
    from django.template.loader import render_to_string

    html = render_to_string(f"{code}.html")
    assert f"Error {code}" in html
    assert "See all campaigns" in html


@override_settings(DEBUG=False)
def test_broken_page_shows_no_trace(client, monkeypatch):
    monkeypatch.setattr("campaigns.views.home.visible_campaigns", lambda viewer: 1 / 0)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()
    assert "ZeroDivisionError" not in response.content.decode()


def test_home_sorts_campaigns_by_their_dates(client):
    now = timezone.now()
    for name, dates in {
        "Open one": {"closes": now + timedelta(days=2, hours=1)},
        "Later one": {"opens": now + timedelta(days=3, hours=1)},
        "Old one": {"closes": now - timedelta(days=1)},
    }.items():
        make.TaskFactory(campaign=make.CampaignFactory(title=name), **dates)
    make.TaskFactory(campaign=make.CampaignFactory(title="Secret one", is_public=False))
    html = client.get("/").content.decode()
    places = [html.index(text) for text in (
        "Open now", "Open one", "Upcoming", "Later one", "Closed", "Old one",
    )]  # fmt: skip
    assert places == sorted(places)
    assert "Secret one" not in html
    assert "2 days" in html


def test_campaign_lists_teams_only_where_names_are_open(client, logged_in):
    task = make.TaskFactory(team_names_from=None)
    team = make.TeamFactory(campaign=task.campaign, name="Shy team")
    address = reverse("pages:campaign", args=[task.campaign.slug])
    assert "Shy team" not in client.get(address).content.decode()
    assert "Shy team" in logged_in(make.member_of(team)).get(address).content.decode()
    task.team_names_from = make.ALWAYS
    task.save()
    assert "Shy team" in client.get(address).content.decode()


def test_campaign_counts_listed_runs_and_says_what_is_withheld(client):
    task = make.TaskFactory(scores_from=timezone.now() + timedelta(days=1))
    make.RunFactory(task=task)
    make.RunFactory(task=task, withdrawn_at=timezone.now())
    make.RunFactory(task=task, state=RunState.REJECTED)
    html = client.get(reverse("pages:campaign", args=[task.campaign.slug])).content.decode()
    assert '<td class="n">1</td>' in html
    assert "Withheld to" in html


def test_my_runs_shows_those_of_own_teams_over_campaigns(logged_in):
    first = make.RunFactory(tag="mine-1")
    second = make.RunFactory(tag="mine-2", state=RunState.REJECTED)
    make.RunFactory(tag="not-mine")
    user = make.member_of(first.team)
    make.MembershipFactory(team=second.team, user=user)
    html = logged_in(user).get("/runs/").content.decode()
    assert "mine-1" in html
    assert "mine-2" in html
    assert "not-mine" not in html
    assert "Not accepted" in html


@pytest.mark.parametrize("runs", [1, 12])
def test_queries_of_my_runs_do_not_grow(logged_in, runs, django_assert_num_queries):
    first = make.RunFactory()
    for _ in range(runs - 1):
        make.RunFactory(task=first.task, team=first.team)
    client = logged_in(make.member_of(first.team))
    # session, user, teams, campaigns, count, runs, jobs, roles
    with django_assert_num_queries(8):
        client.get("/runs/")


@pytest.mark.parametrize("campaigns", [1, 8])
def test_queries_of_home_do_not_grow(client, campaigns, django_assert_num_queries):
    for _ in range(campaigns):
        make.TaskFactory()
    # campaigns with their teams, tasks, runs counted, boards with a chart
    with django_assert_num_queries(4):
        client.get("/")


def test_account_pages_have_our_look(client):
    for name in ("account_login", "account_signup", "account_reset_password"):
        html = client.get(reverse(name)).content.decode()
        assert "css/base.css" in html
        assert "btn primary" in html


def test_person_signs_up_logs_out_and_in_again(client):
    password = make.PASSWORD
    client.post(
        reverse("account_signup"),
        {"email": "Ada@Example.org", "password1": password, "password2": password},
    )
    assert "ada@example.org" in client.get("/").content.decode()
    client.post(reverse("account_logout"))
    assert "Log in" in client.get("/").content.decode()
    client.post(reverse("account_login"), {"login": "ADA@example.org", "password": password})
    assert "ada@example.org" in client.get("/").content.decode()


def test_wrong_password_is_said_in_place(client):
    response = client.post(
        reverse("account_login"), {"login": "nobody@example.org", "password": "wrong"}
    )
    assert "There is a problem" in response.content.decode()


def test_all_pages_are_reached_by_name():
    assert "pages" in get_resolver().namespace_dict


@pytest.mark.parametrize(
    "address",
    [
        "campaigns/%00/",
        "campaigns/a/tasks/%00/",
        "organize/c/%00/",
        "join/%00/",
        "api/v1/runs/%00/",
    ],
)
def test_nul_in_an_address_is_not_found(logged_in, address):
    assert logged_in(make.UserFactory()).get(f"/{address}").status_code == 404


def test_page_of_a_button_alone_is_no_blank_dead_end(client):
    answer = client.get("/runs/00000000-0000-4000-8000-000000000000/withdraw/")
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert "press the button again" in answer.content.decode()
    assert int(answer["Content-Length"]) == len(answer.content)
    told = client.delete("/api/v1/campaigns/")
    assert (told.status_code, told["Content-Type"]) == (405, "application/problem+json")


@pytest.mark.parametrize("is_allowed", [True, False])
def test_home_offers_to_start_a_campaign_where_that_is_possible(client, settings, is_allowed):
    settings.ANYBODY_MAY_ORGANIZE = is_allowed
    assert ("Start a campaign" in client.get("/").content.decode()) is is_allowed
