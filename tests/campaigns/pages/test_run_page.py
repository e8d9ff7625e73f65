"""The run page: who sees what, the report, the states, receipts, withdrawal, retry."""

import json
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaigns import recipes
from campaigns.models import Evaluation, Job, JobKind, JobState, Queue, Run, RunState
from campaigns.services.receipts import is_genuine
from campaigns.views.findings import findings, marked
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import recipe_row

pytestmark = pytest.mark.django_db

MESSAGE = {
    "level": "warning",
    "line": 7,
    "kind": "tied_scores",
    "topic": None,
    "text": "Some scores are equal.",
    "remedy": "Give different scores.",
    "quoted": "101 Q0 <b>d1</b> 1 9.5 demo",
}


def url(run, name="run") -> str:
    return reverse(f"pages:{name}", args=[run.pk])


def page(client, run, status=200) -> str:
    response = client.get(url(run))
    assert response.status_code == status
    return response.content.decode()


def score(run, value=0.4321) -> None:
    """Give the run its score on the current board."""
    board = make.BoardFactory(task=run.task, number=1)
    Evaluation.objects.create(
        run=run,
        qrels=board.qrels,
        recipe=recipe_row(recipes.evaluation_recipe(run.task, "nDCG@10")),
        mean=value,
        interval_low=0.4,
        interval_high=0.5,
        topics_averaged=2,
        topic_order=board.qrels.topic_order,
        topic_values=make.packed(0.4, 0.46),
    )
    Run.objects.filter(pk=run.pk).update(state=RunState.SCORED)


@pytest.fixture
def run(db):
    return make.RunFactory(messages=[MESSAGE], outcome="accepted_with_warning")


@pytest.fixture
def member(run, logged_in):
    return logged_in(make.member_of(run.team))


@pytest.fixture
def organizer(run, logged_in):
    return logged_in(make.organizer_of(run.task.campaign))


def test_report_groups_findings_errors_first_and_quotes_lines(run, member):
    errors = [
        {**MESSAGE, "level": "error", "line": line, "kind": "bad_score", "text": f"Bad {line}."}
        for line in (3, 9, 1204)
    ]
    Run.objects.filter(pk=run.pk).update(
        messages=[MESSAGE, *errors], state=RunState.REJECTED, outcome="rejected"
    )
    html = page(member, run)
    assert "1 kind of error, so this run was not accepted" in html
    assert html.index("bad_score") < html.index("tied_scores")
    assert html.count('<li class="finding">') == 2
    assert "Line 3</div>" in html
    assert "2 more of this kind" in html
    assert "Line 1,204: Bad 1204." in html
    assert "101 Q0 &lt;b&gt;d1&lt;/b&gt; 1 9.5 demo" in html
    assert "Give different scores." in html


def test_run_without_a_tag_yet_goes_by_its_file(run, member):
    Run.objects.filter(pk=run.pk).update(tag="", state=RunState.CHECKING)
    assert "<title>Run run.txt · Centreboard</title>" in page(member, run)


def test_report_is_for_the_team_and_the_organizers(run, member, organizer, client):
    assert "tied_scores" in page(member, run)
    assert "tied_scores" in page(organizer, run)
    assert "tied_scores" not in page(client, run)


def test_hints_from_judgments_are_for_organizers_alone(run, member, organizer, client):
    Run.objects.filter(pk=run.pk).update(
        organizer_messages=[{**MESSAGE, "kind": "nothing_judged", "text": "Nothing is judged."}]
    )
    assert "Nothing is judged." in page(organizer, run)
    assert "Nothing is judged." not in page(member, run)
    assert "Nothing is judged." not in page(client, run)


def test_score_stands_beside_its_interval_and_passport(run, client):
    score(run)
    html = page(client, run)
    assert '<td class="n lead">.4321</td>' in html
    assert '<td class="n">.4000 to .5000</td>' in html
    assert "qrels v" in html
    assert "Measure passport" in html


