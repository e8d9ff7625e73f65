"""A run or a pair arrives: who may, when, what is refused, and that nothing stays of a refusal."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.models import (
    Campaign,
    JobState,
    Pair,
    Run,
    RunEvent,
    RunState,
    StoredFile,
    System,
    Task,
)
from campaigns.policies import Viewer
from campaigns.services.refusals import RefusalError
from campaigns.services.submissions import Details, submit_pair, submit_run
from tests.campaigns.factories import (
    RUN_TEXT,
    MembershipFactory,
    OriginalFactory,
    TaskFactory,
    TeamFactory,
    UserFactory,
)
from tests.campaigns.pipeline import member_of, stored

pytestmark = pytest.mark.django_db

CLOSES = datetime(2026, 5, 31, 23, 59, 59, tzinfo=UTC)
OTHER_TEXT = RUN_TEXT.replace(b"demo", b"more")


@pytest.fixture
def task():
    return TaskFactory()


@pytest.fixture
def team(task):
    return TeamFactory(campaign=task.campaign)


@pytest.fixture
def viewer(team):
    return member_of(team)


def send(viewer, task, team, text=RUN_TEXT, details=None, at=None, **more):
    received = stored(text)
    if at is not None:
        received = replace(received, received_at=at)
    return submit_run(viewer, task, team, received, details or Details(), **more)


def refusal(*arguments, **more):
    """The refusal of a run, after which everything is as before."""
    before = (Run.objects.count(), StoredFile.objects.count(), Pair.objects.count())
    with pytest.raises(RefusalError) as refused:
        send(*arguments, **more)
    assert (Run.objects.count(), StoredFile.objects.count(), Pair.objects.count()) == before
    return refused.value


def test_run_is_stored_with_its_file_event_and_waiting_check(viewer, task, team):
    details = Details("manual", "First", "Plain BM25.", "BM25")
    run = send(viewer, task, team, gzip.compress(RUN_TEXT), details)
    run.refresh_from_db()
    assert (run.state, run.team, run.submitted_by) == (RunState.CHECKING, team, viewer.user)
    assert (run.run_type, run.title, run.description) == ("manual", "First", "Plain BM25.")
    assert run.system == System.objects.get(team=team, slug="bm25", name="BM25")
    assert run.file.is_gzip
    assert run.text_sha256 == run.file.text_sha256 != run.file.sha256
    event = RunEvent.objects.get(run=run)
    assert (event.kind, event.detail["sha256"]) == ("received", run.file.sha256)
    job = run.jobs.get()
    assert (job.kind, job.state, job.queue) == ("check", JobState.WAITING, "checking")


def test_only_members_may_submit_and_only_for_their_team(viewer, task, team):
    left = MembershipFactory(team=team, left_at=timezone.now()).user
    strangers = [
        Viewer(None),
        Viewer.of(UserFactory(is_superuser=True)),
        Viewer.of(left),
        member_of(TeamFactory(campaign=task.campaign)),
    ]
    for stranger in strangers:
        refused = refusal(stranger, task, team)
        assert (refused.kind, refused.status) == ("not_a_member", 403)
    elsewhere = TaskFactory()
    assert refusal(viewer, elsewhere, team).kind == "not_a_member"


@pytest.mark.parametrize(
    ("columns", "seconds", "word"),
    [
        ({"closes": CLOSES}, -1, ""),
        ({"closes": CLOSES}, 0.999, ""),
        ({"closes": CLOSES}, 1, "closed at 2026-05-31 23:59:59 UTC"),
        ({"opens": CLOSES}, 0, ""),
        ({"opens": CLOSES}, -0.001, "opens at 2026-05-31 23:59:59 UTC"),
        ({"is_paused": True}, 0, "paused"),
    ],
)
def test_moment_of_the_last_byte_decides(viewer, task, team, columns, seconds, word):
    for name, value in columns.items():
        setattr(task, name, value)
    at = CLOSES + timedelta(seconds=seconds)
    if not word:
        assert send(viewer, task, team, at=at).received_at == at
        return
    refused = refusal(viewer, task, team, at=at)
    assert (refused.kind, refused.status) == ("task_closed", 403)
    assert word in refused.text


@pytest.mark.parametrize("what", ["task", "campaign"])
def test_nothing_is_taken_for_what_was_deleted_during_the_upload(viewer, task, team, what):
    rows = {"task": Task.objects.filter(pk=task.pk), "campaign": Campaign.objects.all()}
    rows[what].update(deleted_at=timezone.now())
    refused = refusal(viewer, task, team)
    assert (refused.kind, refused.status) == ("task_closed", 403)
    assert "deleted" in refused.text


def test_every_fault_of_the_details_is_said_at_once(viewer, task, team):
    task.fields = [{"name": "language", "type": "choice", "choices": ["eng"], "required": True}]
    details = Details("magic", "x" * 201, "", "y" * 121, {"colour": "red"})
    refused = refusal(viewer, task, team, details=details)
    assert (refused.kind, refused.status) == ("bad_field", 422)
    assert set(refused.errors) == {"run_type", "title", "system", "colour", "language"}


def test_marks_that_turn_text_are_refused_whoever_hands_in(viewer, task, team):
    details = Details(title="a\u202eb", description="two\nlines\x07", system="\u2067x")
    refused = refusal(viewer, task, team, details=details)
    assert set(refused.errors) == {"title", "description", "system"}


def test_metadata_is_stored_in_its_types(viewer, task, team):
    task.fields = [{"name": "gpus", "type": "number"}, {"name": "is_open", "type": "flag"}]
    run = send(viewer, task, team, details=Details(metadata={"gpus": "4", "is_open": "false"}))
    run.refresh_from_db()
    assert run.metadata == {"gpus": 4, "is_open": False}


def test_system_is_found_again_by_its_name_and_gets_a_slug_of_its_own(viewer, task, team):
    names = ["BM25", " BM25 ", "bm25", "系统", "Система", "", "  "]
    systems = []
    for number, name in enumerate(names):
        text = RUN_TEXT.replace(b"demo", b"run%d" % number)
        systems.append(send(viewer, task, team, text, Details(system=name)).system)
    first, again, other, *odd, none, blank = systems
    assert first == again != other
    assert (none, blank) == (None, None)
    slugs = list(System.objects.filter(team=team).values_list("slug", flat=True))
    assert len(slugs) == len(set(slugs)) == 4
    assert {"bm25", "system"} <= set(slugs)
    assert [system.name for system in odd] == ["系统", "Система"]


def test_same_text_is_a_duplicate_whatever_the_packing(viewer, task, team):
    first = send(viewer, task, team)
    for text in (RUN_TEXT, gzip.compress(RUN_TEXT), gzip.compress(RUN_TEXT, 1)):
        refused = refusal(viewer, task, team, text)
        assert (refused.kind, refused.status) == ("duplicate_submission", 409)
        assert refused.errors == {"run": str(first.pk)}
    assert send(viewer, task, team, RUN_TEXT + b"\n").pk != first.pk


@pytest.mark.parametrize(
    "columns",
    [
        {"state": RunState.REJECTED},
        {"withdrawn_at": timezone.now()},
        {"deleted_at": timezone.now()},
    ],
)
def test_refused_or_withdrawn_run_may_be_sent_again(viewer, task, team, columns):
    first = send(viewer, task, team)
    Run.objects.filter(pk=first.pk).update(**columns)
    assert send(viewer, task, team).pk != first.pk


def test_same_text_is_no_duplicate_for_another_team_or_task(viewer, task, team):
    send(viewer, task, team)
    other = TeamFactory(campaign=task.campaign)
    send(member_of(other), task, other)
    send(viewer, TaskFactory(campaign=task.campaign), team)
    assert Run.objects.filter(text_sha256=Run.objects.first().text_sha256).count() == 3


def test_limit_of_the_team_is_a_refusal(viewer, task, team):
    task.runs_per_team = 1
    send(viewer, task, team)
    refused = refusal(viewer, task, team, OTHER_TEXT)
    assert (refused.kind, refused.status) == ("runs_per_team", 429)


def test_ranking_task_takes_no_role(viewer, task, team):
    assert refusal(viewer, task, team, role="baseline").errors.keys() == {"role"}
    original = OriginalFactory(task=TaskFactory(campaign=task.campaign, same_collection=True))
    assert refusal(viewer, task, team, original=original).errors.keys() == {"role"}


@pytest.fixture
def pair_task(task):
    return TaskFactory(campaign=task.campaign, same_collection=True)


@pytest.fixture
def original(pair_task):
    return OriginalFactory(task=pair_task)


def test_run_of_a_pair_task_needs_an_original_of_the_task_and_a_role(
    viewer, pair_task, team, original
):
    elsewhere = OriginalFactory()
    for given in (None, elsewhere):
        refused = refusal(viewer, pair_task, team, original=given, role="baseline")
        assert (refused.status, refused.errors.keys()) == (422, {"original"})
    for role in ("", "better"):
        refused = refusal(viewer, pair_task, team, original=original, role=role)
        assert (refused.status, refused.errors.keys()) == (422, {"role"})


@pytest.mark.parametrize("is_named_by_pair", [True, False])
@pytest.mark.parametrize("first", ["baseline", "advanced"])
def test_second_run_completes_the_pair_of_its_partner(
    viewer, pair_task, team, original, first, is_named_by_pair
):
    second = {"baseline": "advanced", "advanced": "baseline"}[first]
    one = send(viewer, pair_task, team, original=original, role=first)
    pair = Pair.objects.get()
    assert (getattr(pair, first), getattr(pair, second)) == (one, None)
    assert pair.jobs.get().state == JobState.DORMANT
    partner = pair.pk if is_named_by_pair else one.pk
    two = send(viewer, pair_task, team, OTHER_TEXT, original=original, role=second, partner=partner)
    pair = Pair.objects.get()
    assert (getattr(pair, first), getattr(pair, second)) == (one, two)
    assert pair.jobs.count() == 1


def test_baseline_may_be_the_partner_of_several_advanced_runs(viewer, pair_task, team, original):
    baseline = send(viewer, pair_task, team, original=original, role="baseline")
    for number in range(2):
        text = RUN_TEXT.replace(b"demo", b"a%d" % number)
        send(viewer, pair_task, team, text, original=original, role="advanced", partner=baseline.pk)
    assert [pair.baseline for pair in Pair.objects.all()] == [baseline, baseline]
    assert {str(pair.advanced.file.name) for pair in Pair.objects.all()} == {"run.txt"}


def test_partner_must_be_the_teams_run_of_the_other_role(viewer, pair_task, team, original):
    own = send(viewer, pair_task, team, original=original, role="baseline")
    rival = TeamFactory(campaign=pair_task.campaign)
    theirs = send(member_of(rival), pair_task, rival, original=original, role="baseline")
    elsewhere = OriginalFactory(task=pair_task)
    for role, of, partner in (
        ("advanced", original, uuid4()),
        ("advanced", original, theirs.pk),
        ("advanced", elsewhere, own.pk),
        ("baseline", original, own.pk),
    ):
        refused = refusal(
            viewer, pair_task, team, OTHER_TEXT, original=of, role=role, partner=partner
        )
        assert (refused.status, refused.errors.keys()) == (422, {"partner"})


def send_two(viewer, task, team, original, baseline=RUN_TEXT, advanced=OTHER_TEXT, **more):
    received = [stored(baseline), stored(advanced)]
    details = more.pop("details", Details(title="Both"))
    return submit_pair(viewer, task, team, *received, details, original=original, **more)


def test_pair_is_stored_with_both_runs(viewer, pair_task, team, original):
    pair = send_two(viewer, pair_task, team, original, family="tf", family_order=2)
    pair.refresh_from_db()
    assert (pair.baseline.role, pair.advanced.role) == ("baseline", "advanced")
    assert (pair.title, pair.family, pair.family_order) == ("Both", "tf", 2)
    assert {run.original for run in (pair.baseline, pair.advanced)} == {original}
    assert [job.kind for job in pair.jobs.all()] == ["compare"]
    assert {run.jobs.get().kind for run in (pair.baseline, pair.advanced)} == {"check"}


@pytest.mark.parametrize(
    ("change", "kind", "status"),
    [
        ({"original": None}, "bad_field", 422),
        ({"advanced": RUN_TEXT}, "duplicate_submission", 409),
        ({"advanced": gzip.compress(RUN_TEXT)}, "duplicate_submission", 409),
        ({"family": "x" * 61}, "bad_field", 422),
        ({"details": Details(run_type="magic")}, "bad_field", 422),
    ],
)
def test_pair_with_a_fault_leaves_nothing(viewer, pair_task, team, original, change, kind, status):
    with pytest.raises(RefusalError) as refused:
        send_two(viewer, pair_task, team, **{"original": original, **change})
    assert (refused.value.kind, refused.value.status) == (kind, status)
    assert not Run.objects.exists()
    assert not StoredFile.objects.exists()


def test_pair_of_which_one_run_is_a_duplicate_is_refused_whole(viewer, pair_task, team, original):
    first = send(viewer, pair_task, team, OTHER_TEXT, original=original, role="advanced")
    with pytest.raises(RefusalError) as refused:
        send_two(viewer, pair_task, team, original)
    assert refused.value.errors == {"run": str(first.pk)}
    assert list(Run.objects.all()) == [first]
    assert StoredFile.objects.count() == 1


def test_pair_counts_as_two_runs_and_by_its_later_file(viewer, pair_task, team, original):
    pair_task.runs_per_team = 1
    with pytest.raises(RefusalError) as refused:
        send_two(viewer, pair_task, team, original)
    assert (refused.value.kind, refused.value.status) == ("runs_per_team", 429)
    pair_task.runs_per_team, pair_task.closes = None, CLOSES
    in_time, late = (
        replace(stored(text), received_at=CLOSES + timedelta(seconds=seconds))
        for text, seconds in ((RUN_TEXT, 0), (OTHER_TEXT, 1))
    )
    for files in ((in_time, late), (late, in_time)):
        with pytest.raises(RefusalError) as refused:
            submit_pair(viewer, pair_task, team, *files, Details(), original=original)
        assert refused.value.kind == "task_closed"
    assert not Run.objects.exists()


def test_ranking_task_takes_no_pair(viewer, task, team, original):
    with pytest.raises(RefusalError) as refused:
        send_two(viewer, task, team, original)
    assert refused.value.status == 422
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    "change",
    [{"withdrawn_at": timezone.now()}, {"state": RunState.REJECTED}],
    ids=["withdrawn", "refused"],
)
def test_partner_that_left_the_board_is_refused(viewer, pair_task, team, original, change):
    baseline = send(viewer, pair_task, team, RUN_TEXT, original=original, role="baseline")
    Run.objects.filter(pk=baseline.pk).update(**change)
    with pytest.raises(RefusalError) as refused:
        send(
            viewer, pair_task, team, OTHER_TEXT,
            original=original, role="advanced", partner=baseline.pk,
        )  # fmt: skip
    assert (refused.value.status, refused.value.errors.keys()) == (422, {"partner"})
    assert not Run.objects.filter(role="advanced").exists()
