"""The reading side against the shared cases, golden files and real runs."""

import gzip
import json
from pathlib import Path

import pytest

from evaluation.judgments import read_qrels
from evaluation.rules import Budgets, CheckRules
from evaluation.topics import read_topics
from evaluation.trec import read_run
from tests.shared import SHARED, shared_folder

READ = {"run-format", "ids", "scores", "content", "qrels", "scoring", "upload"}
ODD = CheckRules(levels={"extra_column": "ignore", "duplicate_document": "warning"})


def cases():
    """The cases that upload one file; none where the folder is missing."""
    path = SHARED / "cases" / "cases.json"
    listed = json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []
    return [case for case in listed if case["area"] in READ and case["input"]]


def golden(name):
    """The cases of a golden file; none where the folder is missing."""
    path = SHARED / "golden" / f"{name}.json"
    return json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []


def real_runs(most_bytes=1 << 30):
    """The real run files; none where the folder is missing."""
    paths = sorted(SHARED.glob("real/*/runs/*"))
    return [path for path in paths if path.stat().st_size <= most_bytes]


def test_shared_folder_is_there():
    assert (shared_folder() / "cases" / "cases.json").is_file()
    assert len(cases()) >= 47
    assert len(real_runs()) == 80


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case_has_the_expected_outcome_and_messages(case):
    folder, limits = SHARED / "cases", case["task"]["limits"]
    topics = read_topics(folder / case["task"]["topics"]).sound()
    rules = CheckRules(
        depth=limits["max_docs_per_topic"],
        tag_pattern=limits["tag_pattern"],
        budgets=Budgets(upload_bytes=limits["max_file_bytes"]),
    )
    if case["what"] == "qrels":
        graded = limits.get("gains") != "real"
        checked = read_qrels(folder / case["input"], rules, graded=graded, topics=topics)
    else:
        qrels = read_qrels(folder / case["task"]["qrels"]).sound()
        checked = read_run(folder / case["input"], rules, topics=topics, qrels=qrels)
    found = {(one.level, one.line, one.kind) for one in checked.messages}
    wanted = {(one["level"], one["line"], one["kind"]) for one in case["expect"]["messages"]}
    assert checked.outcome == case["expect"]["outcome"]
    assert wanted <= found
    assert {kind for _, _, kind in found} == {kind for _, _, kind in wanted}


@pytest.mark.parametrize("case", golden("run_format"), ids=lambda case: case["id"])
def test_golden_format(case):
    checked = read_run(case["inputs"]["text"].encode())
    assert (checked.run is not None) == case["expected"]["accepted"]
    if checked.run is not None:
        assert order_of(checked) == case["expected"]["order"]


@pytest.mark.parametrize(
    ("precision", "key"),
    [("double", "order"), ("single", "order_if_scores_are_single_precision")],
)
@pytest.mark.parametrize("case", golden("run_evaluation"), ids=lambda case: case["id"])
def test_golden_order(case, precision, key):
    path = SHARED / "golden" / case["inputs"]["run_file"]
    assert order_of(read_run(path, CheckRules(precision=precision))) == case["expected"][key]


def order_of(checked):
    run = checked.sound()
    return {topic: [one.decode() for one in run.ranking(topic)] for topic in run.topics}


# The large ones take most of the time and show nothing else; all means are compared elsewhere.
@pytest.mark.parametrize(
    "path", real_runs(420_000), ids=lambda path: f"{path.parts[-3]}-{path.name}"
)
def test_real_run_is_read_in_the_order_of_its_scores(path):
    checked = read_run(path, ODD)
    if ".empty." in path.name:
        assert [one.kind for one in checked.messages] == ["empty_file"]
        return
    wanted = plainly_read(path)
    run = checked.sound()
    assert run.topics == tuple(sorted(wanted))
    for index, topic in enumerate(run.topics):
        rows = wanted[topic]
        assert run.ranking(topic) == [document for _, document in rows]
        scores = run.scores[run.starts[index] : run.starts[index + 1]]
        assert scores.tolist() == [score for score, _ in rows]


def plainly_read(path: Path):
    """The run by the definition, the best copy of a repeated document kept."""
    topics = {}
    for line in gzip.decompress(path.read_bytes()).splitlines():
        topic, _, document, _, score, *_ = line.split()
        scores = topics.setdefault(topic.decode(), {})
        scores[document] = max(scores.get(document, float("-inf")), float(score))
    return {
        topic: sorted(((score, document) for document, score in scores.items()), reverse=True)
        for topic, scores in topics.items()
    }


def test_real_qrels_are_read_whole():
    shared_folder()
    counts = {"robust04": 311410, "core17": 30030, "core18": 26233, "covid-r5": 23151}
    for collection, count in counts.items():
        checked = read_qrels(SHARED / "real" / collection / "qrels.txt.gz")
        assert (checked.outcome, len(checked.sound().grades)) == ("accepted", count)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("outputs.txt", []),
        ("output-invalid-duplicate-documents.txt", ["duplicate_document"]),
        ("output-invalid-too-few-columns.txt", ["wrong_column_count"]),
    ],
)
def test_files_of_another_checker(name, found):
    checked = read_run(shared_folder() / "real" / f"tira-ranking-{name}")
    assert sorted({one.kind for one in checked.messages if one.level == "error"}) == found
    assert (checked.run is None) == bool(found)
