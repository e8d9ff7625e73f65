"""Bodies that are damaged, cut off, too long or announced wrongly: nothing stays behind."""

import gzip
import io

import pytest
from django.test import Client

from campaigns.models import Run
from tests.campaigns import factories
from tests.campaigns.api.conftest import task_url
from tests.campaigns.api.test_submissions import named, post

pytestmark = pytest.mark.django_db
TEXT = factories.RUN_TEXT


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
