"""Pages of teams: who gets in, what a newcomer sees, secrets shown once."""

import pytest
from django.urls import reverse

from campaigns.models import Membership, Team
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

NAMES = [
    "<script>alert('x')</script>",
    "\"quoted\" & 'quoted'",
    "فريق البحث",
    "🚀 Größe",
    "w" * 60,
]


@pytest.mark.parametrize("name", NAMES)
def test_team_with_an_odd_name_is_started_and_shown(browser_of, name):
    task = make.TaskFactory()
    client = browser_of(make.UserFactory())
    url = reverse("participants:new-team", args=[task.campaign.slug])
    assert "Start the team" in client.get(url).content.decode()
    response = client.post(url, {"name": name, "affiliation": name})
    team = Team.objects.get()
    assert team.name == name
    for address in (response.url, "/teams/", url, f"{response.url}leave/"):
        html = client.get(address).content.decode()
        assert "<script>alert" not in html
        assert "<bdi>" in html


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "one\x07two", "a\u202eb", "n" * 121])
def test_name_that_cannot_be_seen_or_turns_others_is_refused(browser_of, name):
    task = make.TaskFactory()
    url = reverse("participants:new-team", args=[task.campaign.slug])
    response = browser_of(make.UserFactory()).post(url, {"name": name})
    assert response.status_code == 422
    assert "There is a problem" in response.content.decode()
    assert not Team.objects.exists()


def test_taken_name_is_said_beside_the_field(group, browser_of):
    url = reverse("participants:new-team", args=[group.campaign.slug])
    response = browser_of(make.UserFactory()).post(url, {"name": group.team.name})
    assert response.status_code == 409
    assert 'href="#id_name"' in response.content.decode()


def test_link_is_shown_once_and_nothing_keeps_it(group, browser_of):
    client = browser_of(group.contact)
    ticket = client.get(group.url("team")).context["once"]
    response = client.post(group.url("invitation"), {"once": ticket})
    link = response.context["link"]
    assert link in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    assert link not in client.get(group.url("team")).content.decode()
    assert client.post(group.url("invitation"), {"once": ticket}).status_code == 302
    secret = link.rstrip("/").rpartition("/")[2]
    group.team.refresh_from_db()
    assert secret not in str(vars(group.team))
    assert secret not in str(dict(client.session))
    newcomer = browser_of(make.UserFactory())
    assert newcomer.get(link, follow=True).status_code == 200


def test_newcomer_sees_who_invites_logs_in_and_joins(group, browser_of):
    group.campaign.is_public = False
    group.campaign.save()
    client = browser_of(group.contact)
    link = client.post(group.url("invitation"), {"once": "1"}).context["link"]
    visitor = browser_of()
    response = visitor.get(link)
    assert link.rstrip("/").rpartition("/")[2] not in str(dict(visitor.session))
    assert response.url == reverse("participants:join")
    html = visitor.get(response.url).content.decode()
    assert "Team A" in html
    assert "/accounts/signup/?next=/join/" in html
    assert group.contact.email not in html
    assert visitor.post(response.url).status_code == 200
    user = make.UserFactory(password=make.PASSWORD)
    logged = visitor.post(
        "/accounts/login/",
        {"login": user.email, "password": make.PASSWORD, "next": "/join/"},
    )
    assert logged.url == "/join/"
    assert visitor.get(group.url("team")).status_code == 404
    joined = visitor.post("/join/")
    assert joined.url == group.url("team")
    html = visitor.get(joined.url).content.decode()
    assert "You are in the team." in html
    assert group.contact.email in html
    assert Membership.objects.filter(team=group.team, user=user, left_at=None).exists()
    assert visitor.get("/join/").status_code == 404


