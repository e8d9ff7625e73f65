"""Rankings compared: worked values, properties, and what each form does on odd lists."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from evaluation.ordering import (
    OVERLAP_VARIANTS,
    UNION_VARIANTS,
    kendall_tau_intersection,
    kendall_tau_union,
    length_coverage,
    overlap,
    rank_biased_overlap,
    shared_documents,
)


def ids(text: str) -> list[bytes]:
    return text.encode().split()


@pytest.mark.parametrize(
    ("first", "second", "by_appearance", "by_id", "shared"),
    [
        ("1 2 3", "1 2 4", 1, 1, 1),
        ("1 2 3 4", "2 5 3 6", 2 / 3, 2 / 3, 1),
        ("2 5 3 6", "1 2 3 4", 1 / 3, 2 / 3, 1),
        ("pear fig kiwi apple", "fig plum kiwi lime", 2 / 3, -2 / 3, 1),
        ("q b z a m", "m a z b q", -1, 0.6, -1),
        ("k1 k2 k3", "m1 m2 m3", 1, 1, None),
        ("k3 m1 k2", "m3 k1 m2", 1, -1 / 3, None),
    ],
)
def test_tau_is_the_one_worked_by_hand(first, second, by_appearance, by_id, shared):
    one, two = ids(first), ids(second)
    assert kendall_tau_union(one, two) == pytest.approx(by_appearance, abs=1e-15)
    assert kendall_tau_union(one, two, variant="sorted") == pytest.approx(by_id, abs=1e-15)
    found = kendall_tau_intersection(one, two)
    assert math.isnan(found) if shared is None else found == pytest.approx(shared, abs=1e-15)


@pytest.mark.parametrize("length", [1, 2, 3, 10])
def test_tied_below_is_negative_for_disjoint_lists(length):
    one = [f"a{n}".encode() for n in range(length)]
    two = [f"b{n}".encode() for n in range(length)]
    found = kendall_tau_union(one, two, variant="tied_below")
    assert found == pytest.approx(-2 * length / (3 * length - 1), abs=1e-15)


def test_tied_below_of_the_papers_second_example():
    found = kendall_tau_union(ids("1 2 3 4"), ids("2 5 3 6"), variant="tied_below")
    assert found == pytest.approx(-1 / 14, abs=1e-15)


def test_union_forms_cut_to_the_common_length():
    assert kendall_tau_union(ids("a b c d"), ids("b a")) == -1
    assert math.isnan(kendall_tau_union(ids("a b c"), ids("a")))
    assert math.isnan(kendall_tau_union(ids("a b c"), []))
    assert math.isnan(kendall_tau_union(ids("a b c"), [], variant="tied_below"))


def test_depth_cuts_both_lists_first():
    one, two = ids("a b c d"), ids("a b d c")
    assert kendall_tau_union(one, two, depth=2) == 1
    assert kendall_tau_intersection(one, two, depth=3) == 1
    assert rank_biased_overlap(one, two, depth=2) == 1
    assert (overlap(one, two), overlap(one, two, depth=3)) == (1, 2 / 3)


def test_overlap_is_a_share_of_the_original():
    assert (overlap(ids("a b c d"), ids("b")), overlap(ids("b"), ids("a b c d"))) == (0.25, 1)
    assert shared_documents(ids("a b c"), ids("c a x")) == 2
    assert length_coverage(ids("a b c d"), ids("b")) == 0.25
    assert length_coverage(ids("a"), ids("b c")) == 1
    assert math.isnan(overlap([], ids("a")))
    assert math.isnan(length_coverage([], ids("a")))


def exact_ext(one: list[bytes], two: list[bytes], p: Fraction) -> Fraction:
    """Equation 32 of Webber et al. written out."""
    short, long = sorted((len(one), len(two)))

    def shared(depth: int) -> int:
        return len(set(one[:depth]) & set(two[:depth]))

    total = sum((Fraction(shared(d), d) * p**d for d in range(1, long + 1)), Fraction(0))
    total += sum(
        (
            Fraction(shared(short) * (d - short), short * d) * p**d
            for d in range(short + 1, long + 1)
        ),
        Fraction(0),
    )
    rest = Fraction(shared(long) - shared(short), long) + Fraction(shared(short), short)
    return (1 - p) / p * total + rest * p**long


documents = [f"d{number}".encode() for number in range(9)]
lists = st.lists(st.sampled_from(documents), unique=True, max_size=9)
full = st.lists(st.sampled_from(documents), unique=True, min_size=2)
probabilities = st.sampled_from([0.1, 0.5, 0.8, 0.95])


@given(full, full, st.sampled_from([Fraction(1, 2), Fraction(4, 5)]))
def test_extrapolated_overlap_equals_the_exact_sum(one, two, p):
    found = rank_biased_overlap(one, two, p=float(p))
    assert found == pytest.approx(float(exact_ext(one, two, p)), abs=1e-12)


@given(full, probabilities)
def test_identical_lists_agree_fully(one, p):
    assert [kendall_tau_union(one, one, variant=form) for form in UNION_VARIANTS] == [1, 1, 1]
    assert kendall_tau_intersection(one, one) == 1
    assert rank_biased_overlap(one, one, p=p) == 1
    assert rank_biased_overlap(one, one, p=p, variant="normalised") == pytest.approx(1)
    assert rank_biased_overlap(one, one, p=p, variant="truncated") == pytest.approx(
        1 - p ** len(one)
    )
    assert overlap(one, one) == 1


@given(full, probabilities)
def test_prefix_has_extrapolated_overlap_one(one, p):
    assert rank_biased_overlap(one, one[:1], p=p) == pytest.approx(1)


@given(lists, lists, probabilities)
def test_symmetric_measures_do_not_mind_the_order_of_the_lists(one, two, p):
    pairs = [
        (
            kendall_tau_union(one, two, variant="tied_below"),
            kendall_tau_union(two, one, variant="tied_below"),
        ),
        (
            kendall_tau_union(one, two, variant="sorted"),
            kendall_tau_union(two, one, variant="sorted"),
        ),
        (kendall_tau_intersection(one, two), kendall_tau_intersection(two, one)),
        *(
            (
                rank_biased_overlap(one, two, p=p, variant=form),
                rank_biased_overlap(two, one, p=p, variant=form),
            )
            for form in OVERLAP_VARIANTS
        ),
    ]
    for here, there in pairs:
        assert here == pytest.approx(there, abs=1e-12, nan_ok=True)


@given(lists, lists, probabilities)
def test_values_stay_in_their_range(one, two, p):
    for form in UNION_VARIANTS:
        tau = kendall_tau_union(one, two, variant=form)
        assert math.isnan(tau) or -1 <= tau <= 1
    for variant in OVERLAP_VARIANTS:
        found = rank_biased_overlap(one, two, p=p, variant=variant)
        assert math.isnan(found) == (not one and not two)
        assert math.isnan(found) or -1e-12 <= found <= 1 + 1e-12


@given(full, full, probabilities)
def test_least_overlap_lies_between_truncated_and_extrapolated(one, two, p):
    truncated = rank_biased_overlap(
        one, two, p=p, variant="truncated", depth=min(len(one), len(two))
    )
    least = rank_biased_overlap(one, two, p=p, variant="min")
    assert truncated - 1e-12 <= least <= rank_biased_overlap(one, two, p=p) + 1e-12


@given(st.permutations(range(7)))
def test_tau_of_a_permutation_equals_that_of_scipy(order):
    names = [str(number).encode() for number in range(7)]
    found = kendall_tau_union(names, [names[place] for place in order])
    assert found == pytest.approx(kendalltau(range(7), order).statistic, abs=1e-12)


def test_one_empty_list_has_overlap_zero_and_two_none():
    for variant in OVERLAP_VARIANTS:
        assert rank_biased_overlap(ids("a"), [], variant=variant) == 0
        assert math.isnan(rank_biased_overlap([], [], variant=variant))


def test_normalised_overlap_needs_as_many_documents_as_its_depth():
    ten = [f"d{number}".encode() for number in range(10)]
    found = rank_biased_overlap(ten, ten, p=0.95, variant="normalised", depth=1000)
    assert found == pytest.approx(0.672, abs=5e-4)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.5, 2.0, math.nan])
def test_persistence_outside_its_range_is_refused(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        rank_biased_overlap(ids("a"), ids("a"), p=p)
