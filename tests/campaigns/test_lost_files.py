"""Files that the store lost or changed: the run fails with a reason, and is not held against it."""

import gzip
from pathlib import Path

import pytest

from campaigns.models import JobKind, Run, RunState
from campaigns.services import jobs
from campaigns.services.uploads import runs_storage
from campaigns.states import status_of
from tests.campaigns import factories as make
from tests.campaigns.pipeline import drain, run_text, stored

pytestmark = pytest.mark.django_db

TEXT = run_text({"101": ["d1", "d2"], "102": ["d3"]})
CHANGED = "The stored run file no longer has the checksum it arrived with."


@pytest.fixture
def run():
    received = stored(gzip.compress(TEXT), "run.gz")
    run = make.RunFactory(state=RunState.CHECKING, text_sha256=received.text_sha256)
    run.file = received.row("run")
    run.file.save(force_insert=True)
    run.save()
    return run


def check(run: Run):
    jobs.ensure(JobKind.CHECK, run=run)
    drain()
    run.refresh_from_db()
    return status_of(run)


def path_of(run: Run) -> Path:
    return Path(runs_storage().path(run.file.key))


def test_missing_file_fails_without_a_path_of_the_server(run):
    path_of(run).unlink()
    status = check(run)
    assert (status.state, status.reason) == (
        "failed",
        "A stored file is no longer where it was put.",
    )


def test_archive_damaged_in_the_store_fails_and_is_not_a_refusal(run):
    path_of(run).write_bytes(path_of(run).read_bytes()[:-12])
    status = check(run)
    assert (status.state, status.reason) == (
        "failed",
        "The stored run file can no longer be expanded.",
    )
    assert run.state == RunState.CHECKING


@pytest.mark.parametrize("text", [TEXT.replace(b"d1", b"d9"), b"nonsense\n"], ids=["run", "other"])
def test_other_bytes_in_the_store_fail_the_check(run, text):
    path_of(run).write_bytes(gzip.compress(text))
    status = check(run)
    assert (status.state, status.reason, run.state) == ("failed", CHANGED, RunState.CHECKING)


@pytest.mark.parametrize("ending", [b"", b"\0" * 700, gzip.compress(b"")])
def test_archive_that_was_received_is_read_in_the_check(ending):
    received = stored(gzip.compress(TEXT) + ending)
    run = make.RunFactory(state=RunState.CHECKING, text_sha256=received.text_sha256)
    run.file = received.row("run")
    run.file.save(force_insert=True)
    run.save()
    assert check(run).state != "failed"
