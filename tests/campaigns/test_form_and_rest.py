"""The same submission by form and by REST leaves the same rows, and the same refusal none."""

from __future__ import annotations

import gzip
import hashlib
import io
import json

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from campaigns.models import Job, Pair, Run, RunEvent, StoredFile
from tests.campaigns.factories import (
    RUN_TEXT,
    OriginalFactory,
    RunFactory,
    TaskFactory,
    TeamFactory,
    member_of,
    token_for,
)

pytestmark = pytest.mark.django_db

ADVANCED = RUN_TEXT.replace(b"demo", b"more")
FIELDS = [
    {"name": "language", "type": "choice", "choices": ["eng", "zho"], "required": True},
    {"name": "gpus", "type": "number"},
    {"name": "is_open", "type": "flag"},
    {"name": "paper", "type": "url"},
    {"name": "notes", "type": "text"},
]
METADATA = {
    "language": "zho",
    "gpus": 4,
    "is_open": True,
    "paper": "https://example.org/paper?id=1",
    "notes": "fünf = 5",
}


def named(content, name):
    file = io.BytesIO(content)
    file.name = name
    return file


def files_of(files):
    return {field: named(content, name) for field, (content, name) in files.items()}


def by_form(task, team, user, files, fields, metadata, *, is_pair):
    """Post the form of the submit page."""
    browser = Client()
    browser.force_login(user)
    address = reverse("pages:submit", args=[task.campaign.slug, task.slug])
    if "role" in fields:
        address += "?upload=run"
    own = {f"own-{name}": value for name, value in metadata.items() if value is not False}
    data = {"team": str(team.pk), "run_type": "automatic", **fields, **own, **files_of(files)}
    return browser.post(address, data)


def by_rest(task, team, user, files, fields, metadata, *, is_pair):
    """Post to the REST interface with a token."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_for(user)}")
    address = f"/api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/"
    address += "pairs/" if is_pair else "runs/"
    data = {"team": team.slug, **fields, **files_of(files)}
    if metadata:
        data["metadata"] = json.dumps(metadata)
    return client.post(address, data, format="multipart")


WAYS = (by_form, by_rest)


def rows_of(run):
    """Everything stored of a run, but for its identity and times."""
    file = run.file
    return {
        "run": [
            getattr(run, name)
            for name in ("state", "origin", "run_type", "title", "description", "metadata", "role",
                         "text_sha256", "tag", "outcome", "messages", "priority", "is_final")
        ],
        "system": (run.system.slug, run.system.name) if run.system else None,
        "original": run.original.slug if run.original else None,
        "file": [
            getattr(file, name)
            for name in ("purpose", "name", "is_gzip", "size", "text_size", "sha256", "text_sha256")
        ],
        "events": list(RunEvent.objects.filter(run=run).values_list("kind", "detail")),
        "jobs": list(Job.objects.filter(run=run).values_list("kind", "state", "queue", "priority")),
    }  # fmt: skip


def all_rows(team):
    runs = Run.objects.filter(team=team).order_by("role")
    pairs = Pair.objects.filter(team=team)
    return {
        "runs": [rows_of(run) for run in runs],
        "pairs": [
            [pair.title, pair.description, pair.family, pair.original.slug, pair.metadata,
             pair.baseline_id is not None, pair.advanced_id is not None,
             list(pair.jobs.values_list("kind", "state"))]
            for pair in pairs
        ],
    }  # fmt: skip


CASES = {
    "plain": ({"file": (RUN_TEXT, "run.txt")}, {}, {}),
    "gzip": ({"file": (gzip.compress(RUN_TEXT) + bytes(9), "run.gz")}, {}, {}),
    "odd name": ({"file": (RUN_TEXT, "../мой прогон (1).txt")}, {}, {}),
    "not a run": ({"file": (b"%PDF-1.7\x00\xff\n", "paper.pdf")}, {}, {}),
    "windows": ({"file": (RUN_TEXT.replace(b"\n", b"\r\n"), "run.txt")}, {}, {}),
    "described": (
        {"file": (RUN_TEXT, "run.txt")},
        {"system": "BM25 (k1 = 0.9)", "description": "Plain & <simple>.", "run_type": "manual"},
        METADATA,
    ),
    "one of a pair": (
        {"file": (RUN_TEXT, "b.run")},
        {"original": "wcrobust", "role": "baseline"},
        {},
    ),
    "pair": (
        {"baseline": (RUN_TEXT, "b.run"), "advanced": (gzip.compress(ADVANCED), "a.run.gz")},
        {"original": "wcrobust", "title": "tf 1", "family": "tf", "description": "Both."},
        METADATA,
    ),
}


def task_for(fields, metadata, **columns):
    is_of_pair = "original" in fields
    task = TaskFactory(
        fields=FIELDS if metadata else [],
        **({"same_collection": True} if is_of_pair else {}),
        **columns,
    )
    if is_of_pair:
        OriginalFactory(task=task, slug="wcrobust")
    return task


@pytest.mark.parametrize("case", CASES)
def test_form_and_rest_leave_the_same_rows(case):
    files, fields, metadata = CASES[case]
    task = task_for(fields, metadata)
    teams = TeamFactory.create_batch(2, campaign=task.campaign)
    for way, team in zip(WAYS, teams, strict=True):
        answer = way(
            task, team, member_of(team), files, fields, metadata, is_pair="baseline" in files
        )
        assert answer.status_code in (302, 202), answer.content
    form, rest = map(all_rows, teams)
    assert form == rest
    assert len(form["runs"]) == len(files)
    sums = {hashlib.sha256(content).hexdigest() for content, _ in files.values()}
    assert {run["file"][5] for run in form["runs"]} == sums
    assert all(run["run"][5] == (metadata or {}) for run in form["runs"])


def closed(task, team):
    task.is_paused = True


def small(task, team):
    task.file_bytes = 10


def used_up(task, team):
    task.runs_per_team = 1
    RunFactory(task=task, team=team)


def sent_before(task, team):
    RunFactory(task=task, team=team, tag="demo")


@pytest.mark.parametrize(
    ("content", "fields", "prepare", "status"),
    [
        (b"", {}, None, 422),
        (gzip.compress(b""), {}, None, 422),
        (gzip.compress(RUN_TEXT)[:-6], {}, None, 422),
        (RUN_TEXT, {"run_type": "magic"}, None, 422),
        (RUN_TEXT, {"system": "x" * 121}, None, 422),
        (RUN_TEXT, {}, closed, 403),
        (RUN_TEXT, {}, small, 413),
        (gzip.compress(bytes(1000)), {}, small, 413),
        (RUN_TEXT, {}, used_up, 429),
        (RUN_TEXT, {}, sent_before, 409),
        (gzip.compress(RUN_TEXT), {}, sent_before, 409),
    ],
    ids=[
        "empty", "empty gzip", "cut off", "run type", "system", "closed", "too large",
        "too large expanded", "quota", "duplicate", "duplicate gzip",
    ],
)  # fmt: skip
@pytest.mark.parametrize("way", WAYS)
def test_form_and_rest_refuse_the_same_with_the_same_status(way, content, fields, prepare, status):
    task = TaskFactory()
    team = TeamFactory(campaign=task.campaign)
    user = member_of(team)
    if prepare is not None:
        prepare(task, team)
        task.save()
    before = (Run.objects.count(), StoredFile.objects.count(), Job.objects.count())
    files = {"file": (content, "run.txt")}
    answer = way(task, team, user, files, fields, {}, is_pair=False)
    assert answer.status_code == status, answer.content
    assert (Run.objects.count(), StoredFile.objects.count(), Job.objects.count()) == before
