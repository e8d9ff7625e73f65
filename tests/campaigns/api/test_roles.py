"""Who gets which status where: every address, every role, every phase of the scores."""

import pytest

from campaigns.api import urls
from tests.campaigns.api import world as worlds
from tests.campaigns.api.world import OVERSEERS, PHASES, ROLES

pytestmark = pytest.mark.django_db


def everybody(status):
    return dict.fromkeys(ROLES, status)


ACCOUNTS = {**everybody(200), "visitor": 401}
OWN = {**everybody(404), "own": 200, **dict.fromkeys(OVERSEERS, 200)}
HAND_IN = {**everybody(403), "visitor": 401, "other": 202, "own": 202}
SCORES = {**everybody(403), **dict.fromkeys(OVERSEERS, 200)}
WITHDRAW = {**OWN, "visitor": 401, "assessor": 403}

ALWAYS_THE_SAME = {
    ("api-me", "get"): ACCOUNTS,
    ("api-receipts", "post"): everybody(200),
    ("api-campaigns", "get"): everybody(200),
    ("api-campaign", "get"): everybody(200),
    ("api-task", "get"): everybody(200),
    ("api-task-file", "get"): everybody(200),
    ("api-runs", "get"): everybody(200),
    ("api-runs", "post"): HAND_IN,
    ("api-pairs", "post"): HAND_IN,
}
TABLE = {
    "closed": {
        **ALWAYS_THE_SAME,
        ("api-leaderboard", "get"): SCORES,
        ("api-effects", "get"): SCORES,
        ("api-run", "get"): OWN,
        ("api-run-topics", "get"): {**OWN, "own": 403},
        ("api-run-file", "get"): OWN,
        ("api-pair", "get"): OWN,
        ("api-run-withdraw", "post"): WITHDRAW,
    },
    "own": {
        **ALWAYS_THE_SAME,
        ("api-leaderboard", "get"): SCORES,
        ("api-effects", "get"): {**SCORES, "own": 200, "other": 200},
        ("api-run", "get"): OWN,
        ("api-run-topics", "get"): OWN,
        ("api-run-file", "get"): OWN,
        ("api-pair", "get"): OWN,
        ("api-run-withdraw", "post"): WITHDRAW,
    },
    "open": {
        **ALWAYS_THE_SAME,
        ("api-leaderboard", "get"): everybody(200),
        ("api-effects", "get"): everybody(200),
        ("api-run", "get"): everybody(200),
        ("api-run-topics", "get"): everybody(200),
        ("api-run-file", "get"): everybody(200),
        ("api-pair", "get"): everybody(200),
        ("api-run-withdraw", "post"): {**WITHDRAW, "stranger": 403, "other": 403},
    },
}


def test_table_has_every_address():
    methods = {
        (pattern.name, method)
        for pattern in urls.urlpatterns
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(pattern.callback.cls, method)
    }
    for phase in PHASES:
        assert set(TABLE[phase]) == methods


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("role", ROLES)
def test_status_of_every_address(client_of, phase, role):
    world = worlds.build(phase)
    worlds.score(world)
    client = client_of(world.users[role])
    got = {}
    for (name, method), url in world.urls().items():
        if name in ("api-runs", "api-pairs") and method == "post":
            form = worlds.submission(name, role)
            got[name, method] = client.post(url, form, format="multipart").status_code
        elif method == "post":
            got[name, method] = client.post(url, {}, format="json").status_code
        else:
            got[name, method] = client.get(url).status_code
    assert got == {key: statuses[role] for key, statuses in TABLE[phase].items()}


@pytest.mark.parametrize("role", ["visitor", "stranger", "other"])
def test_private_campaign_is_not_there_for_strangers(client_of, role):
    world = worlds.build("open")
    worlds.score(world)
    world.task.campaign.is_public = False
    world.task.campaign.save()
    client = client_of(world.users[role])
    expected = 200 if role == "other" else 404
    for (name, method), url in world.urls().items():
        if method == "get" and name not in ("api-me", "api-campaigns"):
            assert client.get(url).status_code == expected, url
    listed = client.get("/api/v1/campaigns/").json()["count"]
    assert listed == (1 if role == "other" else 0)


def test_token_without_the_scope_reads_nothing(client_of):
    world = worlds.build("open")
    client = client_of(world.users["own"], "submit")
    for (_, method), url in world.urls().items():
        if method == "get":
            assert client.get(url).status_code == 403
