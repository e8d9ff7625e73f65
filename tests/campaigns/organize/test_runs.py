"""The desk, the table of runs and what is done to them, originals, the audit list, other eyes."""

from __future__ import annotations

import csv
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import AuditEntry, Job, JobKind, JobState, Queue, Run, RunState
from campaigns.policies import SeenAs, Viewer
from campaigns.services.organizing import runs
from campaigns.services.refusals import RefusalError
from tests.campaigns import factories as make
from tests.campaigns.organize.conftest import file
from tests.campaigns.pages.conftest import fill_board
from tests.campaigns.pipeline import collection_with, drain, publish, qrels_text, run_text, submit

pytestmark = pytest.mark.django_db

QRELS = {"1": {"a": 1}, "2": {"b": 1}}


@pytest.fixture
def task(bench):
    collection = collection_with(bench.campaign, ["1", "2"])
    return make.TaskFactory(
        campaign=bench.campaign, collection=collection, measures=["AP"], primary="AP", slug="adhoc"
    )


@pytest.fixture
def team(bench):
    return make.TeamFactory(campaign=bench.campaign, slug="team-a", name="Team A")


def failed_run(task, **more):
    run = make.RunFactory(task=task, **more)
    make.JobFactory(
        run=run, kind=JobKind.SCORE, queue=Queue.SCORING, state=JobState.FAILED, reason="No disk.",
        subject=f"run:{run.pk}/qrels:1",
    )  # fmt: skip
    return run


def test_desk_counts_each_run_once(bench, task):
    make.RunFactory(task=task)
    make.RunFactory(task=task, state=RunState.SCORED)
    make.RunFactory(task=task, state=RunState.REJECTED)
    make.RunFactory(task=task, state=RunState.CHECKING)
    make.RunFactory(task=task, state=RunState.SCORED, withdrawn_at=timezone.now())
    make.RunFactory(
        task=task, state=RunState.SCORED, disqualified_at=timezone.now(), disqualified_reason="x"
    )
    failed_run(task)
    busy = make.RunFactory(task=task)
    make.JobFactory(run=busy, kind=JobKind.SCORE, queue=Queue.SCORING, state=JobState.DORMANT)
    make.RunFactory(task=task, deleted_at=timezone.now())
    context = bench.get("desk").context
    ((_, counts, total),) = context["lines"]
    assert (dict(counts), total, context["scored"]) == (
        {"checking": 1, "rejected": 1, "accepted": 1, "scoring": 1, "scored": 1, "failed": 1,
         "withdrawn": 1, "disqualified": 1}, 8, 1,
    )  # fmt: skip
    for word, count in counts:
        listed = bench.get("runs", task="adhoc", state=word).context["page"].paginator.count
        assert listed == count, word


def test_failure_that_was_made_good_is_no_failure(bench, task):
    run = failed_run(task)
    assert "The work on 1 run has failed" in bench.get("desk").content.decode()
    make.JobFactory(
        run=run, kind=JobKind.SCORE, queue=Queue.SCORING, state=JobState.DONE,
        subject=f"run:{run.pk}/qrels:1",
    )  # fmt: skip
    assert "has failed" not in bench.get("desk").content.decode()


def test_desk_says_what_needs_attention(bench, task, team):
    collection = task.collection
    make.QrelsFactory(collection=collection, number=1, topics_without_relevant=["2"])
    make.QrelsFactory(collection=collection, number=2, state="draft", published_at=None)
    twin = make.RunFactory(task=task, team=team, text_sha256="f" * 64)
    make.RunFactory(task=task, text_sha256="f" * 64)
    strange = make.RunFactory(task=task, tag="strange", organizer_messages=[
        {"kind": "nothing_judged", "level": "warning", "text": "x"}])  # fmt: skip
    make.RunFactory(task=task, organizer_messages=[
        {"kind": "id_differs_by_unicode_form", "level": "warning", "text": "x"}])  # fmt: skip
    waiting = make.RunFactory(task=task, state=RunState.CHECKING)
    job = make.JobFactory(run=waiting)
    Job.objects.filter(pk=job.pk).update(
        created_at=timezone.now() - timedelta(minutes=41, seconds=5)
    )
    items = bench.get("desk").context["items"]
    assert [(one.urgency, one.title) for one in items] == [
        ("Now", "The oldest job has waited 41 minutes"),
        ("Decide", "Version 2 of the qrels is not published"),
        ("Decide", "1 run with no judged document"),
        ("Decide", "2 runs by different teams are the same file"),
        ("Review", "1 topic without a relevant document"),
    ]
    found = bench.client.get(items[2].href).context["page"].object_list
    assert [run.pk for run in found] == [strange.pk]
    same = bench.client.get(items[3].href).context["page"].object_list
    assert twin.pk in [run.pk for run in same]
    assert len(same) == 2
    assert "Team A" in items[3].text