def test_closed_scores_are_shown_to_organizers_only(run, member, organizer, client):
    score(run)
    later = timezone.now() + timedelta(days=9)
    task = run.task
    task.own_scores_from = task.scores_from = later
    task.save()
    html = page(member, run)
    assert "Scores are released on" in html
    for secret in (".4321", ".4000", "qrels v", "Measure passport", "recipe"):
        assert secret not in html
        assert secret not in member.get(url(run, "run-live")).content.decode()
    assert ".4321" in page(organizer, run)
    assert client.get(url(run)).status_code == 404


def test_own_scores_may_open_before_the_board(run, member, client):
    score(run)
    run.task.scores_from = None
    run.task.save()
    assert ".4321" in page(member, run)
    page(client, run, 404)


def test_undefined_score_is_a_dash_with_its_reason(run, client):
    board = make.BoardFactory(task=run.task, number=1)
    Evaluation.objects.create(
        run=run, qrels=board.qrels, mean=None, reason="no topic is judged", topics_averaged=0,
        recipe=recipe_row(recipes.evaluation_recipe(run.task, "nDCG@10")),
        topic_order=board.qrels.topic_order, topic_values=b"",
    )  # fmt: skip
    Run.objects.filter(pk=run.pk).update(state=RunState.SCORED)
    html = page(client, run)
    assert '<td class="n undef" title="no topic is judged">–' in html
    assert ".0000" not in html


def test_failed_work_shows_its_reason_to_the_team_not_to_strangers(run, member, client):
    make.JobFactory(
        run=run, kind=JobKind.SCORE, state=JobState.FAILED, queue=Queue.SCORING,
        reason="The worker stopped 3 times.",
    )  # fmt: skip
    html = page(member, run)
    assert "The worker stopped 3 times." in html
    assert "Start the failed work again" not in html
    assert "The worker stopped 3 times." not in page(client, run)


def test_organizer_starts_failed_work_again(run, member, organizer):
    make.JobFactory(
        run=run, kind=JobKind.SCORE, state=JobState.FAILED, queue=Queue.SCORING, reason="x"
    )
    assert "Start the failed work again" in page(organizer, run)
    assert member.post(url(run, "run-retry"), follow=True).status_code == 200
    assert Job.objects.filter(run=run).count() == 1
    response = organizer.post(url(run, "run-retry"), follow=True)
    assert "The work has been started again." in response.content.decode()
    assert Job.objects.filter(run=run, state=JobState.WAITING).count() == 1


@pytest.mark.parametrize(
    ("state", "job", "word", "seconds"),
    [
        (RunState.CHECKING, JobState.WAITING, "waiting, place 1", 2),
        (RunState.CHECKING, JobState.RUNNING, "being read", 2),
        (RunState.ACCEPTED, None, "waits for the judgments", 30),
        (RunState.REJECTED, JobState.DONE, "errors found", None),
    ],
)
def test_state_refreshes_itself_until_it_is_final(run, member, state, job, word, seconds):
    Run.objects.filter(pk=run.pk).update(state=state)
    if job:
        claim = {"claim": run.pk, "lease_until": timezone.now()} if job == JobState.RUNNING else {}
        make.JobFactory(run=run, state=job, **claim)
    html = page(member, run)
    assert word in html
    assert (f'hx-trigger="every {seconds}s"' in html) == (seconds is not None)
    assert ('http-equiv="refresh"' in html) == (seconds is not None)


def test_live_part_is_sent_only_when_it_changed(run, member):
    Run.objects.filter(pk=run.pk).update(state=RunState.CHECKING)
    html = page(member, run)
    seen = html.partition("?seen=")[2].partition('"')[0]
    assert member.get(url(run, "run-live"), {"seen": seen}).status_code == 204
    Run.objects.filter(pk=run.pk).update(state=RunState.REJECTED)
    response = member.get(url(run, "run-live"), {"seen": seen})
    assert response.status_code == 200
    assert "hx-trigger" not in response.content.decode()
    assert 'id="live-status" role="status" hx-swap-oob="true">Not accepted<' in (
        response.content.decode()
    )


