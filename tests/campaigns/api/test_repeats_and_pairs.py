"""Requests sent again under a key, and pairs of runs."""

import pytest

from campaigns.models import IdempotentAnswer, Pair, Run
from tests.campaigns import factories
from tests.campaigns.api.conftest import task_url
from tests.campaigns.api.test_submissions import named, post

pytestmark = pytest.mark.django_db
TEXT = factories.RUN_TEXT


def test_idempotency_key_gives_the_same_answer(client_of, task, member, stored_files):
    client = client_of(member)
    first = post(client, task, HTTP_IDEMPOTENCY_KEY="k1")
    before = stored_files()
    again = post(client, task, HTTP_IDEMPOTENCY_KEY="k1")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.content == again.content
    assert first["Location"] == again["Location"]
    assert Run.objects.count() == 1
    assert stored_files() == before
    task.is_paused = True
    task.save()
    assert post(client, task, HTTP_IDEMPOTENCY_KEY="k1").content == first.content


@pytest.mark.parametrize("change", [{"title": "other"}, {"file": b"101 Q0 d9 1 1 demo\n"}])
def test_idempotency_key_of_another_request(client_of, task, member, change):
    client = client_of(member)
    post(client, task, HTTP_IDEMPOTENCY_KEY="k1")
    file = named(change.pop("file", TEXT))
    answer = post(client, task, {"file": file, **change}, HTTP_IDEMPOTENCY_KEY="k1")
    assert (answer.status_code, answer.json()["kind"]) == (422, "idempotency_key_reused")
    assert Run.objects.count() == 1


def test_idempotency_key_of_a_refused_request_may_be_used_again(client_of, task, member):
    client = client_of(member)
    task.is_paused = True
    task.save()
    assert post(client, task, HTTP_IDEMPOTENCY_KEY="k1").status_code == 403
    assert not IdempotentAnswer.objects.exists()
    task.is_paused = False
    task.save()
    assert post(client, task, HTTP_IDEMPOTENCY_KEY="k1").status_code == 202


def test_idempotency_keys_belong_to_the_user(client_of, task, member):
    other = factories.member_of(factories.TeamFactory(campaign=task.campaign))
    first = post(client_of(member), task, HTTP_IDEMPOTENCY_KEY="k1")
    second = post(client_of(other), task, HTTP_IDEMPOTENCY_KEY="k1")
    assert first.json()["id"] != second.json()["id"]


def test_idempotency_key_too_long(client_of, task, member):
    answer = post(client_of(member), task, HTTP_IDEMPOTENCY_KEY="k" * 256)
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"


@pytest.fixture
def pair_task(db):
    task = factories.TaskFactory(same_collection=True)
    factories.original_pair(task, slug="wcrobust")
    return task


def test_pair_is_taken_at_once(client_of, pair_task):
    member = factories.member_of(factories.TeamFactory(campaign=pair_task.campaign))
    data = {
        "baseline": named(TEXT),
        "advanced": named(TEXT.replace(b"demo", b"more")),
        "original": "wcrobust",
        "family": "tf",
        "family_order": "2",
    }
    answer = client_of(member).post(task_url(pair_task, "pairs/"), data, format="multipart")
    assert answer.status_code == 202, answer.content
    pair = Pair.objects.get()
    body = answer.json()
    assert (pair.family, pair.family_order, pair.original.slug) == ("tf", 2, "wcrobust")
    assert body["runs"] == {"baseline": str(pair.baseline_id), "advanced": str(pair.advanced_id)}
    assert body["receipt"]["advanced"]["sha256"] == pair.advanced.file.sha256
    assert answer["Location"].endswith(f"/api/v1/pairs/{pair.pk}/")


def test_pair_run_by_run(client_of, pair_task):
    member = factories.member_of(factories.TeamFactory(campaign=pair_task.campaign))
    client = client_of(member)
    first = post(client, pair_task, {"file": named(), "role": "baseline"}).json()
    second = post(
        client,
        pair_task,
        {
            "file": named(TEXT.replace(b"demo", b"more")),
            "role": "advanced",
            "original": "wcrobust",
            "partner": first["id"],
        },
    ).json()
    pair = Pair.objects.get()
    assert first["pair"] == second["pair"] == str(pair.pk)
    assert (str(pair.baseline_id), str(pair.advanced_id)) == (first["id"], second["id"])


def test_pair_with_a_missing_run_stores_nothing(client_of, pair_task, stored_files):
    member = factories.member_of(factories.TeamFactory(campaign=pair_task.campaign))
    before = stored_files()
    answer = client_of(member).post(
        task_url(pair_task, "pairs/"),
        {"baseline": named(), "original": "nothing"},
        format="multipart",
    )
    assert answer.status_code == 422
    assert {error["field"] for error in answer.json()["errors"]} == {"advanced", "original"}
    assert stored_files() == before


def test_pair_to_a_task_of_runs(client_of, task, member):
    data = {"baseline": named(), "advanced": named(TEXT + b"101 Q0 d7 3 1 demo\n")}
    answer = client_of(member).post(task_url(task, "pairs/"), data, format="multipart")
    assert answer.status_code == 422
    assert not Pair.objects.exists()
