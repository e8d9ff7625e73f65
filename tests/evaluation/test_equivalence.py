"""TOST: bounds worked by hand, degenerate cases, and the published replications."""

import csv
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.equivalence import equivalence
from evaluation.significance import TOO_FEW, UNDEFINED

FIRST, SECOND = [0.50, 0.40, 0.30, 0.60], [0.49, 0.42, 0.29, 0.58]


def test_bound_worked_by_hand():
    # d = .01, -.02, .01, .02: mean .005, sd sqrt(.0003), error .0086603; t(.95, 3) = 2.353363.
    found = equivalence(FIRST, SECOND)
    assert found.difference == pytest.approx(0.005)
    assert found.interval == pytest.approx((-0.0153807, 0.0253807), abs=1e-7)
    assert found.smallest_bound == pytest.approx(0.0253807, abs=1e-7)
    # t = (.05 - .005) / .0086603 = 5.196152; with 3 degrees the tail is 1/2 - (a + sin a cos a)/pi
    # for a = atan(t / sqrt 3) = atan 3: .0068998.
    angle = math.atan(3)
    tail = 0.5 - (angle + math.sin(angle) * math.cos(angle)) / math.pi
    assert found.p_value == pytest.approx(tail, rel=1e-9)
    assert found.is_equivalent
    assert not equivalence(FIRST, SECOND, bound=0.025).is_equivalent


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_smallest_bound_is_where_p_reaches_alpha(pairs):
    first, second = zip(*pairs, strict=True)
    found = equivalence(first, second)
    mirrored = equivalence(second, first)
    assert mirrored.smallest_bound == pytest.approx(found.smallest_bound, abs=1e-12)
    if found.smallest_bound > 1e-6 and found.interval[1] - found.interval[0] > 1e-6:
        assert equivalence(first, second, found.smallest_bound).p_value == pytest.approx(0.05)
        assert equivalence(first, second, found.smallest_bound * 1.01).is_equivalent
        assert not equivalence(first, second, found.smallest_bound * 0.99).is_equivalent


@pytest.mark.parametrize(
    ("gap", "smallest", "p_value", "is_equivalent"),
    [(0.0, 0.0, 0.0, True), (0.04, 0.04, 0.0, True), (-0.2, 0.2, 1.0, False)],
)
def test_constant_differences_pass_up_to_the_bound(gap, smallest, p_value, is_equivalent):
    found = equivalence([0.5, 0.3, 0.4], [0.5 - gap, 0.3 - gap, 0.4 - gap])
    assert found.smallest_bound == pytest.approx(smallest)
    assert (found.p_value, found.is_equivalent) == (p_value, is_equivalent)


def test_undefined_cases_have_a_reason():
    assert equivalence([0.1], [0.1]).reason == TOO_FEW
    found = equivalence([0.1, math.nan], [0.1, 0.2])
    assert (found.reason, found.is_equivalent, found.interval) == (UNDEFINED, None, None)
    assert math.isnan(found.smallest_bound)


@pytest.mark.parametrize(("bound", "alpha"), [(0.0, 0.05), (-1.0, 0.05), (0.05, 0.5), (0.05, 0.0)])
def test_impossible_settings_are_refused(bound, alpha):
    with pytest.raises(ValueError, match=r"above 0|between 0"):
        equivalence(FIRST, SECOND, bound, alpha)


@pytest.mark.parametrize(("file", "count"), [("ap", 33), ("ndcg1000", 30), ("p10", 19)])
def test_equivalent_replications_of_the_paper_are_as_many_as_known(shared, file, count):
    equivalent = 0
    for run in ("wcrobust04", "wcrobust0405"):
        path = shared / "sigir2020" / "replicability" / run / f"{file}.csv"
        rows = [*csv.reader(path.read_text(encoding="utf-8").splitlines())]
        columns = [[float(cell) for cell in column] for column in zip(*rows[1:], strict=True)]
        original, submitted = columns[1], columns[2:]
        equivalent += sum(bool(equivalence(original, one).is_equivalent) for one in submitted)
    assert equivalent == count
