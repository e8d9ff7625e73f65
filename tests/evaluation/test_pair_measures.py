"""Targets and ranking of the measures of reproduction."""

import pytest

from evaluation.pair_measures import PAIR_MEASURES

NEVER_RANKED = {
    "kendall_tau_union",
    "kendall_tau_union_sorted",
    "length_coverage",
    "arp",
    "p_value",
    "t",
    "relative_improvement",
    "region",
}


def test_ranked_measures_are_those_with_a_target():
    assert {name for name, one in PAIR_MEASURES.items() if not one.is_rankable} == NEVER_RANKED
    assert all(one.is_rankable == (one.target is not None) for one in PAIR_MEASURES.values())


@pytest.mark.parametrize(
    ("name", "best_first"),
    [
        ("effect_ratio", [1.0, 0.9, 1.2, 0.5, -1.0]),
        ("delta_ri", [0.0, -0.1, 0.2, -6.6]),
        ("rmse", [0.0, 0.05, 0.2]),
        ("rank_biased_overlap", [1.0, 0.9, 0.1]),
        ("kendall_tau_union_tied_below", [1.0, 0.2, -0.75]),
    ],
)
def test_rank_key_grows_with_the_distance_from_the_target(name, best_first):
    ascending = sorted(best_first)
    assert sorted(ascending, key=PAIR_MEASURES[name].rank_key) == best_first


def test_rank_key_of_a_measure_without_target_is_refused():
    with pytest.raises(ValueError, match="is not ranked"):
        PAIR_MEASURES["p_value"].rank_key(0.5)
