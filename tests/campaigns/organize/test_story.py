"""From nothing to released results, in the browser alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import AuditEntry, Board, BoardState, Campaign, Qrels, Run, RunState, Task
from tests.campaigns import factories as make
from tests.campaigns.organize.conftest import Bench, file, sent
from tests.campaigns.pipeline import drain, qrels_text, run_text

pytestmark = pytest.mark.django_db

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2, "d": 1}, "3": {"e": 1}}
# AP: 1/1, (1/1 + 2/2)/2 and 1/1: mean 1.
BEST = {"1": ["a", "b"], "2": ["c", "d"], "3": ["e"]}
# AP: 1/2, (0 + 1/2)/2 = 1/4 and 1/1: mean 7/12.
WORSE = {"1": ["b", "a"], "2": ["x", "c"], "3": ["e"]}


def _browser(user):
    client = Client()
    client.force_login(user)
    return client


def _new_campaign(user) -> Bench:
    client = _browser(user)
    response = client.post(
        reverse("organize:new-campaign"),
        {"title": "Example track 2027", "slug": "example-2027", "vocabulary": "centre",
         "timezone": "aoe", "is_public": "on"},
    )  # fmt: skip
    assert response.status_code == 302, response.context["form"].errors
    campaign = Campaign.objects.get(slug="example-2027")
    assert campaign.timezone == "AoE"
    return Bench(client, user, campaign)


def _collection(bench):
    assert bench.post(
        "new-collection", title="News", slug="news", languages="eng, deu"
    ).status_code == 302  # fmt: skip
    bench.post("upload-to-collection", "news", "topics", file=file(b"1\tone\n2\ttwo\n3\tthree\n"))
    drain()
    return bench.campaign.collections.get()


def _task(bench) -> Task:
    values = sent(bench.get("new-task", kind="ranking").context["form"])
    own = {"own-TOTAL_FORMS": 2, "own-INITIAL_FORMS": 0, "own-0-name": "toolkit",
           "own-0-type": "text", "own-0-required": "on"}  # fmt: skip
    values |= {"title": "Ad hoc", "slug": "adhoc", "collection": "news",
               "measures": "map\nP@10", "runs_per_team": "2"} | own  # fmt: skip
    response = bench.post("new-task", **values)
    assert response.status_code == 302, response.context["form"].errors
    task = Task.objects.get()
    assert (task.measures, task.primary, task.runs_per_team) == (["AP", "P@10"], "AP", 2)
    assert task.fields == [{"name": "toolkit", "type": "text", "required": True}]
    assert (task.is_paused, task.scores_from, task.own_scores_from) == (True, None, None)
    return task


def _plan(bench, **changes):
    values = bench.fields("plan", "adhoc") | changes
    response = bench.post("plan", "adhoc", **{k: v for k, v in values.items() if v != "drop"})
    assert response.status_code == 302, response.context["form"].errors


def _submit(client, bench, team, ranking, tag):
    return client.post(
        reverse("pages:submit", args=[bench.campaign.slug, "adhoc"]),
        {"team": team.pk, "run_type": "automatic", "own-toolkit": "ours",
         "file": file(run_text(ranking, tag), f"{tag}.run")},
    )  # fmt: skip


def test_campaign_from_nothing_to_released_results():
    organizer = make.UserFactory(email="olive@example.org")
    ada, bob = make.UserFactory(email="ada@example.org"), make.UserFactory(email="bob@example.org")
    bench = _new_campaign(organizer)
    assert "Three steps to the first run" in bench.get("desk").content.decode()
    _collection(bench)
    task = _task(bench)
    public = reverse("pages:task", args=[bench.campaign.slug, "adhoc"])

    teams = []
    for name, person in (("Team A", ada), ("Team B", bob)):
        slug = name.lower().replace(" ", "-")
        assert bench.post("teams", name=name, slug=slug).status_code == 302
        assert bench.post("team", slug, email=person.email.upper()).status_code == 302
        teams.append(bench.campaign.teams.get(slug=slug))
    first, second = _browser(ada), _browser(bob)
    assert _submit(first, bench, teams[0], WORSE, "worse").status_code == 403  # still paused

    _plan(bench, is_paused="drop", closes="2030-12-31T23:59:59")
    task.refresh_from_db()
    assert task.closes.isoformat() == "2031-01-01T11:59:59+00:00"
    assert _submit(first, bench, teams[0], WORSE, "worse").status_code == 302
    assert _submit(second, bench, teams[1], BEST, "best").status_code == 302
    assert _submit(second, bench, teams[1], BEST, "again").status_code == 302
    drain()
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.ACCEPTED}
    assert "Ad hoc has no qrels" in bench.get("desk").content.decode()

    bench.post("upload-to-collection", "news", "qrels", file=file(qrels_text(QRELS)))
    drain()
    page = bench.get("qrels", "news", 1)
    assert "3 runs are scored for the first time" in page.content.decode()
    assert "confirmation" not in page.context["form"].fields
    assert bench.post("qrels", "news", 1, changelog="First judgments").status_code == 302
    drain()
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.SCORED}
    html = first.get(public).content.decode()
    assert 'class="t tight board"' not in html
    assert 'class="t tight board"' in bench.client.get(public).content.decode()

    spoiled = Run.objects.get(tag="again")
    bench.post("act-on-run", spoiled.pk, "disqualify", reason="The same run twice")
    drain()
    _plan(bench, scores="always", own_scores="always", team_names="always")
    html = first.get(public).content.decode()
    assert html.index(">best<") < html.index(">worse<") < html.index(">again<")
    assert "The same run twice" in html
    board = Board.objects.get(task=task, state=BoardState.CURRENT)
    rows = board.rows.filter(version=board.version).order_by("position")
    assert [row.cells["AP"]["value"] for row in rows[:2]] == pytest.approx([1, 7 / 12])
    assert [row.rank for row in rows] == [1, 2, None]
    actions = list(
        AuditEntry.objects.filter(campaign=bench.campaign).values_list("action", flat=True)
    )
    for action in ("create campaign", "create collection", "use topics", "create task",
                   "create team", "add member", "change dates", "move deadline", "send qrels file",
                   "upload qrels",
                   "publish qrels", "disqualify run"):  # fmt: skip
        assert action in actions, action


def test_second_version_of_the_qrels_asks_for_its_name_and_keeps_the_first_board():
    bench = _new_campaign(make.UserFactory())
    collection = _collection(bench)
    task = _task(bench)
    _plan(bench, is_paused="drop", scores="always")
    bench.post("own-team")
    team = bench.campaign.teams.get()
    assert team.is_organizers
    assert _submit(bench.client, bench, team, WORSE, "baseline").status_code == 302
    drain()
    for number, text in ((1, QRELS), (2, QRELS | {"1": {"a": 0, "b": 1}})):
        bench.post("upload-to-collection", "news", "qrels", file=file(qrels_text(text)))
        drain()
        if number == 1:
            assert bench.post("qrels", "news", 1).status_code == 302
            drain()
    page = bench.get("qrels", "news", 2)
    assert "1 run is scored again" in page.content.decode()
    for word in ("", "v1", "publish"):
        refused = bench.post("qrels", "news", 2, confirmation=word)
        assert refused.status_code == 422
    assert Qrels.objects.get(number=2).state == "draft"
    assert bench.post("qrels", "news", 2, confirmation=" V2 ").status_code == 302
    html = bench.get("qrels", "news", 2, part="boards").content.decode()
    assert "being filled" in html
    assert "0 of 1" in html
    assert 'hx-trigger="every 2s"' in html
    assert "<html" not in html
    drain()
    assert "every 2s" not in bench.get("qrels", "news", 2, part="boards").content.decode()
    html = bench.get("qrels", "news", 2).content.decode()
    assert "current" in html
    assert "1 of 1" in html
    boards = Board.objects.filter(task=task).order_by("number")
    assert [board.state for board in boards] == [BoardState.PAST, BoardState.CURRENT]
    assert collection.qrels_versions.count() == 2
    versions = bench.get("collection", "news").context["versions"]
    assert [(one.row.number, one.is_used, one.boards) for one in versions] == [
        (2, True, "1 current"), (1, False, "1 past"),
    ]  # fmt: skip
    assert bench.get("qrels", "news", 1).status_code == 200