def test_desk_lists_dates_ahead_in_their_order(bench, task):
    now = timezone.now()
    task.opens, task.closes = now - timedelta(days=1), now + timedelta(days=2)
    task.scores_from, task.own_scores_from = now + timedelta(days=3), None
    task.save()
    make.TaskFactory(campaign=bench.campaign, opens=now + timedelta(days=1))
    titles = [line.title for _, line in bench.get("desk").context["dates"]]
    assert titles == ["Opens", "Closes", "Scores and board"]


def test_quiet_campaign_needs_nothing(bench, task):
    make.QrelsFactory(collection=task.collection, number=1)
    html = bench.get("desk").content.decode()
    assert "Nothing needs you now" in html


def test_participants_learn_nothing_of_hints(bench, task, team, logged_in):
    run = make.RunFactory(task=task, team=team, organizer_messages=[
        {"kind": "nothing_judged", "level": "warning", "text": "Nothing is judged", "line": None,
         "remedy": ""}])  # fmt: skip
    assert "Nothing is judged" in bench.get("run", run.pk).content.decode()
    member = logged_in(make.member_of(team))
    assert (
        "Nothing is judged" not in member.get(reverse("pages:run", args=[run.pk])).content.decode()
    )


@pytest.mark.parametrize("tasks", [1, 4])
def test_queries_of_the_desk_grow_with_tasks_alone(bench, tasks, django_assert_max_num_queries):
    for _ in range(tasks):
        task = make.TaskFactory(campaign=bench.campaign)
        for _ in range(5):
            make.RunFactory(task=task)
    with django_assert_max_num_queries(22 + 2 * tasks):
        bench.get("desk")


@pytest.mark.parametrize("count", [2, 30])
def test_queries_of_the_runs_do_not_grow(bench, task, team, count, django_assert_num_queries):
    for _ in range(count):
        make.RunFactory(task=task, team=team)
    with django_assert_num_queries(8):
        bench.get("runs")


def test_runs_are_found_by_team_and_tag(bench, task, team):
    mine = make.RunFactory(task=task, team=team, tag="bm25-tuned")
    make.RunFactory(task=task, tag="dense")
    for query in ({"team": "team-a"}, {"q": "TUNED"}, {"task": "adhoc", "q": "bm25"}):
        assert [run.pk for run in bench.get("runs", **query).context["page"]] == [mine.pk]
    assert "No run matches" in bench.get("runs", q="nothing").content.decode()


def test_failed_work_is_started_again_for_one_or_all(bench, task):
    first, second = failed_run(task), failed_run(task)
    bench.post("act-on-run", first.pk, "retry")
    assert Job.objects.filter(run=first, state=JobState.WAITING).count() == 1
    bench.post("retry-failed")
    assert Job.objects.filter(run=first, state=JobState.WAITING).count() == 1
    assert Job.objects.filter(run=second, state=JobState.WAITING).count() == 1
    assert AuditEntry.objects.filter(action="start failed work again").count() == 2
    again = bench.client.post(bench.url("act-on-run", first.pk, "retry"), follow=True)
    assert "Nothing of this run has failed" in again.content.decode()


def test_run_is_scored_again_without_other_numbers(bench, task, team):
    early = submit(task, team, run_text({"1": ["a"], "2": ["b"]}, "early"))
    drain()
    refused = bench.client.post(bench.url("act-on-run", early.pk, "rescore"), follow=True)
    assert "No qrels are published" in refused.content.decode()
    publish(task.collection, qrels_text(QRELS))
    drain()
    received = Run.objects.get(pk=early.pk).received_at
    bench.post("act-on-run", early.pk, "rescore")
    assert "score" in drain()
    early.refresh_from_db()
    assert (early.state, early.evaluations.count(), early.received_at) == ("scored", 1, received)
    assert AuditEntry.objects.filter(action="score run again").count() == 1


