"""The example campaigns on the site: loaded like any folder, scored by the workers alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from campaigns import policies
from campaigns.models import (
    Board,
    BoardState,
    Campaign,
    Evaluation,
    Job,
    JobKind,
    JobState,
    Origin,
    Run,
    RunState,
    Task,
)
from campaigns.numerics.folder import FolderInspector
from campaigns.policies import Viewer
from campaigns.services.folders import load_folder
from campaigns.services.qrels import start_evaluation
from examples.demo import CAMPAIGNS
from examples.demo.files import yaml_text
from tests.campaigns.pipeline import DO
from tests.campaigns.test_demo_data import document

pytestmark = pytest.mark.django_db


def load(root: Path, slug: str, wanted: Callable[[dict[str, Any]], bool] | None = None) -> Campaign:
    """Load a campaign, with some of its runs only, so that a test need not wait for all."""
    CAMPAIGNS[slug](root, datetime.now(UTC).date())
    told = document(root)
    if wanted is not None:
        told["runs"] = [run for run in told["runs"] if wanted(run)]
        (root / "campaign.yaml").write_text(yaml_text(told), encoding="utf-8")
    return load_folder(root, FolderInspector()).campaign


def work_off(*kinds: JobKind) -> None:
    """Do what waits, kind by kind: boards are ranked once instead of after each score."""
    for kind in kinds or (JobKind.CHECK, JobKind.SCORE, JobKind.COMPARE, JobKind.RANK):
        for job in Job.objects.filter(state=JobState.WAITING, kind=kind).order_by("created_at"):
            DO[kind](str(job.pk))


def rows_of(task: Task, **more: Any) -> list[Any]:
    board = Board.objects.get(task=task, state=BoardState.CURRENT, **more)
    return list(board.rows.filter(version=board.version).order_by("position"))


def test_centre_pairs_are_scored_by_the_workers_and_ranked(tmp_path):
    titles = {"df_1", "tol_5", "half-done"}
    campaign = load(tmp_path, "centre-demo", lambda run: run["title"] in titles)
    assert campaign.is_example
    assert Evaluation.objects.count() == 0
    work_off()
    assert not Job.objects.filter(state=JobState.FAILED).exists()
    assert {run.state for run in Run.objects.all()} == {RunState.SCORED}
    rows = rows_of(campaign.tasks.get(slug="same"), subject="pairs")
    assert [(row.pair.title, row.rank, row.reason) for row in rows] == [
        ("df_1", 1, ""),
        ("tol_5", 2, ""),
        ("half-done", None, "the advanced run is missing"),
    ]
    assert rows[0].cells["effect_ratio(AP)"]["value"] == pytest.approx(1, abs=0.03)
    assert rows[1].cells["delta_ri(AP)"]["value"] < -4
    new = rows_of(campaign.tasks.get(slug="new"), subject="pairs")
    assert [row.pair.title for row in new] == ["df_1", "tol_5"]


def test_deleted_score_is_computed_again_to_the_same_bits(tmp_path):
    campaign = load(tmp_path, "iclerb-demo", lambda run: run["system"].startswith("Aspen"))
    work_off()
    task = campaign.tasks.get(slug="questions")
    run = Run.objects.get(task=task, title="Aspen Rerank L")
    score = Evaluation.objects.get(run=run, recipe__name=task.primary)
    before = (score.mean, bytes(score.topic_values))
    score.delete()
    with transaction.atomic():
        start_evaluation(task)
    assert [job.run for job in Job.objects.filter(state=JobState.WAITING, kind="score")] == [run]
    work_off()
    again = Evaluation.objects.get(run=run, recipe__name=task.primary)
    assert (again.mean, bytes(again.topic_values)) == before
    assert rows_of(task)[0].cells[task.primary]["value"] == before[0]


def test_neuclir_has_a_tie_a_zero_a_disqualified_and_a_rejected_run(tmp_path):
    titles = ("BM25 with feedback", "Late interaction, ", "Large dense", "Prompted", "Reranked, t")
    campaign = load(
        tmp_path,
        "neuclir-demo",
        lambda run: run["task"] == "fas-adhoc" and run["title"].startswith(titles),
    )
    work_off()
    task = campaign.tasks.get(slug="fas-adhoc")
    assert [(row.run.tag, row.rank, row.reason) for row in rows_of(task)] == [
        ("cedar-rr-t-fas", 1, ""),
        ("alder-colx-title-and-description-fas", 2, ""),
        ("grove-bm25-rm3-fas", 3, ""),
        ("grove-bm25-rm3b-fas", 3, ""),
        ("fir-colx-v0-fas", 5, ""),
        (
            "hazel-dense-xl-fas",
            None,
            "Disqualified: The system was trained on the judgments.",
        ),
    ]
    zero = Run.objects.get(tag="fir-colx-v0-fas")
    assert [one["kind"] for one in zero.organizer_messages] == ["nothing_judged"]
    assert {one.mean for one in zero.evaluations.all()} == {0.0}
    assert {one.topics_averaged for one in zero.evaluations.all()} == {46}
    long = Run.objects.get(tag="alder-colx-title-and-description-fas")
    assert [one["kind"] for one in long.messages] == ["tag_invalid"]
    rejected = Run.objects.get(state=RunState.REJECTED)
    assert {one["kind"] for one in rejected.messages if one["level"] == "error"} == {
        "duplicate_document",
        "score_not_finite",
        "unknown_topic",
    }


def test_russian_is_withheld_and_the_rest_is_open(tmp_path):
    campaign = load(tmp_path, "neuclir-demo")
    visitor = Viewer.of(None)
    open_to_all = {
        task.slug for task in campaign.tasks.all() if policies.may_see_board(visitor, task)
    }
    kinds = ("adhoc", "rerank", "mono")
    assert open_to_all == {f"{language}-{kind}" for language in ("fas", "zho") for kind in kinds}
    assert Run.objects.filter(task__slug="fas-adhoc").count() == 20
    assert campaign.teams.filter(is_organizers=False).count() == 8


def test_iclerb_systems_stand_in_three_data_sets_but_for_one(tmp_path):
    campaign = load(tmp_path, "iclerb-demo")
    work_off(JobKind.CHECK)
    runs = Run.objects.filter(task__campaign=campaign, origin=Origin.SUBMITTED)
    assert {run.outcome for run in runs} == {"accepted"}
    tasks: dict[str, set[str]] = {}
    for run in runs:
        tasks.setdefault(run.system.name, set()).add(run.task.slug)
    assert len(tasks) == 10
    assert {name for name, slugs in tasks.items() if len(slugs) < 3} == {"Willow ICL"}
    assert tasks["Willow ICL"] == {"questions", "feelings"}
    pools = [task.pools.get() for task in campaign.tasks.all()]
    assert all(not pool.is_graded for pool in pools)
