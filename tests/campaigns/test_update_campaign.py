"""An update adds and changes, never rewrites; the same folder twice changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import (
    AuditEntry,
    Evaluation,
    Job,
    Original,
    Pair,
    Qrels,
    QrelsState,
    Run,
    RunState,
    StoredFile,
    Topic,
    TopicText,
)
from campaigns.numerics.qrels import qrels_facts
from campaigns.services.qrels import add_qrels
from campaigns.work import StoredText
from tests.campaigns.folders import (
    ABSENT,
    faults_of,
    five_kinds,
    keys_in_store,
    load,
    setting,
    write_folder,
)
from tests.campaigns.pipeline import drain, stored

pytestmark = pytest.mark.django_db


def test_update_with_the_same_folder_changes_nothing(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    load(root)
    drain()
    keys, rows = (
        keys_in_store(),
        [
            model.objects.count()
            for model in (Run, Pair, Qrels, Job, StoredFile, Topic, TopicText, AuditEntry, Original)
        ],
    )
    loaded = load(root, is_update=True)
    assert (loaded.is_new, loaded.changes) == (False, ())
    assert keys_in_store() == keys
    assert rows == [
        model.objects.count()
        for model in (Run, Pair, Qrels, Job, StoredFile, Topic, TopicText, AuditEntry, Original)
    ]


def test_update_changes_settings_and_adds_what_is_new(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    load(root)
    drain()
    scored = Evaluation.objects.count()

    def change(d: dict[str, Any]) -> None:
        d["campaign"]["title"] = "Renamed"
        d["tasks"][0]["closes"] = "2026-12-31T23:59:59 AoE"
        d["tasks"].append({"slug": "more", "kind": "ranking", "collection": "news"})
        d["tasks"][3]["originals"].append(
            {"slug": "p", "baseline": "a.run", "advanced": "pooled.run"}
        )
        d["teams"].append({"slug": "green"})
        d["runs"].append({"task": "more", "team": "green", "run": "a.run"})
        del d["runs"][0]

    loaded = load(write_folder(tmp_path, five_kinds(change)), is_update=True)
    assert loaded.campaign.title == "Renamed"
    assert set(loaded.changes) == {
        "campaign five-kinds: title changed",
        "task adhoc: closes changed",
        "task adhoc: timezone changed",
        "task more added",
        "original same/p added",
        "team green added",
        "2 originals added",
        "1 runs added",
    }
    assert Run.objects.filter(title="A").exists()
    drain()
    assert {run.state for run in Run.objects.all()} == {RunState.SCORED}
    assert Evaluation.objects.count() > scored


def test_update_with_other_qrels_makes_a_second_version(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    load(root)
    drain()
    loaded = load(write_folder(tmp_path, five_kinds(), {"qrels.txt": "1 0 d2 1\n2 0 d3 1\n"}),
                  is_update=True)  # fmt: skip
    assert loaded.changes == ("qrels of news: qrels v2 published",)
    drain()
    means = Evaluation.objects.filter(run__title="A", recipe__name="AP").order_by("qrels__number")
    assert [one.mean for one in means] == pytest.approx([1.0, 0.75], abs=1e-12)
    assert not load(tmp_path, is_update=True).changes


def test_update_publishes_a_draft_of_the_same_text(tmp_path: Path) -> None:
    root = write_folder(tmp_path, five_kinds())
    campaign = load(root).campaign
    text = "1 0 d2 1\n2 0 d3 1\n"
    received = stored(text.encode(), "qrels.txt")
    facts = qrels_facts(StoredText(received.key, received.text_sha256), is_graded=True)
    draft = add_qrels(campaign.collections.get(slug="news"), received, facts, None)
    loaded = load(write_folder(tmp_path, five_kinds(), {"qrels.txt": text}), is_update=True)
    assert loaded.changes == ("qrels of news: qrels v2 published",)
    draft.refresh_from_db()
    assert draft.state == QrelsState.PUBLISHED


def test_update_completes_a_pair_that_waited_for_its_advanced_run(tmp_path: Path) -> None:
    def change(d: dict[str, Any]) -> None:
        del d["runs"][3]["advanced"]

    load(write_folder(tmp_path, five_kinds(change)))
    before = Pair.objects.get(task__slug="same")
    assert before.advanced is None
    loaded = load(write_folder(tmp_path, five_kinds()), is_update=True)
    assert loaded.changes == ("1 runs added", "1 pairs added")
    after = Pair.objects.get(task__slug="same")
    assert (after.pk, after.baseline) == (before.pk, before.baseline)
    assert after.advanced is not None
    assert not load(write_folder(tmp_path, five_kinds(change)), is_update=True).changes


REWRITES = [
    (setting("tasks", 0, "kind", "same_collection"), "tasks[0].kind", "cannot change"),
    (setting("tasks", 3, "collection", "old"), "tasks[3].collection", "cannot change"),
    (setting("tasks", 0, "measures", ["AP"]), "tasks[0].measures", "qrels are published"),
    (setting("tasks", 0, "depth", 10), "tasks[0].depth", "qrels are published"),
    (setting("tasks", 0, "rules", "duplicate_document", "warning"),
     "tasks[0].rules.duplicate_document", "qrels are published"),
    (setting("tasks", 1, "initial_run", "pooled.run"), "tasks[1].initial_run", "another file"),
    (setting("tasks", 3, "originals", 0, "baseline", "pooled.run"),
     "tasks[3].originals[0].baseline", "under a new slug"),
    (setting("collections", 0, "topics", "zho1.tsv"), "collections[0].topics", "lacks topics"),
    (setting("collections", 0, "topics", ABSENT), "collections[0]", "cannot be taken away"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "path", "text"), REWRITES)
def test_update_refuses_to_rewrite_what_is_stored(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], path: str, text: str
) -> None:
    load(write_folder(tmp_path, five_kinds()))
    keys = keys_in_store()
    root = write_folder(tmp_path, five_kinds(change), {"zho1.tsv": "1\tone\n"})
    faults = faults_of(root, is_update=True)
    assert text in faults.get(path, f"no such fault among {faults}")
    assert keys_in_store() == keys


def test_update_of_an_unknown_slug_creates_the_campaign(tmp_path: Path) -> None:
    assert load(write_folder(tmp_path, five_kinds()), is_update=True).is_new
