"""Runs and pairs arrive over REST: what is taken, what is refused, with which status."""

import gzip
import io
import json

import pytest
from django.test import Client

from campaigns.models import IdempotentAnswer, Job, Pair, Run, System
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


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty_file"),
        (gzip.compress(TEXT)[:-6], "archive_damaged"),
        (b"\x1f\x8b" + b"x" * 500, "archive_damaged"),
        (gzip.compress(b""), "empty_file"),
    ],
)
def test_file_that_cannot_be_stored(client_of, task, member, stored_files, content, kind):
    before = stored_files()
    answer = post(client_of(member), task, {"file": named(content)})
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert [message["kind"] for message in answer.json()["messages"]] == [kind]
    assert not Run.objects.exists()
    assert stored_files() == before


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


def test_file_over_the_limit_is_cut_off_while_it_streams(client_of, task, member, stored_files):
    task.file_bytes = 1000
    task.save()
    before = stored_files()
    bomb = gzip.compress(b"x" * 10_000_000)
    for content in (b"x" * 1001, bomb):
        answer = post(client_of(member), task, {"file": named(content)})
        assert answer.status_code == 413
        assert answer.json()["kind"] == "file_too_large"
    assert stored_files() == before


def test_announced_length_over_the_limit_is_refused_unread(client_of, task, member, settings):
    task.file_bytes = 1000
    task.save()
    settings.MAX_BODY_BYTES = 1000
    answer = post(client_of(member), task, {"file": named(b"x" * 3000)})
    assert answer.status_code == 413
    assert "3," in answer.json()["detail"]


def _raw(client_of, user, task, body, **meta):
    secret = factories.token_for(user)
    boundary = "multipart/form-data; boundary=cut"
    return Client(raise_request_exception=False).generic(
        "POST",
        task_url(task, "runs/"),
        body,
        content_type=meta.pop("content_type", boundary),
        HTTP_AUTHORIZATION=f"Bearer {secret}",
        **meta,
    )


WHOLE = (
    b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    + TEXT
    + b"\r\n--cut--\r\n"
)


def test_body_without_its_end_is_refused(client_of, task, member, stored_files):
    before = stored_files()
    for body in (WHOLE[:-30], WHOLE[: -len(b"--cut--\r\n") - 2]):
        assert _raw(client_of, member, task, body).status_code == 400
    assert not Run.objects.exists()
    assert stored_files() == before
    assert _raw(client_of, member, task, WHOLE).status_code == 202


@pytest.mark.parametrize(
    ("meta", "status"),
    [
        ({"CONTENT_LENGTH": ""}, 411),
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, 411),
        ({"CONTENT_LENGTH": "12x"}, 400),
        ({"CONTENT_LENGTH": "-1"}, 400),
        ({"CONTENT_LENGTH": "10000000000"}, 413),
        ({"CONTENT_LENGTH": "60"}, 400),
        ({"CONTENT_LENGTH": "1000", "wsgi.input": io.BytesIO(WHOLE)}, 400),
        ({"content_type": "application/json"}, 415),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "multipart/form-data"}, 400),
    ],
)
def test_headers_that_cannot_be_right(client_of, task, member, meta, status):
    answer = _raw(client_of, member, task, WHOLE, **meta)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == status


@pytest.mark.parametrize(("slow", "status"), [(True, 408), (False, 400)])
def test_client_that_stops_sending(client_of, task, member, stored_files, slow, status):
    class Broken(io.BytesIO):
        def read(self, *size):
            piece = super().read(*size)
            if not piece:
                raise TimeoutError(104, "too slow") if slow else ConnectionResetError(104, "gone")
            return piece

    before = stored_files()
    meta = {"wsgi.input": Broken(WHOLE[:100]), "CONTENT_LENGTH": str(len(WHOLE))}
    answer = _raw(client_of, member, task, b"x", **meta)
    assert answer.status_code == status
    assert stored_files() == before


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
