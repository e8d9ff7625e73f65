"""A pair task with two originals: each has boards of its own."""

from __future__ import annotations

import pytest

from campaigns.models import Board, BoardState, Effect, Job, JobKind, JobState, TaskKind
from campaigns.services import jobs
from tests.campaigns.factories import OriginalFactory, TaskFactory, TeamFactory
from tests.campaigns.pipeline import (
    add_original,
    collection_with,
    drain,
    publish,
    qrels_text,
    run_text,
    submit_two,
)

pytestmark = pytest.mark.django_db
QRELS = {"101": {"d1": 1, "d2": 0}, "102": {"d3": 1, "d4": 0}}
WORSE = {"101": ["d2", "d1"], "102": ["d4", "d3"]}
BEST = {"101": ["d1"], "102": ["d3"]}
LONG = "o" * 63


@pytest.fixture
def task():
    made = TaskFactory(
        kind=TaskKind.SAME_COLLECTION, order_by="rmse", measures=["AP"], primary="AP"
    )
    made.collection = collection_with(made.campaign, list(QRELS))
    made.save()
    publish(made.collection, qrels_text(QRELS))
    return made


def original(task, slug):
    made = OriginalFactory(task=task, slug=slug)
    add_original(made, "baseline", run_text(WORSE, f"b{made.pk}"))
    add_original(made, "advanced", run_text(BEST, f"a{made.pk}"))
    return made


def pair_for(original, tag):
    team = TeamFactory(campaign=original.task.campaign)
    task = original.task
    return submit_two(task, team, original, run_text(WORSE, f"b{tag}"), run_text(BEST, f"a{tag}"))


@pytest.mark.parametrize("slugs", [("one", "two"), (f"{LONG}1", f"{LONG}2")], ids=["short", "long"])
def test_pairs_stand_on_the_boards_of_their_original_alone(task, slugs):
    originals = [original(task, slug) for slug in slugs]
    pairs = [pair_for(one, number) for number, one in enumerate(originals)]
    drain()
    boards = Board.objects.filter(task=task)
    assert set(boards.values_list("state", "number")) == {(BoardState.CURRENT, 1)}
    assert boards.count() == 4
    for one, pair in zip(originals, pairs, strict=True):
        of_pairs = boards.get(original=one, subject="pairs")
        (row,) = of_pairs.rows.filter(version=of_pairs.version)
        assert (row.pair, row.rank, row.cells["effect_ratio(AP)"]["value"]) == (pair, 1, 1.0)
        of_runs = boards.get(original=one, subject="runs")
        shown = {row.run for row in of_runs.rows.filter(version=of_runs.version)}
        assert shown == {pair.baseline, pair.advanced}


def test_original_added_later_gets_its_boards_and_leaves_the_others_alone(task):
    first = original(task, "first")
    pair = pair_for(first, "p")
    drain()
    version = Board.objects.get(original=first, subject="pairs").version
    second = original(task, "second")
    drain()
    assert Board.objects.get(original=second, subject="pairs").state == BoardState.CURRENT
    board = Board.objects.get(original=first, subject="pairs")
    assert board.state == BoardState.CURRENT
    assert board.version >= version
    assert board.rows.get(version=board.version).pair == pair


def test_pair_whose_comparison_failed_is_compared_under_the_next_qrels(task):
    """A failed job stays as it ended; what wakes the pair later makes a new one."""
    pair = pair_for(original(task, "o"), "p")
    drain()
    Effect.objects.all().delete()
    jobs.wake(JobKind.COMPARE, pair=pair)
    held = jobs.claim(Job.objects.get(kind=JobKind.COMPARE).pk, "a")
    jobs.fail(held, "why")
    publish(task.collection, qrels_text(QRELS | {"102": {"d3": 0, "d4": 1}}))
    drain()
    assert Effect.objects.filter(pair=pair, qrels__number=2).count() == 1
    states = Job.objects.filter(kind=JobKind.COMPARE).order_by("created_at")
    assert [job.state for job in states] == [JobState.FAILED, JobState.DONE]
