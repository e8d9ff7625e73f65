"""What is wrong with a folder is named by its path, all of it, and nothing is created."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaigns.models import Campaign, StoredFile
from tests.campaigns.folders import (
    ABSENT,
    faults_of,
    five_kinds,
    keys_in_store,
    setting,
    write_folder,
)

pytestmark = pytest.mark.django_db

FAULTS = [
    (setting("campaign", "slug", "Not A Slug"), "campaign.slug", "is no slug"),
    (setting("campaign", "slug", ABSENT), "campaign.slug", "is missing"),
    (setting("campaign", "title", 2026), "campaign.title", "write it in quotes"),
    (setting("campaign", "vocabulary", "trec"), "campaign.vocabulary", "centre"),
    (setting("campaign", "contact", "nobody"), "campaign.contact", "valid"),
    (setting("campaign", "website", "ftp://x"), "campaign.website", "valid"),
    (setting("campaign", "timezone", "Atlantis"), "campaign.timezone", "AoE"),
    (setting("campaign", "titel", "x"), "campaign.titel", "did you mean 'title'"),
    (setting("campaign", []), "campaign", "must be a mapping"),
    (setting("tasks", {}), "tasks", "must be a list"),
    (setting("tasks", 0, "A task"), "tasks[0]", "must be a mapping"),
    (setting("collection", []), "collection", "did you mean 'collections'"),
    (setting("collections", 1, "slug", "news"), "collections[1].slug", "already the collection"),
    (setting("collections", 0, "topics", "gone.tsv"), "collections[0].topics", "no file"),
    (setting("collections", 0, "topics", "."), "collections[0].topics", "is a folder"),
    (setting("collections", 0, "topics", "/etc/passwd"), "collections[0].topics", "relative"),
    (setting("collections", 0, "topics", "../x"), "collections[0].topics", "relative"),
    (setting("collections", 0, "topics", 7), "collections[0].topics", "name of a file"),
    (setting("collections", 0, "topics", "a\0b"), "", "null character"),
    (setting("collections", 0, "documents", -1), "collections[0].documents", "whole number"),
    (
        setting("collections", 0, "topic_forms", 0, "translation", "robot"),
        "collections[0].topic_forms[0].translation",
        "not offered",
    ),
    (
        setting("collections", 0, "topic_forms", 0, "file", ABSENT),
        "collections[0].topic_forms[0].file",
        "is missing",
    ),
    (setting("tasks", 1, "slug", "adhoc"), "tasks[1].slug", "already the task at tasks[0]"),
    (setting("tasks", 0, "kind", "rankin"), "tasks[0].kind", "did you mean 'ranking'"),
    (setting("tasks", 0, "collection", "new"), "tasks[0].collection", "did you mean 'news'"),
    (setting("tasks", 0, "original_collection", "old"), "tasks[0].original_collection", "not for"),
    (setting("tasks", 4, "original_collection", ABSENT), "tasks[4].original_collection", "missing"),
    (setting("tasks", 0, "measures", 1, "nDCG"), "tasks[0].primary", "not among the measures"),
    (setting("tasks", 0, "measures", 1, "NGCD@10"), "tasks[0].measures[1]", "Accepted: nDCG"),
    (setting("tasks", 0, "measures", 1, "NDCG@10"), "tasks[0].measures[1]", "stands twice"),
    (setting("tasks", 0, "measures", 1, 7), "tasks[0].measures[1]", "must be text"),
    (setting("tasks", 0, "measures", []), "tasks[0].measures", "at least one"),
    (setting("tasks", 3, "measures", ["Judged@10"]), "tasks[3].measures", "rank by"),
    (setting("tasks", 0, "topics_averaged", "retrieved"), "tasks[0].topics_averaged", "judged"),
    (setting("tasks", 4, "order_by", "rmse"), "tasks[4].order_by", "distance, effect_ratio"),
    (setting("tasks", 0, "order_by", "rmse"), "tasks[0].order_by", "not for tasks of kind"),
    (setting("tasks", 0, "depth", 0), "tasks[0].depth", "whole number"),
    (setting("tasks", 0, "depth", True), "tasks[0].depth", "whole number"),
    (setting("tasks", 0, "depth", None), "tasks[0].depth", "at least 1"),
    (setting("tasks", 0, "depth_rule", "cut"), "tasks[0].depth_rule", "truncate"),
    (setting("tasks", 0, "rules", "tag_valid", "error"), "tasks[0].rules.tag_valid", "not a kind"),
    (
        setting("tasks", 0, "rules", "bad_score", "ignore"),
        "tasks[0].rules.bad_score",
        "always error",
    ),
    (
        setting("tasks", 0, "rules", "missing_topic", "maybe"),
        "tasks[0].rules.missing_topic",
        "must",
    ),
    (setting("tasks", 0, "rules", []), "tasks[0].rules", "must be a mapping"),
    (setting("tasks", 0, "tag_pattern", "["), "tasks[0].tag_pattern", "regular expression"),
    (setting("tasks", 0, "precision", "half"), "tasks[0].precision", "not offered"),
    (setting("tasks", 1, "initial_run", ABSENT), "tasks[1].initial_run", "is missing"),
    (setting("tasks", 0, "initial_run", "b.run"), "tasks[0].initial_run", "not for tasks"),
    (setting("tasks", 2, "pool", ABSENT), "tasks[2].pool", "is missing"),
    (setting("tasks", 2, "gains", "clip", 1), "tasks[2].gains.clip", "must be 0"),
    (setting("tasks", 3, "comparison", "rbo_p", 1), "tasks[3].comparison.rbo_p", "below 1"),
    (
        setting("tasks", 3, "comparison", "cutoffs", [5, "x"]),
        "tasks[3].comparison.cutoffs[1]",
        "whole number",
    ),
    (setting("tasks", 3, "originals", ABSENT), "tasks[3].originals", "is missing"),
    (
        setting("tasks", 3, "originals", 0, "advanced", ABSENT),
        "tasks[3].originals[0].advanced",
        "is missing",
    ),
    (setting("tasks", 0, "opens", "2026-01-01"), "tasks[0].opens", "is not a time"),
    (setting("tasks", 0, "opens", "2026-01-01T00:00:00"), "tasks[0].opens", "has no zone"),
    (setting("tasks", 0, "opens", "2027-01-01T00:00:00Z"), "tasks[0].closes", "before opens"),
    (
        setting("tasks", 0, "closes", "2026-03-29T02:30:00 Europe/Berlin"),
        "tasks[0].closes",
        "does not exist",
    ),
    (
        setting("tasks", 0, "visible_from", "scores", "soon"),
        "tasks[0].visible_from.scores",
        "always, never or a time",
    ),
    (
        setting("tasks", 0, "visible_from", "score", "never"),
        "tasks[0].visible_from.score",
        "did you mean",
    ),
    (setting("tasks", 0, "limits", "per_day", -1), "tasks[0].limits.per_day", "whole number"),
    (setting("tasks", 0, "limits", "per_day", "ten"), "tasks[0].limits.per_day", "whole number"),
    (setting("tasks", 0, "limits", "per_week", 1), "tasks[0].limits.per_week", "not known here"),
    (setting("tasks", 0, "fields", 0, "choices", ABSENT), "tasks[0].fields[0].choices", "must"),
    (setting("tasks", 0, "fields", 1, "name", "lang"), "tasks[0].fields[1].name", "stands twice"),
    (setting("campaign", "title", "a\u202eb"), "campaign.title", "invisible"),
    (setting("teams", 1, "name", "a\u202eb"), "teams[1].name", "invisible"),
    (setting("runs", 0, "title", "a\u2066b"), "runs[0].title", "invisible"),
    (setting("tasks", 0, "fields", 0, "choices", ["a\u202eb"]), "tasks[0].fields", "invisible"),
    (setting("teams", 1, "slug", "red"), "teams[1].slug", "already the team"),
    (setting("teams", 1, "members", ["ghost@example.org"]), "teams[1].members[0]", "no account"),
    (setting("runs", 0, "task", "adhok"), "runs[0].task", "did you mean 'adhoc'"),
    (setting("runs", 0, "team", "green"), "runs[0].team", "no team 'green'"),
    (setting("runs", 3, "original", "wcrobust"), "runs[3].original", "no original"),
    (setting("runs", 0, "run", ABSENT), "runs[0].run", "is missing"),
    (setting("runs", 0, "scores", {"AP": "ap.csv"}), "runs[0].scores", "leave out one"),
    (setting("runs", 0, "baseline", "b.run"), "runs[0].baseline", "not known here"),
    (setting("runs", 0, "run_type", "both"), "runs[0].run_type", "manual"),
    (setting("runs", 0, "metadata", "lang", "deu"), "runs[0].metadata.lang", "eng, no"),
    (setting("runs", 0, "metadata", "colour", 1), "runs[0].metadata.colour", "no such field"),
    (setting("runs", 0, "received", "2999-01-01T00:00:00Z"), "runs[0].received", "future"),
    (
        setting("runs", 0, "disqualified", "2026-03-02T00:00:00Z"),
        "runs[0].disqualified_reason",
        "is missing",
    ),
    (setting("runs", 3, "advanced", "b.run"), "runs[3].advanced", "same text as runs[3].baseline"),
    (
        setting("runs", 3, "series", "kendall_tau_union_sorted", "gone.csv"),
        "runs[3].series.kendall_tau_union_sorted",
        "no file",
    ),
    (
        setting("runs", 4, "baseline", {"scores": {"APP": "ap.csv"}}),
        "runs[4].baseline.scores.APP",
        "Unknown measure",
    ),
]


@pytest.mark.parametrize(("change", "path", "text"), FAULTS, ids=[f"{p} {t}" for _, p, t in FAULTS])
def test_a_fault_is_named_by_its_path_and_nothing_is_created(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], path: str, text: str
) -> None:
    before = keys_in_store()
    faults = faults_of(write_folder(tmp_path, five_kinds(change)))
    assert text in faults.get(path, f"no such fault among {faults}")
    assert not Campaign.objects.exists()
    assert not StoredFile.objects.exists()
    assert keys_in_store() == before


FILE_FAULTS = [
    ("topics.tsv", "", "collections[0].topics", "empty"),
    ("topics.tsv", "1\ta\n1\tb\n", "collections[0].topics", "line 2"),
    ("ids.txt.gz", b"\x1f\x8bnonsense", "collections[0].document_ids", "damaged"),
    ("ids.txt.gz", "d1 d2\n", "collections[0].document_ids", "wrong_column_count"),
    ("qrels.txt", "1 0 d1 1\n1 0 d1 0\n", "collections[0].qrels", "conflicting_judgement"),
    ("qrels.txt", "1 0 d1 0.5\n", "collections[0].qrels", "line 1"),
    ("pool.tsv", "1\td1\n", "tasks[2].pool", "missing_utility"),
    ("b.run.gz", gzip.compress(b"1 Q0 d1 1 x b\n"), "tasks[1].initial_run", "bad_score"),
    ("a.run", "1 Q0 d1 1 3 a\n1 Q0 d1 2 2 a\n", "tasks[3].originals[0].advanced",
     "duplicate_document"),
    ("a.run", "1 Q0 d9 1 3 a\n2 Q0 d3 1 2 a\n", "tasks[3].originals[0].advanced",
     "document_not_in_collection"),
    ("a.run", b"", "tasks[3].originals[0].advanced", "empty"),
    ("tau.csv", "1 2 3 4\n", "runs[3].series.kendall_tau_union_sorted", "wrong_column_count"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "content", "path", "text"),
    FILE_FAULTS,
    ids=[f"{file} {text}" for file, _, _, text in FILE_FAULTS],
)
def test_a_fault_inside_a_file_is_named_by_the_path_that_names_the_file(
    tmp_path: Path, file: str, content: str | bytes, path: str, text: str
) -> None:
    before = keys_in_store()
    faults = faults_of(write_folder(tmp_path, five_kinds(), {file: content}))
    assert text in faults.get(path, f"no such fault among {faults}")
    assert not Campaign.objects.exists()
    assert keys_in_store() == before


def test_all_faults_are_listed_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = (
        "campaign: {slug: x, titel: X}\n"
        "collections:\n  - {slug: c, qrels: qrels.txt}\n"
        "tasks:\n  - slug: t\n    kind: ranking\n    collection: d\n"
        "    limits: {per_day: -1}\n"
    )
    root = write_folder(tmp_path, text, {"qrels.txt": "1 0 d1 x\n"})
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("load_campaign", str(root), stdout=out)
    lines = str(refused.value).splitlines()
    assert lines[0].startswith("5 faults in ")
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "campaign.title (line 1)",
        "campaign.titel (line 1)",
        "collections[0].qrels (line 3)",
        "tasks[0].collection (line 7)",
        "tasks[0].limits.per_day (line 8)",
    ]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.run"
    secret.write_text("1 Q0 d1 1 1 s\n")
    root = write_folder(tmp_path / "folder", five_kinds())
    (root / "pooled.run").unlink()
    (root / "pooled.run").symlink_to(secret)
    (root / "beyond").symlink_to(tmp_path)
    assert "leads out" in faults_of(root)["runs[2].run"]
    root = write_folder(
        tmp_path / "other", five_kinds(setting("runs", 2, "run", "beyond/secret.run"))
    )
    (root / "beyond").symlink_to(tmp_path)
    assert "leads out" in faults_of(root)["runs[2].run"]
    (root / "campaign.yaml").unlink()
    (root / "campaign.yaml").symlink_to(tmp_path / "folder" / "campaign.yaml")
    assert "leads out" in faults_of(root)[""]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("", "is empty"),
        ("- 1\n- 2\n", "must be a mapping"),
        ("just text", "must be a mapping"),
        (b"\xff\xfe\x00binary", "not UTF-8"),
        (b"campaign: {slug: x\n", "not YAML"),
        ("campaign: {slug: !!python/object/apply:os.system [ls]}", "tags"),
    ],
    ids=["empty", "list", "text", "binary", "broken", "tag"],
)
def test_what_is_no_campaign_is_refused_in_words(
    tmp_path: Path, content: str | bytes, text: str
) -> None:
    assert text in faults_of(write_folder(tmp_path, content))[""]


def test_a_missing_folder_and_a_missing_document_are_refused_in_words(tmp_path: Path) -> None:
    assert "is not a folder" in faults_of(tmp_path / "gone")[""]
    assert "No such file" in faults_of(tmp_path)[""]
