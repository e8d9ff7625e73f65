"""What two workers record at once, and what is published meanwhile, with and without protection."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now

from campaigns import bell, tasks
from campaigns.models import (
    Board,
    BoardState,
    Effect,
    Evaluation,
    Job,
    JobKind,
    JobState,
    Qrels,
    Run,
    RunState,
    TaskKind,
)
from campaigns.numerics import rank as rank_numerics
from campaigns.numerics import score as score_numerics
from campaigns.services import checks, jobs, originals, qrels, ranks, scores
from campaigns.services.withdrawals import withdraw_run
from tests.campaigns.factories import OriginalFactory, PairFactory, TaskFactory, TeamFactory
from tests.campaigns.pipeline import (
    add_original,
    collection_with,
    drain,
    member_of,
    publish,
    qrels_text,
    run_text,
    stored,
    submit,
)
from tests.campaigns.racing import FORK, Meeting, together

pytestmark = pytest.mark.django_db(transaction=True)
with_and_without = pytest.mark.parametrize("is_protected", [True, False])
QRELS = qrels_text({"101": {"d1": 1, "d2": 0}, "102": {"d3": 1, "d4": 0}})
WORSE = run_text({"101": ["d2", "d1"], "102": ["d4", "d3"]})
BEST = run_text({"101": ["d1"], "102": ["d3"]})


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(bell, "ring", lambda *_: True)


@pytest.fixture
def task():
    made = TaskFactory(measures=["AP"], primary="AP")
    made.collection = collection_with(made.campaign, ["101", "102"])
    made.save()
    return made


@pytest.fixture
def original(task):
    """The original of a pair task, scored and with its boards."""
    task.kind, task.order_by = TaskKind.SAME_COLLECTION, "rmse"
    task.save()
    made = OriginalFactory(task=task)
    publish(task.collection, QRELS)
    add_original(made, "baseline", WORSE)
    add_original(made, "advanced", BEST)
    drain()
    return made


def pairs_to_score(original, count):
    """Pairs whose runs are accepted, with their jobs, as (baseline's job, advanced's job)."""
    team = TeamFactory(campaign=original.task.campaign)
    found = []
    under = Qrels.objects.get(collection=original.task.collection)
    for pair in PairFactory.create_batch(count, original=original, team=team):
        jobs.ensure(JobKind.COMPARE, state=JobState.DORMANT, pair=pair)
        for run in (pair.baseline, pair.advanced):
            jobs.ensure(JobKind.SCORE, run=run, qrels=under)
        found.append([str(run.jobs.get().pk) for run in (pair.baseline, pair.advanced)])
    return found


def looking_for_the_other(meeting):
    """Start the comparison only if the other run is seen to be scored."""

    def wake_comparisons(run):
        for pair in scores.pairs_of(run):
            other = pair.advanced_id if pair.baseline_id == run.pk else pair.baseline_id
            is_scored = Evaluation.objects.filter(run=other).exists()
            meeting.wait()
            if is_scored:
                jobs.wake(JobKind.COMPARE, pair=pair)

    return wake_comparisons


@pytest.mark.parametrize(("is_protected", "count"), [(True, 15), (False, 5)])
def test_pair_whose_runs_are_scored_at_the_same_moment_is_compared(
    original, monkeypatch, is_protected, count
):
    """Looking for the other run first, each misses the other on PostgreSQL: nobody compares.

    On SQLite one transaction writes at a time, so the second sees the first.
    """
    work = pairs_to_score(original, count)
    meeting, is_over = Meeting(is_sure=True), FORK.Event()
    monkeypatch.setattr(score_numerics, "score", meeting.after(score_numerics.score))
    if not is_protected:
        looking = Meeting(is_sure=connection.vendor == "postgresql")
        monkeypatch.setattr(scores, "wake_comparisons", looking_for_the_other(looking))

    def score(side):
        for pair in work:
            tasks.score(pair[side])
        if side == 0:
            is_over.set()

    def compare():
        waiting = Job.objects.filter(kind=JobKind.COMPARE, state=JobState.WAITING)
        while not is_over.wait(0.02):
            for job in waiting:
                tasks.compare(str(job.pk))

    outcomes = together(lambda: score(0), lambda: score(1), compare)
    assert [outcome.error for outcome in outcomes] == ["", "", ""]
    drain()
    assert Run.objects.filter(origin="submitted", state=RunState.SCORED).count() == 2 * count
    is_missed = not is_protected and connection.vendor == "postgresql"
    assert Effect.objects.count() == (0 if is_missed else count)
    assert set(Job.objects.values_list("crashes", flat=True)) == {0}


@with_and_without
def test_run_accepted_while_qrels_are_published_is_scored(task, monkeypatch, is_protected):
    """Without the lock on the task each misses the other on PostgreSQL: never scored."""
    draft = _draft(task)
    run = submit(task, TeamFactory(campaign=task.campaign), BEST)
    job = run.jobs.get()
    meeting = Meeting(is_sure=not is_protected and connection.vendor == "postgresql")
    monkeypatch.setattr(checks, "live_qrels", meeting.after(checks.live_qrels))
    monkeypatch.setattr(qrels, "start_evaluation", meeting.after(qrels.start_evaluation))
    if not is_protected:
        monkeypatch.setattr(checks, "lock_task", lambda _: None)
        monkeypatch.setattr(qrels, "lock_task", lambda _: None)
    outcomes = together(
        lambda: tasks.check(str(job.pk)), lambda: qrels.publish_qrels(draft, None).pk
    )
    assert [outcome.error for outcome in outcomes] == ["", ""]
    drain()
    run.refresh_from_db()
    is_missed = not is_protected and connection.vendor == "postgresql"
    assert run.state == (RunState.ACCEPTED if is_missed else RunState.SCORED)


def _draft(task):
    from campaigns.numerics.qrels import qrels_facts
    from campaigns.work import StoredText

    received = stored(QRELS, "qrels.txt")
    facts = qrels_facts(
        StoredText(received.key, received.text_sha256), is_graded=True, topics=("101", "102")
    )
    return qrels.add_qrels(task.collection, received, facts, None)


def shown(task):
    board = Board.objects.get(task=task, state=BoardState.CURRENT)
    return [row.run for row in board.rows.filter(version=board.version)]


@pytest.fixture
def ranked(task):
    """A run on the board of its task, and one who may withdraw it."""
    publish(task.collection, QRELS)
    team = TeamFactory(campaign=task.campaign)
    viewer = member_of(team)
    run = submit(task, team, BEST, viewer)
    drain()
    assert shown(task) == [run]
    return viewer, run


def rank_job(task):
    """The job that ranks the task's board, waiting."""
    jobs.wake(JobKind.RANK, board=Board.objects.get(task=task))
    return Job.objects.get(kind=JobKind.RANK)