def test_receipt_is_genuine_and_only_for_the_team(run, member, client):
    response = member.get(url(run, "run-receipt"))
    receipt = json.loads(response.content)
    assert is_genuine(receipt)
    assert receipt["sha256"] == run.file.sha256
    assert client.get(url(run, "run-receipt")).status_code == 404


def test_file_follows_its_own_switch(run, member, client):
    response = member.get(url(run, "run-file"))
    assert b"".join(response.streaming_content).startswith(b"101 Q0 d1")
    assert "attachment" in response["Content-Disposition"]
    assert client.get(url(run, "run-file")).status_code == 404
    run.task.submitted_runs_from = make.ALWAYS
    run.task.save()
    assert client.get(url(run, "run-file")).status_code == 200


def test_run_is_withdrawn_by_its_team(run, member, logged_in, client):
    assert "Withdraw the run" in page(member, run)
    assert logged_in(make.UserFactory()).post(url(run, "run-withdraw")).status_code == 302
    run.refresh_from_db()
    assert run.withdrawn_at is None
    html = member.post(url(run, "run-withdraw"), follow=True).content.decode()
    assert "The run is withdrawn." in html
    assert "Withdraw the run" not in html
    run.refresh_from_db()
    assert run.withdrawn_at is not None
    page(client, run, 404)


def test_actions_need_a_log_in_and_a_post(run, client, member):
    for name in ("run-withdraw", "run-retry"):
        assert client.post(url(run, name)).url.startswith("/accounts/login/")
        assert member.get(url(run, name)).status_code == 405


def test_team_name_is_withheld_on_the_run_too(run, client):
    run.task.team_names_from = None
    run.task.save()
    html = page(client, run)
    assert run.team.name not in html
    assert "Team name withheld" in html


def test_own_fields_are_shown_as_the_task_says(run, client, member):
    run.task.fields = [
        {"name": "lang", "type": "text", "label": "Language", "public": True},
        {"name": "secret", "type": "text", "label": "Secret of the team"},
    ]
    run.task.save()
    Run.objects.filter(pk=run.pk).update(metadata={"lang": "<i>fas</i>", "secret": "xyzzy"})
    assert "&lt;i&gt;fas&lt;/i&gt;" in page(client, run)
    assert "xyzzy" not in page(client, run)
    assert "xyzzy" in page(member, run)


def test_unknown_run_is_not_found(client, db):
    assert client.get("/runs/00000000-0000-0000-0000-000000000000/").status_code == 404


def test_queries_of_a_run_page_are_few(run, member, django_assert_max_num_queries):
    score(run)
    with django_assert_max_num_queries(16):
        page(member, run)


@pytest.mark.parametrize(
    ("kind", "text", "quoted", "fault"),
    [
        ("bad_score", "score high is no number", "1 Q0 d 1 high t", "high"),
        ("duplicate_document", "document d1 is on line 2 already", "1 Q0 d1 1 2 t", "d1"),
        ("duplicate_document", "document 7 of topic 1 is already on line 2", "1\t7\t0.5", "7"),
        ("tag_inconsistent", "tag b after tag a", "1 Q0 d 1 2 b", "b"),
        ("q0_column", "the second column is not Q0", "1 0 d 1 2 t", "0"),
        ("extra_column", "2 lines have more columns", "1 Q0 d 1 2 t u v", "u v"),
        ("unknown_topic", "topic <9> is none of the task", "<9> Q0 d 1 2 t", "<9>"),
        ("wrong_column_count", "4 instead of six columns", "only four columns here", ""),
        ("bad_score", "score x is no number", "another line", ""),
    ],
)  # fmt: skip
def test_fault_is_marked_in_the_quoted_line(kind, text, quoted, fault):
    before, marked_part, after = marked(kind, text, quoted)
    assert marked_part == fault
    assert before + marked_part + after == quoted
    finding = findings([{"level": "error", "kind": kind, "text": text, "quoted": quoted}])
    html = render_to_string("parts/findings.html", {"listed": finding})
    assert html.count("<mark>") == (1 if fault else 0)
    assert "<9>" not in html
