"""Runs and pairs arrive over REST: what is taken, what is refused, with which status."""

import gzip
import io
import json

import pytest
from django.test import Client

from campaigns.models import Job, Run, System
from tests.campaigns import factories
from tests.campaigns.api.conftest import task_url

pytestmark = pytest.mark.django_db
TEXT = factories.RUN_TEXT


def named(text=TEXT, name="run.txt"):
    """A file to post."""
    file = io.BytesIO(text)
    file.name = name
    return file


def post(client, task, data=None, **headers):
    fields = {"file": named()} if data is None else data
    return client.post(task_url(task, "runs/"), fields, format="multipart", **headers)


def test_run_is_taken_and_checked_later(client_of, task, team, member):
    answer = post(client_of(member), task, {"file": named(), "system": "bm25", "title": "First"})
    assert answer.status_code == 202, answer.content
    run = Run.objects.get()
    body = answer.json()
    assert body["id"] == str(run.pk)
    assert body["state"] == "checking"
    assert answer["Location"] == body["url"] == f"http://testserver/api/v1/runs/{run.pk}/"
    assert (run.team, run.submitted_by, run.title) == (team, member, "First")
    assert run.system == System.objects.get(team=team, name="bm25")
    assert body["receipt"]["sha256"] == run.file.sha256
    assert Job.objects.filter(kind="check", run=run, state="waiting").count() == 1


def test_run_as_gzip_keeps_the_bytes_and_knows_the_text(client_of, task, member):
    packed = gzip.compress(TEXT)
    assert post(client_of(member), task, {"file": named(packed, "a.gz")}).status_code == 202
    stored = Run.objects.get().file
    assert (stored.is_gzip, stored.size, stored.text_size) == (True, len(packed), len(TEXT))
    answer = client_of(member).get(f"/api/v1/runs/{Run.objects.get().pk}/file/")
    assert b"".join(answer.streaming_content) == packed
    assert answer["Content-Type"] == "application/gzip"
    assert answer["Content-Disposition"] == 'attachment; filename="a.gz"'


def test_file_name_with_odd_characters(client_of, task, member):
    answer = post(client_of(member), task, {"file": named(TEXT, "../мой прогон (1).txt")})
    assert answer.status_code == 202
    run = Run.objects.get()
    assert run.file.name == "мой прогон (1).txt"
    file = client_of(member).get(f"/api/v1/runs/{run.pk}/file/")
    assert file["Content-Disposition"].startswith("attachment; filename*=utf-8''%D0%BC")


def test_every_fault_is_listed_at_once(client_of, task, member, stored_files):
    task.fields = [{"name": "language", "type": "choice", "choices": ["eng"], "required": True}]
    task.save()
    before = stored_files()
    answer = post(
        client_of(member),
        task,
        {
            "file": named(gzip.compress(TEXT)[:-6]),
            "run_type": "magic",
            "titel": "x",
            "metadata": json.dumps({"colour": "red"}),
        },
    )
    assert answer.status_code == 422
    told = answer.json()
    assert {error["field"] for error in told["errors"]} == {
        "run_type",
        "titel",
        "metadata.colour",
        "metadata.language",
    }
    assert [message["kind"] for message in told["messages"]] == ["archive_damaged"]
    assert stored_files() == before


@pytest.mark.parametrize(
    "metadata",
    [
        "{",
        "[]",
        "NaN",
        '{"a": NaN}',
        '"x"',
        "[" * 50_000,
        '{"a": "\\ud800"}',
        '{"a": 1e999}',
        '{"a": 1' + "0" * 400 + "}",
    ],
)
def test_metadata_that_is_no_json_object(client_of, task, member, metadata):
    task.fields = [{"name": "a", "type": "number"}]
    task.save()
    answer = post(client_of(member), task, {"file": named(), "metadata": metadata})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] in ("metadata", "metadata.a")


