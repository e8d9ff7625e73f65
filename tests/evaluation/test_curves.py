"""Curves over cut-offs: each point is what the single comparison gives at its cut-off."""

import math

import numpy as np
import pytest

from evaluation.comparison import compare
from evaluation.curves import CUTOFFS, cutoff_curve
from evaluation.data import Qrels, Run
from evaluation.notation import UnknownMeasureError


def run(seed, topics=("1", "2", "3"), documents=40):
    numbers = np.random.default_rng(seed)
    return Run.of(
        {
            topic: {f"d{row}": float(numbers.random()) for row in range(documents)}
            for topic in topics
        }
    )


QRELS = Qrels.of({topic: {f"d{row}": row % 3 for row in range(20)} for topic in "123"})


def test_each_point_is_the_comparison_at_its_cutoff():
    first, second = run(1), run(2)
    curve = cutoff_curve(first, second, QRELS)
    assert [point.cutoff for point in curve] == [5, 10, 20, 50, 100, 1000] == [*CUTOFFS]
    for point in curve:
        name = f"nDCG@{point.cutoff}"
        found = compare(first, second, QRELS, [name], depth=point.cutoff)
        assert point.rmse == found.measures[name].rmse
        for key in ("kendall_tau_union", "rank_biased_overlap", "overlap"):
            assert point.rankings[key] == found.rankings[key].mean


def test_curve_of_a_run_with_itself_is_flat():
    for point in cutoff_curve(run(1), run(1), QRELS, "AP"):
        assert point.rmse == 0
        assert point.rankings["kendall_tau_union"].value == 1
        assert point.rankings["rank_biased_overlap"].value == pytest.approx(1, abs=1e-12)


def test_curve_without_judgments_has_no_rmse():
    curve = cutoff_curve(run(1), run(2), cutoffs=(3,))
    assert curve[0].rmse is None
    assert curve[0].rankings["overlap"].count == 3


def test_missing_topic_counts_zero_and_leaves_tau_undefined():
    [point] = cutoff_curve(run(1), run(1, ("1", "2")), QRELS, cutoffs=(5,), topics=("1", "2", "3"))
    assert point.rankings["rank_biased_overlap"].value == pytest.approx(2 / 3)
    assert math.isnan(point.rankings["kendall_tau_union"].value)
    assert point.rmse > 0


def test_curve_refuses_what_has_no_cutoff():
    with pytest.raises(UnknownMeasureError, match="takes no cutoff"):
        cutoff_curve(run(1), run(2), QRELS, "Rprec")
    with pytest.raises(ValueError, match="1 or more, not 0"):
        cutoff_curve(run(1), run(2), cutoffs=(5, 0))
