"""Who gets in where: every address of participants, of the help and of the search."""

from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from campaigns.services.tokens import create_token
from campaigns.views.help import urls as help_urls
from campaigns.views.participants import urls
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

ROLES = ("visitor", "stranger", "other", "member", "contact", "assessor", "organizer")
ALL = (200,) * 7
PEOPLE = (302, *(200,) * 6)
# What each role gets from each address of a team in a public campaign.
TABLE = {
    "teams": PEOPLE,
    "new-team": PEOPLE,
    "team": (302, 404, 404, 200, 200, 200, 200),
    "invitation": (302, 404, 404, 302, 302, 302, 302),
    "leave": (302, 404, 404, 200, 200, 404, 404),
    "remove-member": (302, 404, 404, 404, 200, 404, 200),
    "contact": (302, *(405,) * 6),
    "join": (404,) * 7,
    "join-link": (302,) * 7,
    "tokens": PEOPLE,
    "revoke-token": (302, 404, 404, 200, 404, 404, 404),
    "profile": PEOPLE,
    "log-out-elsewhere": (302, *(405,) * 6),
}
TO_LOG_IN = {"teams", "new-team", "team", "invitation", "leave", "remove-member", "contact",
             "tokens", "revoke-token", "profile", "log-out-elsewhere"}  # fmt: skip


@pytest.fixture
def get(group, browser_of):
    token, _ = create_token(group.member, "lab", ["read"], 90)
    people = {
        "visitor": None,
        "stranger": make.UserFactory(),
        "other": make.member_of(make.TeamFactory(campaign=group.campaign)),
        "member": group.member,
        "contact": group.contact,
        "assessor": make.organizer_of(group.campaign, "assessor"),
        "organizer": make.organizer_of(group.campaign),
    }
    campaign, team = group.campaign.slug, group.team.slug
    arguments = {
        "new-team": [campaign], "team": [campaign, team], "invitation": [campaign, team],
        "leave": [campaign, team], "remove-member": [campaign, team, group.member.public_id],
        "contact": [campaign, team, group.member.public_id], "join-link": ["x" * 32],
        "revoke-token": [token.pk],
    }  # fmt: skip

    def get_(role, name):
        address = reverse(f"participants:{name}", args=arguments.get(name, []))
        return browser_of(people[role]).get(address)

    return get_


def test_every_address_stands_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_status_of_every_address(get, name):
    answers = [get(role, name) for role in ROLES]
    assert tuple(answer.status_code for answer in answers) == TABLE[name]
    if name in TO_LOG_IN:
        assert urlsplit(answers[0].url).path == "/accounts/login/"


@pytest.mark.parametrize("name", ["new-team", "team", "leave"])
def test_private_campaign_is_not_there_for_strangers(get, group, name):
    group.campaign.is_public = False
    group.campaign.save()
    assert get("stranger", name).status_code == 404
    assert get("member", name).status_code == 200


@pytest.mark.parametrize("pattern", help_urls.urlpatterns, ids=lambda one: one.name)
def test_help_is_for_everybody(browser_of, pattern, django_assert_num_queries):
    client = browser_of()
    with django_assert_num_queries(0):
        response = client.get(reverse(f"help:{pattern.name}"))
    assert response.status_code == 200
    assert len(response.content) < 60_000


@pytest.mark.parametrize("name", [name for name, got in TABLE.items() if got[4] == 200])
def test_pages_hold_nothing_inline_and_are_light(get, name):
    response = get("contact", name)
    html = response.content.decode()
    assert "unsafe" not in response["Content-Security-Policy"]
    assert " style=" not in html
    assert "<style" not in html
    assert "<script>" not in html
    assert len(html) < 40_000
