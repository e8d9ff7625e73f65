"""Folders become campaigns: all kinds, every fault by its path, all or nothing."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from campaigns.models import (
    ALWAYS,
    Campaign,
    Evaluation,
    Job,
    JobKind,
    Membership,
    Origin,
    Pair,
    Queue,
    Run,
    RunState,
    Task,
    Team,
    Topic,
    TopicText,
    User,
)
from tests.campaigns.folders import faults_of, five_kinds, load, write_folder
from tests.campaigns.pipeline import drain, run_text, submit

pytestmark = pytest.mark.django_db


def test_load_makes_all_kinds_with_their_settings(tmp_path: Path) -> None:
    campaign = load(write_folder(tmp_path, five_kinds())).campaign
    assert (campaign.title, campaign.vocabulary, campaign.timezone) == ("Five kinds", "acm", "AoE")
    tasks = {task.slug: task for task in Task.objects.filter(campaign=campaign)}
    assert list(tasks) == ["adhoc", "rerank", "pool", "same", "new"]
    adhoc = tasks["adhoc"]
    assert adhoc.measures == ["nDCG@10", "AP", "P@10"]
    assert (adhoc.primary, adhoc.topics_averaged, adhoc.order_by) == ("AP", "judged", "")
    assert (adhoc.depth, adhoc.depth_rule, adhoc.precision) == (50, "truncate", "single")
    assert adhoc.rules == {"missing_topic": "error", "extra_column": "ignore"}
    assert (adhoc.runs_per_team, adhoc.runs_per_day, adhoc.attempts) == (5, None, 9)
    assert (adhoc.refused_per_day, adhoc.file_bytes) == (50, 1000)
    assert adhoc.closes == datetime(2026, 7, 31, 21, 59, 59, tzinfo=UTC)
    assert adhoc.timezone == "Europe/Berlin"
    assert (adhoc.own_scores_from, adhoc.team_names_from) == (None, ALWAYS)
    assert adhoc.scores_from == datetime(2026, 8, 1, 12, tzinfo=UTC)
    assert (adhoc.topic_scores_from, adhoc.submitted_runs_from) == (ALWAYS, None)
    assert tasks["pool"].measures == ["nDCG(ideal='pool')@10"]
    assert tasks["pool"].gains == {"clip": 0}
    assert (tasks["same"].topics_averaged, tasks["same"].order_by) == ("judged_with_relevant", "")
    assert tasks["same"].comparison == {
        "rbo_p": 0.9, "depth": 10, "cutoffs": [5, 10], "tost_bound": 0.1,
    }  # fmt: skip
    assert tasks["new"].order_by == "effect_ratio"
    assert tasks["new"].original_collection.slug == "old"
    assert campaign.collections.get(slug="news").languages == ["eng", "no"]


def test_load_makes_topics_in_byte_order_with_their_texts(tmp_path: Path) -> None:
    topics = "é\tlast\n10\tten\n2\ttwo\nB\t\n"
    qrels = "10 0 d1 1\n"
    document = five_kinds(
        lambda d: d.update(tasks=[], runs=[], collections=[{**d["collections"][0]}])
    )
    files = {"topics.tsv": topics, "qrels.txt": qrels, "zho.tsv": "2\t二\n"}
    root = write_folder(tmp_path, document, files)
    load(root)
    assert list(Topic.objects.values_list("identifier", flat=True)) == ["10", "2", "B", "é"]
    texts = TopicText.objects.filter(topic__identifier="2").order_by("form__form")
    assert [(text.form.form, text.text) for text in texts] == [("title", "二"), ("topics", "two")]
    assert not TopicText.objects.filter(topic__identifier="B").exists()


def test_load_takes_each_wording_of_a_topic_file_in_json(tmp_path: Path) -> None:
    lines = [
        {"topic_id": "2", "topics": [
            {"lang": "eng", "topic_title": "two", "topic_description": "the second"},
            {"lang": "zho", "topic_title": "二", "topic_description": "第二"},
        ]},
    ]  # fmt: skip
    forms = [{"form": "description", "language": "zho", "translation": "human", "file": "a.jsonl"}]
    document = five_kinds(
        lambda d: d.update(
            tasks=[], runs=[], collections=[{**d["collections"][0], "topic_forms": forms}]
        )
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    root = write_folder(
        tmp_path, document, {"topics.tsv": text, "qrels.txt": "2 0 d1 1\n", "a.jsonl": text}
    )
    load(root)
    texts = TopicText.objects.order_by("form__form")
    assert [(one.form.form, one.text) for one in texts] == [
        ("description", "第二"),
        ("topics", "two"),
    ]


def test_load_without_topic_file_takes_topics_of_qrels_and_originals(tmp_path: Path) -> None:
    files = {"old-qrels.txt": "7 0 e1 1\n"}
    campaign = load(write_folder(tmp_path, five_kinds(), files)).campaign
    old = campaign.collections.get(slug="old")
    assert not old.has_topic_file
    assert list(old.topics.values_list("identifier", flat=True)) == ["7", "8"]


def test_runs_enter_the_pipeline_and_nothing_is_scored_by_loading(tmp_path: Path) -> None:
    load(write_folder(tmp_path, five_kinds()))
    runs = Run.objects.all()
    assert {run.state for run in runs} == {RunState.CHECKING}
    assert runs.filter(origin=Origin.ORIGINAL).count() == 4
    assert runs.filter(origin=Origin.SUBMITTED).count() == 7
    checks = Job.objects.filter(kind=JobKind.CHECK).values_list("run_id", flat=True)
    assert set(checks) == {run.pk for run in runs}
    assert not Evaluation.objects.exists()
    first = Run.objects.get(title="A")
    assert first.received_at == datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    assert (first.run_type, first.metadata) == ("manual", {"lang": "no", "size": 1.5})
    assert first.system.name == "Alpha 1"
    times = list(runs.filter(origin=Origin.SUBMITTED).values_list("received_at", flat=True))
    assert times == sorted(times)
    assert len(set(times)) == len(times)


def test_the_pipeline_scores_what_was_loaded(tmp_path: Path) -> None:
    load(write_folder(tmp_path, five_kinds()))
    drain()
    assert {run.state for run in Run.objects.all()} == {RunState.SCORED}
    means = {
        (one.run.task.slug, one.run.role, one.recipe.name): one.mean
        for one in Evaluation.objects.select_related("run__task", "recipe")
        if one.run.origin == Origin.SUBMITTED
    }
    # RUN_A finds d1 and d3 first; RUN_B finds d1 second and misses d3.
    assert means["adhoc", "", "AP"] == pytest.approx(1.0, abs=1e-12)
    assert means["rerank", "", "AP"] == pytest.approx(0.25, abs=1e-12)
    assert means["same", "baseline", "AP"] == pytest.approx(0.25, abs=1e-12)
    assert means["same", "advanced", "AP"] == pytest.approx(1.0, abs=1e-12)
    # Topic 1: gains 0 (clipped), .5 against .5, 0; topic 2 is perfect.
    pool = means["pool", "", "nDCG(ideal='pool')@10"]
    assert pool == pytest.approx((0.6309297535714574 + 1) / 2, abs=1e-12)
    effects = {pair.task.slug: pair.effects.get(recipe__name="effect AP") for pair in
               Pair.objects.select_related("task")}  # fmt: skip
    assert effects["same"].effect_ratio == pytest.approx(1.0, abs=1e-12)
    # The original improves from (1/2 + 0)/2 to 1 on the old collection, the pair as much.
    assert effects["new"].effect_ratio == pytest.approx(0.75 / 0.75, abs=1e-12)


def test_pair_keeps_family_order_and_published_series(tmp_path: Path) -> None:
    load(write_folder(tmp_path, five_kinds()))
    pair = Pair.objects.get(task__slug="same")
    assert (pair.title, pair.family, pair.family_order) == ("Again", "tf", 1)
    assert pair.published_series == {"kendall_tau_union_sorted": {"pair": {"1": 0.5, "2": None}}}
    assert pair.baseline.file.is_gzip
    assert (pair.baseline.role, pair.advanced.role) == ("baseline", "advanced")


def test_scores_alone_stand_in_for_a_run(tmp_path: Path) -> None:
    trec = "map 1 0.5\nP_10 1 0.1\nmap 2 0.75\nP_10 2 0.2\nmap all 0.625\nP_10 all 0.15\n"

    def change(d: dict[str, Any]) -> None:
        d["runs"] = [
            {"task": "adhoc", "team": "red", "scores": {"AP": "ap.csv", "P@10": "trec.txt"}},
            {
                "task": "same",
                "team": "red",
                "original": "o",
                "baseline": {"scores": {"AP": "ap.csv"}},
                "advanced": {"scores": {"MAP": "trec.txt"}, "title": "From print"},
            },
        ]

    load(write_folder(tmp_path, five_kinds(change), {"trec.txt": trec}))
    run = Run.objects.get(task__slug="adhoc", origin=Origin.SUBMITTED)
    assert (run.is_scores_only, run.file, run.state) == (True, None, RunState.ACCEPTED)
    drain()
    means = {
        (one.run.role, one.recipe.name): one.mean
        for one in Evaluation.objects.filter(run__is_scores_only=True).select_related("run")
    }
    assert means["", "AP"] == pytest.approx(0.625, abs=1e-12)
    assert means["", "P@10"] == pytest.approx(0.15, abs=1e-12)
    assert means["advanced", "AP"] == pytest.approx(0.625, abs=1e-12)
    assert Run.objects.get(role="advanced", origin=Origin.SUBMITTED).title == "From print"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty_file"),
        (gzip.compress(b""), "empty_file"),
        (gzip.compress(b"1 Q0 d1 1 1 a\n" * 50)[:-9], "archive_damaged"),
        (b"\x00\x01\x02PNG", "not_a_run"),
        (b"1 Q0 d1 1 high a\n", "bad_score"),
    ],
    ids=["empty", "empty gzip", "cut gzip", "binary", "score"],
)
def test_a_faulty_run_of_the_past_is_rejected_by_its_check(
    tmp_path: Path, content: bytes, kind: str
) -> None:
    load(write_folder(tmp_path, five_kinds(), {"pooled.run": content}))
    drain()
    run = Run.objects.get(task__slug="pool")
    assert run.state == RunState.REJECTED
    assert kind in [message["kind"] for message in run.messages]


def test_an_existing_slug_is_a_fault_without_update(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    load(root)
    assert "--update" in faults_of(root)["campaign.slug"]
    assert load(root, slug="another").campaign.slug == "another"
    assert Campaign.objects.count() == 2


def test_the_same_text_twice_from_a_team_is_a_fault_unless_withdrawn(tmp_path: Path) -> None:
    def again(d: dict[str, Any]) -> None:
        d["runs"] = [{**d["runs"][1]}, {**d["runs"][1], "run": "b.run.gz"}]

    root = write_folder(tmp_path, five_kinds(again))
    assert "same text as runs[0]" in faults_of(root)["runs[1]"]

    def withdrawn(d: dict[str, Any]) -> None:
        again(d)
        d["runs"][0]["withdrawn"] = "2026-03-02T00:00:00Z"

    load(write_folder(tmp_path, five_kinds(withdrawn)))
    runs = Run.objects.filter(origin=Origin.SUBMITTED).order_by("received_at")
    assert [run.withdrawn_at is None for run in runs] == [False, True]


def test_two_pairs_may_share_a_baseline(tmp_path: Path) -> None:
    def change(d: dict[str, Any]) -> None:
        pair = {**d["runs"][3], "series": {}}
        d["runs"] = [pair, {**pair, "advanced": "pooled.run", "title": "Other"}]

    load(write_folder(tmp_path, five_kinds(change)))
    first, second = Pair.objects.order_by("created_at")
    assert first.baseline == second.baseline
    assert first.advanced != second.advanced


def test_people_named_in_the_folder_get_their_places(tmp_path: Path) -> None:
    for name in ("organizer", "member"):
        User.objects.create_user(f"{name}@example.org", None)

    def change(d: dict[str, Any]) -> None:
        d["campaign"]["organizers"] = ["Organizer@example.org"]
        d["teams"][0]["members"] = ["member@example.org"]

    root = write_folder(tmp_path, five_kinds(change))
    campaign = load(root).campaign
    assert [role.user.email for role in campaign.roles.all()] == ["organizer@example.org"]
    assert Membership.objects.get().team == Team.objects.get(slug="red")
    assert not load(root, is_update=True).changes


def test_the_command_says_what_it_did(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    out = StringIO()
    call_command("load_campaign", str(root), stdout=out)
    lines = out.getvalue().splitlines()
    assert "campaign five-kinds added" in lines
    assert "7 runs added" in lines
    assert lines[-1] == "Campaign five-kinds: loaded"
    out = StringIO()
    call_command("load_campaign", str(root), "--update", stdout=out)
    assert out.getvalue().splitlines()[-1] == "Campaign five-kinds: unchanged"


def test_runs_of_a_folder_wait_in_a_queue_of_their_own_up_to_their_scores(tmp_path: Path) -> None:
    load(write_folder(tmp_path, five_kinds()))
    checks = Job.objects.filter(kind=JobKind.CHECK)
    assert set(checks.values_list("queue", flat=True)) == {Queue.RESCORING}
    drain()
    scored = Job.objects.filter(kind=JobKind.SCORE)
    assert scored.exists()
    assert set(scored.values_list("queue", flat=True)) == {Queue.RESCORING}
    run = Run.objects.filter(task__slug="adhoc", team__isnull=False).first()
    assert run is not None
    Task.objects.update(opens=None, closes=None, fields=[])
    submit(Task.objects.get(slug="adhoc"), run.team, run_text({"1": ["zz"]}, "upload"))
    assert list(checks.filter(state="waiting").values_list("queue", flat=True)) == [Queue.CHECKING]
