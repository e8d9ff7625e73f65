"""Measures that only ir_measures knows: an extra, never a second way to one of ours."""

import math
import sys

import ir_measures
import pytest

from evaluation import Qrels, Run
from evaluation.errors import EvaluationError
from evaluation.notation import UnknownMeasureError
from evaluation.others import NO_VALUE, ONLY_NEGATIVE, evaluate_others, parse_other
from tests.evaluation.command import answer

RUN = Run.of({"1": {"x": 3.0, "a": 2.0, "b": 1.0}, "2": {"c": 1.0}})
QRELS = Qrels.of({"1": {"a": 1, "b": 2}, "2": {"d": 1}, "3": {"e": 1}})


def test_values_are_those_of_ir_measures_and_missing_topics_count_zero():
    found = evaluate_others(RUN, QRELS, ["Success@1", "Success@2", "NumRet(rel=1)"])
    assert {name: one.values.tolist() for name, one in found.items()} == {
        "Success@1": [0.0, 0.0, 0.0],
        "Success@2": [1.0, 0.0, 0.0],
        "NumRet(rel=1)": [2.0, 0.0, 0.0],
    }
    compat = evaluate_others(RUN, QRELS, ["Compat(p=0.8)"], topics=["1"])["Compat(p=0.8)"]
    [theirs] = ir_measures.iter_calc(
        [ir_measures.parse_measure("Compat(p=0.8)")],
        {"1": {"a": 1, "b": 2}},
        {"1": {"x": 3.0, "a": 2.0, "b": 1.0}},
    )
    assert compat.values.tolist() == [theirs.value]


def test_order_is_ours_where_single_precision_would_tie():
    run = Run.of({"1": {"a": 1.00000001, "b": 1.0}})
    found = evaluate_others(run, Qrels.of({"1": {"a": 1}}), ["Success@1"])
    assert found["Success@1"].values.tolist() == [1.0]


def test_topic_with_only_negative_judgments_is_undefined_and_does_not_hang():
    run = Run.of({"1": {"a": 1.0}, "2": {"b": 1.0}})
    qrels = Qrels.of({"1": {"a": -1}, "2": {"b": 1}})
    found = evaluate_others(run, qrels, ["Success@1"])["Success@1"]
    assert (math.isnan(found.values[0]), found.values[1]) == (True, 1.0)
    assert found.reasons == {"1": ONLY_NEGATIVE}


def test_topic_without_a_value_of_the_tool_is_undefined(monkeypatch):
    provider = type(ir_measures.DefaultPipeline.providers[1])
    monkeypatch.setattr(provider, "iter_calc", lambda *_: iter(()))
    found = evaluate_others(RUN, QRELS, ["Success@1"], topics=["1"])["Success@1"]
    assert found.reasons == {"1": NO_VALUE}


@pytest.mark.parametrize("name", ["AP", "P@x", "MRR@10", "ndcg_cut_10", "ERR@5", "RBP(p=2)"])
def test_names_of_ours_are_never_given_away(name):
    with pytest.raises(UnknownMeasureError, match="computed here"):
        parse_other(name)


@pytest.mark.parametrize(
    "name", ["F1", "Success@", "Success(rel=", "a b", "SDCG@5", "(" * 500, "", "Compat(q=1)"]
)
def test_names_nobody_knows_are_refused(name):
    with pytest.raises(UnknownMeasureError, match="here and in ir_measures"):
        parse_other(name)


def test_measure_without_its_tool_is_refused():
    with pytest.raises(UnknownMeasureError, match="No tool installed"):
        parse_other("alpha_nDCG@20")


def test_without_the_extra_the_name_of_the_extra_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(UnknownMeasureError, match=r"pip install 'centreboard\[ir-measures\]'"):
        parse_other("Success@5")


def test_utilities_are_refused():
    with pytest.raises(EvaluationError, match="whole grades"):
        evaluate_others(RUN, Qrels.of({"1": {"a": 0.5}}), ["Success@1"])


def test_command_names_the_tool(capsys, tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("1 0 b 1\n2 0 c -1\n", encoding="utf-8")
    found = answer(
        capsys, "score", "--run", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"),
        "--measure", "Success@2", "--measure", "AP",
    )["measures"]  # fmt: skip
    assert found["Success@2"] == {
        "mean": 1.0,
        "provider": "ir_measures: pytrec_eval",
        "interval": None,
        "topics": {"1": 1.0, "2": None},
    }
    assert found["AP"]["mean"] == 0.25
    assert "provider" not in found["AP"]
