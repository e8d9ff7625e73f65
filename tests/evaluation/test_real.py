"""80 runs that others made: every mean, every topic, every pair."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evaluation.averaging import mean
from evaluation.data import Qrels, Run
from evaluation.effectiveness import evaluate
from evaluation.judgments import read_qrels
from evaluation.pairs import Pair, PairComparison, compare_pairs
from evaluation.rules import CheckRules, Precision
from evaluation.trec import CheckedRun, read_run
from tests.conftest import SHARED

REAL = SHARED / "real"
EMPTY = "robust04/runs/entityretrieval.mlm_elr10.empty.treceval.gz"
REPEATED = "codec-doc/runs/document_bm25+rm3-tuned.run.gz"
EXTRA = "robust04/runs/jass.JASS_r4_10_percent.txt.gz"

pytestmark = pytest.mark.usefixtures("shared")


@cache
def expected() -> dict[str, Any]:
    if not REAL.is_dir():
        return {"runs": {}, "pairs": []}
    return json.loads((REAL / "expected.json").read_text(encoding="utf-8"))


@cache
def per_topic() -> dict[str, Any]:
    return json.loads(gzip.decompress((REAL / "expected_per_topic.json.gz").read_bytes()))


@cache
def qrels_of(collection: str) -> Qrels:
    [path] = (REAL / collection).glob("qrels.txt*")
    return read_qrels(path).sound()


def checked(name: str, precision: Precision = "double") -> CheckedRun:
    rules = CheckRules(
        levels={
            "unknown_topic": "ignore",
            "extra_column": "ignore",
            "duplicate_document": "warning",
        },
        tag_pattern=r"[A-Za-z0-9_.+-]{1,60}",
        precision=precision,
    )
    return read_run(REAL / name, rules, topics=qrels_of(name.split("/", maxsplit=1)[0]).topics)


@cache
def run_of(name: str) -> Run:
    return checked(name).sound()


def id_of(pair: dict[str, Any]) -> str:
    return f"{pair['reproduced']['baseline']}-{pair['setting']}"


def test_all_runs_and_pairs_are_there(shared: Path):
    assert shared / "real" == REAL
    assert (len(expected()["runs"]), len(expected()["pairs"])) == (80, 18)


@pytest.mark.parametrize("name", sorted(set(expected()["runs"]) - {EMPTY}))
def test_run_scores_as_expected(name):
    wanted = expected()["runs"][name]
    collection = name.split("/")[0]
    found = evaluate(run_of(name), qrels_of(collection), wanted["mean"])
    for measure, value in wanted["mean"].items():
        average = mean(found[measure])
        assert average.value == pytest.approx(value, abs=1e-12)
        assert average.count == wanted["topics_scored"]
        topics = per_topic()[name][measure]
        assert set(found[measure].topics) == set(topics)
        assert found[measure].over(list(topics)) == pytest.approx(list(topics.values()), abs=1e-12)


def test_empty_run_is_rejected():
    assert EMPTY in expected()["runs"]
    found = checked(EMPTY)
    assert (found.run, found.outcome) == (None, "rejected")
    assert [message.kind for message in found.messages] == ["empty_file"]


def test_repeated_document_warns_and_extra_column_is_dropped():
    assert {m.kind for m in checked(REPEATED).messages if m.level == "warning"} >= {
        "duplicate_document"
    }
    assert checked(EXTRA).outcome != "rejected"
    strict = read_run(REAL / EXTRA)
    assert strict.outcome == "rejected"


def compared(pair: dict[str, Any]) -> dict[str, PairComparison]:
    original, submitted = pair["original"], pair["reproduced"]
    is_same = pair["setting"] == "same_collection"
    return compare_pairs(
        Pair(run_of(original["baseline"]), run_of(original["advanced"])),
        Pair(run_of(submitted["baseline"]), run_of(submitted["advanced"])),
        qrels_of(original["baseline"].split("/")[0]),
        pair["values"],
        new_qrels=None if is_same else qrels_of(submitted["baseline"].split("/")[0]),
    )


@pytest.mark.parametrize("pair", expected()["pairs"], ids=id_of)
def test_pair_has_the_expected_effects(pair):
    found = compared(pair)
    test = "paired" if pair["setting"] == "same_collection" else "unpaired"
    for measure, wanted in pair["values"].items():
        one = found[measure]
        got = {
            "effect_ratio": one.effects.effect_ratio,
            "delta_ri": one.effects.delta_ri,
            "mean_b": one.baseline.arp_original,
            "mean_a": one.advanced.arp_original,
            "mean_b_reproduced": one.baseline.arp_submitted,
            "mean_a_reproduced": one.advanced.arp_submitted,
            f"{test}_t_p_baseline": one.baseline.test.p_value,
            f"{test}_t_p_advanced": one.advanced.test.p_value,
            "rmse_baseline": one.baseline.rmse,
            "rmse_advanced": one.advanced.rmse,
        }
        assert wanted.keys() <= got.keys()
        for key, value in wanted.items():
            is_p = "_p_" in key
            assert got[key] == pytest.approx(value, abs=1e-15 if is_p else 1e-9, rel=1e-9), key


def test_single_precision_gives_the_published_scores():
    run = checked("covid-r1/runs/BERT.gz", "single").sound()
    found = evaluate(run, qrels_of("covid-r1"), ["nDCG@10", "AP"])
    assert f"{mean(found['nDCG@10']).value:.4f}" == "0.1731"
    assert f"{mean(found['AP']).value:.4f}" == "0.0653"
    double = evaluate(run_of("covid-r1/runs/BERT.gz"), qrels_of("covid-r1"), ["nDCG@10"])
    assert f"{mean(double['nDCG@10']).value:.4f}" == "0.1736"
