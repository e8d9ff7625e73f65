"""While scores are closed, pages do not tell whether and when a run was scored."""

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import JobKind, JobState, Queue, RunState
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    task = make.TaskFactory(scores_from=None, own_scores_from=None)
    run = make.RunFactory(task=task, state=RunState.SCORED, outcome="accepted")
    make.JobFactory(
        run=run, kind=JobKind.SCORE, state=JobState.DONE, queue=Queue.SCORING,
        finished_at=timezone.now(),
    )  # fmt: skip
    return run


@pytest.fixture
def member(run, logged_in):
    return logged_in(make.member_of(run.team))


def text(client, name, *args, **query) -> str:
    return client.get(reverse(f"pages:{name}", args=args), query).content.decode()


def places(run):
    slugs = (run.task.campaign.slug, run.task.slug)
    return [("run", run.pk), ("run-live", run.pk), ("task", *slugs)]


@pytest.mark.parametrize("place", [0, 1, 2], ids=["run", "live", "task"])
def test_scored_run_is_shown_as_accepted_while_scores_are_closed(run, member, place):
    html = text(member, *places(run)[place])
    assert "Accepted" in html or "withheld" in html
    assert "Scored</span>" not in html
    assert 'class="done"><b>Scored' not in html
    run.task.own_scores_from = make.ALWAYS
    run.task.save()
    assert "Accepted</span>" not in text(member, *places(run)[place])


@pytest.mark.parametrize("job", [JobState.WAITING, JobState.RUNNING, JobState.FAILED])
def test_scoring_under_way_is_not_told_while_scores_are_closed(run, member, job):
    run.state = RunState.ACCEPTED
    run.save()
    before = text(member, "run-live", run.pk)
    row = run.jobs.get()
    row.state, row.reason, row.progress = job, "The judgments are odd.", 0.4
    if job == JobState.RUNNING:
        row.claim, row.lease_until = run.pk, timezone.now()
    row.save()
    assert text(member, "run-live", run.pk) == before


@pytest.mark.parametrize("is_open", [False, True])
def test_filter_of_my_runs_follows_the_state_shown(run, member, is_open):
    if is_open:
        run.task.own_scores_from = make.ALWAYS
        run.task.save()
    found = [
        state
        for state in ("accepted", "scored")
        if str(run.pk) in text(member, "my-runs", state=state)
    ]
    assert found == (["scored"] if is_open else ["accepted"])


def test_run_waiting_for_judgments_is_accepted_in_the_filter_too(run, member):
    run.state = RunState.ACCEPTED
    run.save()
    assert str(run.pk) in text(member, "my-runs", state="accepted")
    assert str(run.pk) not in text(member, "my-runs", state="scored")


@pytest.mark.parametrize("is_named", [False, True])
def test_name_of_a_file_is_withheld_with_the_name_of_its_team(run, client, member, is_named):
    run.task.scores_from = run.task.submitted_runs_from = make.ALWAYS
    run.task.team_names_from = make.ALWAYS if is_named else None
    run.task.save()
    run.file.name = "our-team-bm25.txt"
    run.file.save()
    for address in (reverse("pages:run-file", args=[run.pk]), f"/api/v1/runs/{run.pk}/file/"):
        named = client.get(address)["Content-Disposition"]
        assert ("our-team" in named) == is_named
        assert (str(run.pk) in named) != is_named
        assert "our-team" in member.get(address)["Content-Disposition"]


def test_file_that_the_store_lost_is_not_found(run, member):
    run.file.key = "00/none"
    run.file.save()
    assert member.get(reverse("pages:run-file", args=[run.pk])).status_code == 404
    answer = member.get(f"/api/v1/runs/{run.pk}/file/")
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "The file of this run was lost; tell the organizers.",
    )