@pytest.mark.parametrize("kind", ["unknown", "renewed", "ended", "hostile"])
def test_links_that_lead_nowhere_answer_alike(group, browser_of, kind):
    client = browser_of(group.contact)
    link = client.post(group.url("invitation"), {"once": "1"}).context["link"]
    if kind == "renewed":
        client.post(group.url("invitation"), {"once": "2"})
    elif kind == "ended":
        client.post(group.url("invitation"), {"end": "yes"})
    elif kind == "unknown":
        link = reverse("participants:join-link", args=["x" * 32])
    else:
        link = reverse("participants:join-link", args=["'\"<b>%00" + "é" * 300])
    visitor = browser_of()
    assert visitor.get(link).status_code == 302
    response = visitor.get("/join/")
    assert response.status_code == 404
    assert "This link leads to no team" in response.content.decode()
    assert "Team A" not in response.content.decode()


def test_member_leaves_after_being_asked(group, browser_of):
    client = browser_of(group.contact)
    html = client.get(group.url("leave")).content.decode()
    assert "becomes contact" in html
    assert client.post(group.url("leave")).url == reverse("participants:teams")
    assert client.get(group.url("team")).status_code == 404


def test_contact_removes_a_member_after_being_asked(group, browser_of):
    client = browser_of(group.contact)
    url = group.url("remove-member", group.member.public_id)
    assert "Remove <bdi>Bo</bdi>?" in client.get(url).content.decode()
    client.post(url)
    assert browser_of(group.member).get(group.url("team")).status_code == 404


def test_member_sees_no_buttons_of_contacts(group, browser_of):
    client = browser_of(group.member)
    html = client.get(group.url("team")).content.decode()
    assert "Make a join link" not in html
    assert "Make contact" not in html
    assert "Leave the team" in html
    assert client.get(group.url("remove-member", group.contact.public_id)).status_code == 404
    client.post(group.url("remove-member", group.contact.public_id))
    client.post(group.url("contact", group.contact.public_id), {"contact": "no"})
    client.post(group.url("invitation"), {"once": "1"})
    group.team.refresh_from_db()
    assert group.team.invitation_digest == ""
    assert Membership.objects.filter(team=group.team, left_at=None).count() == 2


def test_contact_is_handed_over(group, browser_of):
    client = browser_of(group.contact)
    client.post(group.url("contact", group.member.public_id), {"contact": "yes"})
    client.post(group.url("contact", group.contact.public_id), {"contact": "no"})
    rows = Membership.objects.filter(team=group.team, is_contact=True)
    assert [row.user for row in rows] == [group.member]


@pytest.mark.parametrize("members", [2, 9])
def test_queries_of_a_team_do_not_grow(group, browser_of, members, django_assert_num_queries):
    for _ in range(members - 2):
        make.MembershipFactory(team=group.team)
        make.RunFactory(task=group.task, team=group.team)
    client = browser_of(group.contact)
    # session, user, team, teams, managed teams, members, count of runs, runs
    with django_assert_num_queries(8):
        client.get(group.url("team"))


@pytest.mark.parametrize("teams", [1, 6])
def test_queries_of_the_list_of_teams_do_not_grow(browser_of, teams, django_assert_num_queries):
    user = make.UserFactory()
    for _ in range(teams):
        make.MembershipFactory(user=user)
    client = browser_of(user)
    # session, user, teams, teams with their counts, roles, tasks that take runs
    with django_assert_num_queries(6):
        client.get("/teams/")


def test_public_page_of_a_campaign_offers_to_take_part(group, browser_of):
    page = reverse("pages:campaign", args=[group.campaign.slug])
    offer = reverse("participants:new-team", args=[group.campaign.slug])
    assert offer in browser_of().get(page).content.decode()
    assert browser_of().get(offer).url.startswith("/accounts/login/?next=")
    html = browser_of(group.member).get(page).content.decode()
    assert offer not in html
    assert "My teams" in html


def test_run_says_whose_it_is_where_a_person_is_in_two_teams(group, browser_of):
    make.MembershipFactory(team=make.TeamFactory(campaign=group.campaign), user=group.member)
    page = reverse("pages:submit", args=[group.campaign.slug, group.task.slug])
    html = browser_of(group.member).get(page).content.decode()
    assert html.count("<option") >= 2