def ignoring_runs_of_its_own(held):
    Job.objects.filter(pk=held.job.pk).update(state=JobState.DONE, lease_until=None)


@with_and_without
def test_run_withdrawn_while_its_board_is_ranked_leaves_it(task, ranked, monkeypatch, is_protected):
    """If a job that runs were not woken, the board would keep the withdrawn run."""
    viewer, run = ranked
    job = rank_job(task)
    gather = ranks.gather

    def gather_and_withdraw(board):
        gathered = gather(board)
        monkeypatch.setattr(ranks, "gather", gather)
        withdraw_run(viewer, run)
        return gathered

    monkeypatch.setattr(ranks, "gather", gather_and_withdraw)
    monkeypatch.setattr(tasks, "SECONDS_BETWEEN_RANKINGS", 0.0)
    if not is_protected:
        monkeypatch.setattr(jobs, "wake", jobs.ensure)
    tasks.rank(str(job.pk))
    drain()
    assert shown(task) == ([] if is_protected else [run])


@with_and_without
def test_ranking_that_was_taken_over_does_not_bring_old_rows_back(
    task, ranked, monkeypatch, is_protected
):
    """If an end ignored the claim, the slower ranking would show what it read before."""
    viewer, run = ranked
    job = rank_job(task)
    board = Board.objects.get(task=task)
    stale = jobs.claim(job.pk, "a")
    before = ranks.gather(board)
    withdraw_run(viewer, run)
    Job.objects.update(lease_until=Now() - timedelta(seconds=1))
    current = jobs.claim(job.pk, "b")
    after = ranks.gather(board)
    recorded = FORK.Event()

    def finish_first():
        ranks.record_ranks(current, board, after, rank_numerics.rank(after.work))
        recorded.set()

    def finish_last():
        recorded.wait(60)
        ranks.record_ranks(stale, board, before, rank_numerics.rank(before.work))

    if not is_protected:
        monkeypatch.setattr(jobs, "finish", ignoring_runs_of_its_own)
    first, last = together(finish_first, finish_last)
    assert (first.error, last.error) == ("", "StaleClaimError" if is_protected else "")
    version = board.version
    board.refresh_from_db()
    assert board.version == version + (1 if is_protected else 2)
    assert shown(task) == ([] if is_protected else [run])


def test_board_ranked_by_two_workers_at_once_gets_one_new_version(task, ranked):
    job = rank_job(task)
    board = Board.objects.get(task=task)
    meeting = Meeting(is_sure=True)

    def rank():
        meeting.wait()
        tasks.rank(str(job.pk))

    assert [outcome.error for outcome in together(rank, rank)] == ["", ""]
    version = board.version
    board.refresh_from_db()
    assert board.version == version + 1
    assert board.rows.filter(version=board.version).count() == 1


def test_original_run_added_twice_at_once_is_refused_once(task):
    task.kind, task.order_by = TaskKind.SAME_COLLECTION, "rmse"
    task.save()
    original = OriginalFactory(task=task)
    meeting = Meeting(is_sure=True)
    files = [stored(WORSE), stored(BEST)]

    def add(received):
        meeting.wait()
        return originals.add_original_run(original, "baseline", received, None).pk

    outcomes = together(lambda: add(files[0]), lambda: add(files[1]))
    assert sorted(outcome.error for outcome in outcomes) == ["", "RefusalError"]
    assert Run.objects.count() == 1
