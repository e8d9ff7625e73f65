"""Expected reciprocal rank, worked by hand, and the residual of RBP beside its mean."""

import json

import pytest

from evaluation.cli import main
from evaluation.data import Qrels, Run
from evaluation.effectiveness import evaluate, join, residuals
from evaluation.effectiveness.err import expected_reciprocal_rank
from evaluation.errors import EvaluationError
from evaluation.notation import parse

RUN = Run.of({"1": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}, "2": {"a": 1.0, "e": 0.5}})
QRELS = Qrels.of({"1": {"a": 1, "b": -1, "c": 2, "x": 2}, "2": {"e": 2}, "3": {"f": 1}})


def test_err_worked_by_hand():
    # G = 2. Topic 1: R = 1/4, 0, 3/4, 0: 1/4 + 3/4 * 3/4 / 3. Topic 2: R = 0, 3/4: 3/4 / 2.
    # Topic 3 is missing from the run.
    assert expected_reciprocal_rank(join(RUN, QRELS)).tolist() == [0.25 + 0.1875, 0.375, 0.0]
    assert expected_reciprocal_rank(join(RUN, QRELS), 2).tolist() == [0.25, 0.375, 0.0]
    # gdeval's G = 4: R = 1/16, 0, 3/16, 0: 1/16 + 15/16 * 3/16 / 3.
    found = expected_reciprocal_rank(join(RUN, QRELS), 20, maxgrade=4)
    assert found.tolist() == [1 / 16 + 15 / 256, 3 / 32, 0.0]


def test_first_topic_may_be_missing_from_the_run():
    run = Run.of({"2": {"e": 2.0, "a": 1.0}})
    assert expected_reciprocal_rank(join(run, QRELS)).tolist() == [0.0, 0.75, 0.0]


def test_highest_grade_is_that_of_all_topics():
    # Restricted to topic 3, whose only grade is 1, R of a found document stays 1/4.
    run = Run.of({"3": {"f": 1.0}})
    assert expected_reciprocal_rank(join(run, QRELS, ["3"])).tolist() == [0.25]


@pytest.mark.parametrize("grades", [{"a": 0}, {"a": -2}])
def test_err_without_relevant_documents_is_zero(grades):
    assert expected_reciprocal_rank(join(RUN, Qrels.of({"1": grades}))).tolist() == [0.0]
    assert expected_reciprocal_rank(join(RUN, Qrels.of({}))).tolist() == []


def test_grade_above_the_highest_named_is_refused():
    with pytest.raises(EvaluationError, match="hold the grade 2"):
        expected_reciprocal_rank(join(RUN, QRELS), maxgrade=1)


def test_residuals_of_all_judged_topics():
    # p = .5. Topic 1: d at rank 4 unjudged: .5 * .125 + .5^4. Topic 2: a at rank 1: .5 + .25.
    found = residuals(RUN, QRELS, parse("RBP(p=0.5)"))
    assert dict(zip(found.topics, found.values.tolist(), strict=True)) == {
        "1": 0.125,
        "2": 0.75,
        "3": 1.0,
    }
    assert residuals(RUN, QRELS, parse("RBP(p=0.5)@2"), topics=["1"]).values.tolist() == [0.25]
    with pytest.raises(ValueError, match="not AP"):
        residuals(RUN, QRELS, parse("AP"))


def test_score_shows_the_residual_beside_rbp(files, capsys):
    command = ["score", "--run", "run", "--qrels", "qrels", "--measure", "RBP(p=0.5)"]
    assert main([*command, "--measure", "AP", "--json"]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    # Topic 1: a and c unjudged, .5 + .125 + .125; topic 2: e, .25 + .25; topic 3 is missing: 1.
    assert measures["RBP(p=0.5, rel=1)"]["residual"] == pytest.approx((0.75 + 0.5 + 1) / 3)
    assert "residual" not in measures["AP"]
    assert main(command) == 0
    assert "RBP(p=0.5, rel=1): residual 0.7500" in capsys.readouterr().out


def test_err_is_read_by_name_and_states_its_highest_grade(files, capsys):
    found = evaluate(RUN, QRELS, ["ERR", "ERR@2", "ERR(maxgrade=4)@20"])
    assert {name: one.values.tolist() for name, one in found.items()} == {
        "ERR": [0.4375, 0.375, 0.0],
        "ERR@2": [0.25, 0.375, 0.0],
        "ERR(maxgrade=4)@20": [1 / 16 + 15 / 256, 3 / 32, 0.0],
    }
    command = ["score", "--run", "run", "--qrels", "qrels", "--measure", "ERR@20"]
    assert main([*command, "--measure", "ERR(maxgrade=4)@20", "--json"]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    assert [one["max_grade"] for one in measures.values()] == [2.0, 4.0]
    assert main(command) == 0
    assert "ERR@20: the highest grade is 2." in capsys.readouterr().out
