"""A pair in plain words: each rule by a case worked by hand."""

import pytest

from campaigns.models import Comparison
from campaigns.services.pair_summary import PairNumbers, _lower, sentences


def numbers(ratio, reason="", effect=0.05, p=0.01, lower=None, shared=None):
    return PairNumbers("AP", ratio, reason, effect, p, lower, shared)


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (0.86, "86 % of the effect on AP came back."),
        (1.0, "The whole effect on AP came back."),
        (0.9951, "The whole effect on AP came back."),
        (0.994, "99 % of the effect on AP came back."),
        (1.006, "The effect on AP is larger than the original: 101 % of it."),
        (2.5, "The effect on AP is larger than the original: 250 % of it."),
        (0.0, "Nothing of the effect on AP came back."),
        (0.004, "Nothing of the effect on AP came back."),
        (-0.004, "Nothing of the effect on AP came back."),
        (-0.2, "The effect on AP is the other way round: the baseline scores higher."),
    ],
)
def test_effect(ratio, said):
    assert sentences(numbers(ratio)) == [said]


def test_effect_that_is_undefined_says_why():
    said = "How much of the effect on AP came back cannot be said"
    assert sentences(numbers(None, "the original effect is 0")) == [
        f"{said}: the original effect is 0."
    ]
    assert sentences(numbers(None)) == [f"{said}."]


@pytest.mark.parametrize(
    ("lower", "said"),
    [
        (0.031, "The baseline scores lower by .031 AP."),
        (-0.5, "The baseline scores higher by .500 AP."),
        (1.25, "The baseline scores lower by 1.250 AP."),
        (0.0004, "The baseline scores as the original does."),
        (0.0, "The baseline scores as the original does."),
    ],
)
def test_baseline(lower, said):
    assert sentences(numbers(1.0, lower=lower))[1:] == [said]


def test_shared_documents_and_an_effect_that_may_be_chance():
    assert sentences(numbers(0.5, p=0.08, shared=0.314)) == [
        "50 % of the effect on AP came back.",
        "31 % of the original baseline’s documents are in the submitted one.",
        "The original effect itself may be chance, p = .08.",
    ]


@pytest.mark.parametrize("ratio", [None, -0.5, 0.5])
def test_original_without_a_gain_has_no_share(ratio):
    said = "The original has no gain on AP, so there is no effect to bring back."
    assert sentences(numbers(ratio, effect=-0.01)) == [said]
    assert sentences(numbers(ratio, effect=0.0)) == [said]


def test_p_near_the_limit_is_not_rounded_to_it():
    assert sentences(numbers(0.5, p=0.0504))[-1].endswith("p = .0504.")
    assert len(sentences(numbers(0.5, p=0.05))) == 1
    assert len(sentences(numbers(0.5, effect=None, p=None))) == 1


@pytest.mark.parametrize(("submitted", "way"), [(1.0, "higher"), (0.25, "lower")])
def test_direction_comes_from_the_stored_means(submitted, way):
    gap = abs(0.5 - submitted)
    detail = {"arp_original": 0.5, "arp_submitted": submitted, "delta_arp": gap}
    found = sentences(numbers(1.0, lower=_lower(Comparison(detail=detail))))
    assert found[1] == f"The baseline scores {way} by {f'{gap:.3f}'.lstrip('0')} AP."
    assert _lower(Comparison(detail={"arp_original": None, "arp_submitted": 0.5})) is None