@pytest.mark.parametrize("field", ["title", "description", "system", "team", "original"])
def test_nul_in_a_field(client_of, task, member, field):
    answer = post(client_of(member), task, {"file": named(), field: "a\0b"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


def test_duplicate_names_the_first_run(client_of, task, member, stored_files):
    first = post(client_of(member), task).json()
    before = stored_files()
    answer = post(client_of(member), task, {"file": named(gzip.compress(TEXT))})
    assert answer.status_code == 409
    assert answer.json()["run"] == first["id"]
    assert answer.json()["kind"] == "duplicate_submission"
    assert stored_files() == before


def test_same_bytes_from_another_team_are_no_duplicate(client_of, task, member):
    other = factories.member_of(factories.TeamFactory(campaign=task.campaign))
    assert post(client_of(member), task).status_code == 202
    assert post(client_of(other), task).status_code == 202


def test_who_may_not_hand_in(client_of, task, team, member):
    stranger = factories.member_of(factories.TeamFactory())
    assert post(client_of(), task).status_code == 401
    assert post(client_of(stranger), task).status_code == 403
    assert post(client_of(member, "read"), task).status_code == 403
    other = factories.TeamFactory(campaign=task.campaign)
    wrong = post(client_of(member), task, {"file": named(), "team": other.slug})
    unknown = post(client_of(member), task, {"file": named(), "team": "no-such-team"})
    assert wrong.status_code == unknown.status_code == 403
    assert wrong.json() == unknown.json()
    assert not Run.objects.exists()


def test_token_that_is_unknown_expired_or_revoked(client_of, task, member):
    from django.utils import timezone

    from campaigns.services import tokens

    expired, secret = tokens.create_token(member, "old", ["submit"])
    expired.expires_at = timezone.now()
    expired.save()
    revoked, other = tokens.create_token(member, "gone", ["submit"])
    tokens.revoke_token(revoked)
    for token, word in ((secret, "ended"), (other, "revoked"), ("nonsense", "not known")):
        client = client_of()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        answer = post(client, task)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == 'Bearer realm="Centreboard"'
        assert word in answer.json()["detail"]
        assert client.get("/api/v1/campaigns/").status_code == 401


def test_closed_paused_and_unknown_tasks(client_of, task, member):
    client = client_of(member)
    task.is_paused = True
    task.save()
    assert post(client, task).status_code == 403
    closed = factories.TaskFactory(campaign=task.campaign, closed=True)
    answer = post(client, closed)
    assert (answer.status_code, answer.json()["kind"]) == (403, "task_closed")
    hidden = factories.TaskFactory(campaign=factories.CampaignFactory(is_public=False))
    assert post(client, hidden).status_code == 404
    assert client.post(task_url(task, "runs/").replace(task.slug, "nothing")).status_code == 411


def test_unknown_task(client_of, task, member):
    address = task_url(task, "runs/").replace(task.slug, "nothing")
    answer = client_of(member).post(address, {"file": named()}, format="multipart")
    assert answer.status_code == 404


def test_quota_says_when_to_come_back(client_of, task, member):
    task.runs_per_day = 1
    task.save()
    assert post(client_of(member), task).status_code == 202
    answer = post(client_of(member), task, {"file": named(TEXT + b"102 Q0 d9 2 1.5 demo\n")})
    assert (answer.status_code, answer.json()["kind"]) == (429, "per_day")
    assert 86_000 < int(answer["Retry-After"]) <= 86_400


def test_team_is_needed_by_people_in_two(client_of, task, team, member):
    second = factories.MembershipFactory(
        user=member, team=factories.TeamFactory(campaign=task.campaign)
    ).team
    answer = post(client_of(member), task)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "team"
    assert post(client_of(member), task, {"file": named(), "team": second.slug}).status_code == 202
    assert Run.objects.get().team == second


def test_session_needs_its_csrf_token_in_the_header(task, member):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(member)
    address = task_url(task, "runs/")
    assert browser.post(address, {"file": named()}).status_code == 403
    browser.cookies["csrftoken"] = "a" * 32
    answer = browser.post(address, {"file": named()}, headers={"X-CSRFToken": "a" * 32})
    assert answer.status_code == 202


def test_unexpected_file_is_a_fault(client_of, task, member, stored_files):
    before = stored_files()
    answer = post(client_of(member), task, {"file": named(), "notes": named(b"x")})
    assert answer.status_code == 422
    assert answer.json()["messages"][0]["kind"] == "unexpected_file"
    assert stored_files() == before
