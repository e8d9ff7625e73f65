"""While scores are closed nothing that comes from the qrels leaves the server."""

import pytest

from tests.campaigns.api import world as worlds
from tests.campaigns.api.world import HINT, ROLES, SECRETS

pytestmark = pytest.mark.django_db
QUERIES = {
    "leaderboard/": (
        "",
        "?format=csv",
        "?format=tex",
        "?sort=nDCG@10",
        "?sort=-nDCG@10",
        "?subject=runs",
        "?qrels=1",
        "?original=wcrobust",
    ),
    "effects/": ("", "?measure=nDCG@10", "?original=wcrobust"),
}
# A score has digits enough that it cannot stand somewhere by chance.
MARKS = tuple(secret.rstrip("0") for secret in SECRETS)


def told(client, world):
    """Every body and header that a caller can get by GET, by address and query."""
    urls = dict(world.urls())
    urls["baseline", "get"] = f"/api/v1/runs/{world.own.baseline_id}/"
    urls["other", "get"] = f"/api/v1/runs/{world.other.baseline_id}/"
    answers = {}
    for (_, method), url in urls.items():
        if method != "get":
            continue
        for query in next((q for tail, q in QUERIES.items() if url.endswith(tail)), ("",)):
            answer = client.get(url + query)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            headers = {name: value for name, value in answer.items() if name != "Retry-After"}
            answers[url + query] = (answer.status_code, headers, body.decode())
    return answers


def found(answers, marks):
    return {(url, mark) for url, answer in answers.items() for mark in marks if mark in str(answer)}


@pytest.mark.parametrize("role", ["visitor", "stranger", "other", "own"])
def test_closed_scores_change_nothing_that_is_told(client_of, role):
    world = worlds.build("closed")
    client = client_of(world.users[role])
    before = told(client, world)
    worlds.score(world)
    after = told(client, world)
    assert before == after
    assert not found(after, (*MARKS, HINT))


@pytest.mark.parametrize("role", ["visitor", "stranger", "other"])
def test_own_scores_are_for_the_own_team(client_of, role):
    world = worlds.build("own")
    worlds.score(world)
    answers = told(client_of(world.users[role]), world)
    assert not found(answers, (*MARKS, HINT, world.own.team.slug, world.own.team.name))


def test_own_team_sees_its_scores_but_no_hints(client_of):
    world = worlds.build("own")
    worlds.score(world)
    answers = told(client_of(world.users["own"]), world)
    seen = {mark for _, mark in found(answers, (*MARKS, HINT))}
    assert seen == set(MARKS) - {MARKS[-1]}  # the board's own cell stays closed
    assert not found(answers, (world.other.team.slug, world.other.team.name))


@pytest.mark.parametrize("role", ROLES)
def test_hints_for_organizers_reach_only_them(client_of, role):
    world = worlds.build("open")
    worlds.score(world)
    answers = told(client_of(world.users[role]), world)
    is_told = role in worlds.OVERSEERS
    assert bool(found(answers, (HINT,))) is is_told
    assert {mark for _, mark in found(answers, MARKS)} == set(MARKS)


def test_names_are_withheld_while_scores_are_open(client_of):
    world = worlds.build("open")
    worlds.score(world)
    world.task.team_names_from = None
    world.task.save()
    answers = told(client_of(world.users["other"]), world)
    assert not found(answers, (world.own.team.slug, world.own.team.name))
    assert found(answers, (world.other.team.slug,))
    board = client_of().get(world.urls()["api-leaderboard", "get"]).json()
    assert {row["team"] for row in board["rows"]} == {None}


def test_no_address_of_a_person_is_told(client_of):
    world = worlds.build("open")
    worlds.score(world)
    answers = told(client_of(), world)
    assert not found(answers, ("@example.org",))
