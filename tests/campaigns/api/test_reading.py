"""What the answers hold: campaigns, tasks, runs, boards, effects."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models import BoardState, JobKind, JobState, Run, RunState
from tests.campaigns import factories
from tests.campaigns.api import world as worlds
from tests.campaigns.api.conftest import task_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db):
    """Everything open and scored."""
    made = worlds.build("open")
    worlds.score(made)
    return made


def test_task_shows_topics_limits_and_quota(client_of, task, team, member):
    form = factories.TopicFormFactory(collection=task.collection)
    topic = factories.TopicFactory(collection=task.collection, identifier="0301", position=0)
    factories.TopicTextFactory(topic=topic, form=form, text="wolves")
    task.runs_per_team = 5
    task.save()
    factories.RunFactory(task=task, team=team)
    body = client_of(member).get(task_url(task)).json()
    assert body["topics"] == [
        {
            "id": "0301",
            "texts": [
                {"form": "title", "language": "eng", "translation": "none", "text": "wolves"}
            ],
        }
    ]
    assert body["limits"]["runs_per_team"] == 5
    assert [(one["team"], one["left"]) for one in body["quotas"]] == [(team.slug, 4)]
    assert body["visible_from"]["scores"] == "always"
    assert body["visible_from"]["qrels"] == "never"
    assert client_of().get(task_url(task)).json()["quotas"] == []


def test_campaign_lists_its_tasks_in_order(client_of, task):
    second = factories.TaskFactory(campaign=task.campaign, position=-1)
    factories.TaskFactory(campaign=task.campaign, deleted_at=timezone.now())
    body = client_of().get(f"/api/v1/campaigns/{task.campaign.slug}/").json()
    assert [one["slug"] for one in body["tasks"]] == [second.slug, task.slug]


def test_lists_are_paged(client_of, task, team):
    factories.RunFactory.create_batch(3, task=task, team=team)
    first = client_of().get(task_url(task, "runs/?page_size=2")).json()
    assert (first["count"], len(first["results"])) == (3, 2)
    second = client_of().get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (1, None)
    assert client_of().get(task_url(task, "runs/?page=9")).status_code == 404


def test_run_with_scores_and_passport(client_of, world):
    body = client_of(world.users["own"]).get(world.urls()["api-run", "get"]).json()
    assert body["state"] == "scored"
    assert body["scores"] == {
        "nDCG@10": {"mean": 0.731731, "reason": None, "interval": [0.191919, 0.9]}
    }
    passport = body["passport"]["nDCG@10"]
    qrels = world.task.collection.qrels_versions.get()
    assert passport["qrels"]["version"] == qrels.number
    assert passport["qrels"]["sha256"] == qrels.file.text_sha256
    assert passport["topics_averaged"] == {"rule": "judged", "count": 2}
    assert passport["precision"] == "double"
    assert passport["recipe"]["version"] == 1
    assert body["comparisons"]["rank_biased_overlap"]["value"] == 0.581581
    assert body["pairs"] == [str(world.own.pk)]


def test_undefined_score_is_null_with_its_reason(client_of, task, team, member):
    run = factories.RunFactory(task=task, team=team, state=RunState.SCORED)
    evaluation = factories.EvaluationFactory(run=run, mean=None, reason="no topic was judged")
    factories.BoardFactory(task=task, qrels=evaluation.qrels)
    body = client_of(member).get(f"/api/v1/runs/{run.pk}/").json()
    assert body["scores"]["nDCG@10"] == {
        "mean": None,
        "reason": "no topic was judged",
        "interval": None,
    }


def test_run_topics_tell_undefined_as_null(client_of, world):
    body = client_of().get(world.urls()["api-run-topics", "get"]).json()
    assert body["measures"]["nDCG@10"]["topics"] == {"101": 0.641641, "102": None}


def test_scores_are_those_of_the_board_shown(client_of, world):
    run = world.own.advanced
    newer = factories.QrelsFactory(collection=world.task.collection, number=99)
    factories.EvaluationFactory(run=run, qrels=newer, mean=0.111)
    factories.BoardFactory(
        task=world.task,
        original=world.original,
        qrels=newer,
        subject="runs",
        slug="runs-wcrobust",
        state=BoardState.FILLING,
    )
    body = client_of().get(world.urls()["api-run", "get"]).json()
    assert body["scores"]["nDCG@10"]["mean"] == 0.731731
    board = client_of().get(task_url(world.task, "leaderboard/?subject=runs")).json()
    assert board["board"]["is_being_rescored"] is True
    assert client_of().get(task_url(world.task, "leaderboard/?qrels=99")).status_code == 404


@pytest.mark.parametrize(
    ("state", "kind", "job_state", "shown"),
    [
        ("checking", JobKind.CHECK, JobState.RUNNING, "checking"),
        ("checking", JobKind.CHECK, JobState.FAILED, "failed"),
        ("accepted", JobKind.SCORE, JobState.WAITING, "scoring"),
        ("accepted", JobKind.SCORE, JobState.FAILED, "failed"),
        ("accepted", JobKind.CHECK, JobState.DONE, "accepted"),
        ("scored", JobKind.SCORE, JobState.DONE, "scored"),
        ("rejected", JobKind.CHECK, JobState.DONE, "rejected"),
    ],
)
def test_state_comes_from_the_jobs(client_of, task, team, member, state, kind, job_state, shown):
    run = factories.RunFactory(task=task, team=team, state=state)
    reason = "The file could not be read." if job_state == JobState.FAILED else ""
    factories.JobFactory(run=run, kind=kind, state=job_state, reason=reason, **claim(job_state))
    body = client_of(member).get(f"/api/v1/runs/{run.pk}/").json()
    assert (body["state"], body["reason"]) == (shown, reason or None)
    task.own_scores_from = task.scores_from = None
    task.save()
    body = client_of(member).get(f"/api/v1/runs/{run.pk}/").json()
    is_before_scoring = state in ("checking", "rejected")
    assert body["state"] == (shown if is_before_scoring else "accepted")


def claim(state):
    """What a running job has."""
    if state != JobState.RUNNING:
        return {}
    return {"claim": uuid.uuid4(), "lease_until": timezone.now() + timedelta(minutes=1)}


def test_messages_are_for_team_and_organizers(client_of, world):
    message = {
        "level": "warning",
        "line": 3,
        "kind": "q0_column",
        "topic": None,
        "text": "x",
        "remedy": "y",
    }
    Run.objects.filter(pk=world.own.advanced_id).update(messages=[message])
    url = world.urls()["api-run", "get"]
    for role, told in (
        ("own", [message]),
        ("organizer", [message]),
        ("other", []),
        ("visitor", []),
    ):
        body = client_of(world.users[role]).get(url).json()
        assert body["messages"] == told
        assert ("organizer_messages" in body) is (role == "organizer")
        assert (body["receipt"] is None) is (told == [])


def test_public_fields_of_the_form_are_public(client_of, world):
    world.task.fields = [
        {"name": "language", "type": "text", "public": True},
        {"name": "phone", "type": "text"},
    ]
    world.task.save()
    Run.objects.filter(pk=world.own.advanced_id).update(metadata={"language": "eng", "phone": "1"})
    url = world.urls()["api-run", "get"]
    assert client_of().get(url).json()["metadata"] == {"language": "eng"}
    assert client_of(world.users["own"]).get(url).json()["metadata"]["phone"] == "1"


def test_withdrawn_twice_is_withdrawn_once(client_of, world):
    url = world.urls()["api-run-withdraw", "post"]
    client = client_of(world.users["own"])
    first, second = client.post(url).json(), client.post(url).json()
    assert first["withdrawn_at"] == second["withdrawn_at"] is not None
    assert world.own.advanced.events.filter(kind="withdrawn").count() == 1


def test_pair_with_effects_and_reasons(client_of, world):
    effect = world.own.effects.get()
    effect.effect_ratio, effect.reasons = None, {"effect_ratio": "the original effect is 0"}
    effect.save()
    body = client_of(world.users["own"]).get(world.urls()["api-pair", "get"]).json()
    assert body["state"] == "scored"
    point = body["effects"][0]
    assert (point["effect_ratio"], point["reasons"]["effect_ratio"]) == (
        None,
        "the original effect is 0",
    )
    assert (point["measure"], point["region"], point["delta_ri"]) == ("nDCG@10", 1, 0.0)
    assert set(body["comparisons"]) == {"baseline", "advanced"}
    assert body["receipt"]["baseline"]["run"] == str(world.own.baseline_id)


def test_effects_list_each_pair(client_of, world):
    body = client_of().get(task_url(world.task, "effects/")).json()
    assert body["count"] == 2
    assert {one["pair"] for one in body["results"]} == {str(world.own.pk), str(world.other.pk)}
    assert client_of().get(task_url(world.task, "effects/?measure=AP")).json()["count"] == 0
    Run.objects.filter(pk=world.own.baseline_id).update(withdrawn_at=timezone.now())
    assert client_of().get(task_url(world.task, "effects/")).json()["count"] == 1


def test_effects_of_ones_own_while_the_rest_is_closed(client_of):
    world = worlds.build("own")
    worlds.score(world)
    body = client_of(world.users["own"]).get(task_url(world.task, "effects/")).json()
    assert [one["pair"] for one in body["results"]] == [str(world.own.pk)]


def test_me_and_its_teams(client_of, task, team, member):
    body = client_of(member).get("/api/v1/me/").json()
    assert body["teams"] == [{"campaign": task.campaign.slug, "slug": team.slug, "name": team.name}]
    assert body["token"]["scopes"] == ["read", "submit"]


def test_receipt_can_be_verified_and_not_changed(client_of, world):
    receipt = client_of(world.users["own"]).get(world.urls()["api-run", "get"]).json()["receipt"]
    ask = client_of().post
    assert ask("/api/v1/receipts/", receipt, format="json").json() == {"genuine": True}
    for name in receipt:
        changed = {**receipt, name: "2000-01-01T00:00:00+00:00"}
        assert ask("/api/v1/receipts/", changed, format="json").json() == {"genuine": False}
    for nonsense in ([], {}, {**receipt, "more": 1}, "x"):
        assert ask("/api/v1/receipts/", nonsense, format="json").json() == {"genuine": False}


def test_original_run_file_has_a_switch_of_its_own(client_of, world):
    original = world.original.runs.get(origin="original", role="baseline")
    url = f"/api/v1/runs/{original.pk}/file/"
    assert client_of().get(url).status_code == 200
    world.task.original_runs_from = None
    world.task.save()
    assert client_of().get(url).status_code == 403
    world.task.scores_from = None
    world.task.save()
    assert client_of().get(url).status_code == 404
    assert client_of(world.users["assessor"]).get(url).status_code == 200


def test_file_of_a_run_given_by_scores_alone(client_of, task, team, member):
    run = factories.RunFactory(task=task, team=team, file=None, is_scores_only=True)
    answer = client_of(member).get(f"/api/v1/runs/{run.pk}/file/")
    assert answer.status_code == 404
    assert "no file" in answer.json()["detail"]