def test_disqualified_run_says_why_and_comes_back(bench, task):
    run = make.RunFactory(task=task, state=RunState.SCORED)
    refused = bench.client.post(bench.url("act-on-run", run.pk, "disqualify"), follow=True)
    assert "The board shows the reason" in refused.content.decode()
    bench.post("act-on-run", run.pk, "disqualify", reason="Used the judgments")
    assert "Used the judgments" in bench.get("run", run.pk).content.decode()
    bench.post("act-on-run", run.pk, "reinstate", reason="A mistake")
    run.refresh_from_db()
    assert run.disqualified_at is None
    assert list(AuditEntry.objects.values_list("action", "reason")) == [
        ("reinstate run", "A mistake"), ("disqualify run", "Used the judgments"),
    ]  # fmt: skip


def test_withdrawn_run_is_brought_back_unless_its_text_came_again(bench, task, team):
    run = make.RunFactory(task=task, team=team, text_sha256="e" * 64)
    bench.post("act-on-run", run.pk, "withdraw")
    run.refresh_from_db()
    assert run.withdrawn_at is not None
    bench.post("act-on-run", run.pk, "restore", reason="Asked for it")
    run.refresh_from_db()
    assert run.withdrawn_at is None
    bench.post("act-on-run", run.pk, "withdraw")
    make.RunFactory(task=task, team=team, text_sha256="e" * 64)
    answer = bench.client.post(bench.url("act-on-run", run.pk, "restore"), follow=True)
    assert "submitted the same text again" in answer.content.decode()
    run.refresh_from_db()
    assert run.withdrawn_at is not None


def test_pooled_runs_are_marked(bench, task):
    run = make.RunFactory(task=task)
    for action, wanted in (("pooled", True), ("pooled", True), ("not-pooled", False)):
        bench.post("act-on-run", run.pk, action)
        run.refresh_from_db()
        assert run.is_pooled is wanted
    assert AuditEntry.objects.count() == 2
    assert bench.post("act-on-run", run.pk, "burn").status_code == 404


def test_services_of_runs_refuse_everybody_else(bench, task, team):
    run = make.RunFactory(task=task, team=team, withdrawn_at=timezone.now())
    for user in (make.member_of(team), make.organizer_of(bench.campaign, "assessor")):
        viewer = Viewer.of(user)
        for attempt in (
            lambda v=viewer: runs.rescore_run(v, run),
            lambda v=viewer: runs.mark_pooled(v, run, is_pooled=True),
            lambda v=viewer: runs.restore_run(v, run, ""),
            lambda v=viewer: runs.retry_failed_runs(v, bench.campaign),
        ):
            with pytest.raises(RefusalError) as refused:
                attempt()
            assert refused.value.status == 403


@pytest.fixture
def pair_task(bench):
    collection = collection_with(bench.campaign, ["1", "2"])
    return make.TaskFactory(
        campaign=bench.campaign, collection=collection, same_collection=True, measures=["AP"],
        primary="AP", slug="pair",
    )  # fmt: skip


def test_original_gets_both_runs_and_a_rejected_one_is_replaced(bench, pair_task):
    assert bench.post("originals", "pair", title="One", slug="one").status_code == 302
    bad, good = b"1 Q0 a 1 9 t\n1 Q0 a 2 8 t\n", run_text({"1": ["x", "a"]}, "b")
    bench.post("original-run", "pair", "one", "baseline", file=file(bad))
    drain()
    html = bench.get("originals", "pair").content.decode()
    assert "Not accepted" in html
    bench.post("original-run", "pair", "one", "baseline", file=file(good))
    bench.post("original-run", "pair", "one", "advanced", file=file(run_text({"1": ["a"]}, "a")))
    drain()
    sound = Run.objects.filter(deleted_at=None)
    assert [(run.role, run.state) for run in sound.order_by("role")] == [
        ("advanced", "accepted"), ("baseline", "accepted"),
    ]  # fmt: skip
    again = bench.client.post(
        bench.url("original-run", "pair", "one", "baseline"), {"file": file(good)}, follow=True
    )
    assert "has its baseline run" in again.content.decode()
    assert "already" in bench.post("originals", "pair", title="B", slug="one").content.decode()
    assert bench.post("original-run", "pair", "one", "middle", file=file(good)).status_code == 404


def test_ranking_task_has_no_originals(bench, task):
    assert bench.get("originals", "adhoc").status_code == 404
    assert bench.post("originals", "adhoc", title="One", slug="one").status_code == 404


def test_audit_list_is_filtered_and_downloaded_without_formulas(bench):
    make.AuditEntryFactory(campaign=bench.campaign, action="move deadline", target="=cmd()",
                           reason="Power cut", actor_label="Ada")  # fmt: skip
    make.AuditEntryFactory(campaign=bench.campaign, action="add member", actor_label="Bob")
    make.AuditEntryFactory(action="of another campaign")
    assert bench.get("audit").context["page"].paginator.count == 2
    for query in ({"action": "move deadline"}, {"actor": "Ada"}, {"q": "power"}):
        assert [e.reason for e, _ in bench.get("audit", **query).context["lines"]] == ["Power cut"]
    response = bench.get("audit", action="move deadline", format="csv")
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert [(row["actor"], row["target"], row["reason"]) for row in rows] == [
        ("Ada", "'=cmd()", "Power cut")
    ]
    assert "audit-" in response["Content-Disposition"]


@pytest.fixture
def board(bench):
    task = make.TaskFactory(campaign=bench.campaign, scores_from=None, team_names_from=None)
    return fill_board(task)


def test_pages_are_seen_as_others_see_them_until_it_ends(bench, board):
    assert board.rows[0].run.tag in bench.client.get(board.url).content.decode()
    for role in ("visitor", "participant"):
        bench.post("see-as", role=role)
        html = bench.client.get(board.url).content.decode()
        assert board.rows[0].run.tag not in html
        assert "You see pages as" in html
        run = reverse("pages:run", args=[board.rows[0].run.pk])
        assert bench.client.get(run).status_code == 404
    assert bench.get("desk").status_code == 200
    bench.client.post(reverse("organize:see-as-oneself"))
    html = bench.client.get(board.url).content.decode()
    assert board.rows[0].run.tag in html
    assert "You see pages as" not in html


def test_participant_of_a_team_is_seen_with_its_runs(bench, board):
    run = board.rows[0].run
    bench.post("see-as", role="participant", team=run.team.slug)
    assert bench.client.get(reverse("pages:run", args=[run.pk])).status_code == 200
    other = reverse("pages:run", args=[board.rows[1].run.pk])
    assert bench.client.get(other).status_code == 404
    html = bench.client.get(board.url).content.decode()
    assert f"a member of {run.team.name}" in html


def test_private_campaign_hides_itself_from_the_visitor_alone(bench):
    bench.campaign.is_public = False
    bench.campaign.save()
    address = reverse("pages:campaign", args=[bench.campaign.slug])
    bench.post("see-as", role="participant")
    assert bench.client.get(address).status_code == 200
    bench.post("see-as", role="visitor")
    assert bench.client.get(address).status_code == 404


def test_what_is_sent_is_sent_as_oneself(bench, board):
    run = board.rows[0].run
    bench.post("see-as", role="visitor")
    assert bench.client.post(reverse("pages:run-withdraw", args=[run.pk])).status_code == 302
    run.refresh_from_db()
    assert run.withdrawn_at is not None


def test_other_eyes_are_of_no_use_to_those_who_do_not_oversee(bench, board, logged_in):
    stranger = make.UserFactory()
    client = logged_in(stranger)
    assert client.post(bench.url("see-as"), {"role": "visitor"}).status_code == 404
    session = client.session
    session["seen_as"] = {"campaign": bench.campaign.pk, "slug": bench.campaign.slug,
                          "role": "participant", "team": board.rows[0].team.pk}  # fmt: skip
    session.save()
    run = reverse("pages:run", args=[board.rows[0].run.pk])
    assert client.get(run).status_code == 404


def test_viewer_through_other_eyes_has_no_rights(bench):
    viewer = bench.viewer.as_seen(SeenAs(bench.campaign.pk, is_participant=True))
    assert (viewer.roles, viewer.teams) == ({}, {0: bench.campaign.pk})
    boss = Viewer.of(make.UserFactory(is_superuser=True))
    assert boss.as_seen(SeenAs(1, is_participant=False)).is_site_administrator is False
