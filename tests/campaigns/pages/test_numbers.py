"""Numbers as text: decimals, leading zeros, minus, dash."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.templatetags.numbers import Style, count, filesize, number, style_of

SCORES = ["nDCG@10", "AP", "P@10", "RR", "R@1000", "RBP(p=0.8, rel=1)", "nDCG(ideal='pool')@10"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.57617, ".5762"),
        (0.0, ".0000"),
        (-0.0, ".0000"),
        (1.0, "1.0000"),
        (0.99995, "1.0000"),
        (0.00001, ".0000"),
        (0.5, ".5000"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_score_has_four_decimals_and_no_leading_zero(value, text):
    assert {number(value, name) for name in SCORES} == {text}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0334, "1.033"),
        (0.5, "0.500"),
        (-0.0081, "\u22120.008"),
        (-0.0004, "0.000"),
        (12.0, "12.000"),
        (None, "–"),
    ],
)
@pytest.mark.parametrize(
    "name", ["effect_ratio", "effect_ratio(AP)", "baseline:effect_ratio(AP)", "distance"]
)
def test_ratio_keeps_its_leading_zero(name, value, text):
    assert number(value, name) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1107, ".1107"),
        (0.0001, ".0001"),
        (0.00009999, "<.0001"),
        (0.0, "<.0001"),
        (1.0, "1.0000"),
        (None, "–"),
    ],
)
@pytest.mark.parametrize("name", ["p", "p_value", "advanced:p_value(AP)"])
def test_p_value_below_a_ten_thousandth_is_only_bounded(name, value, text):
    assert number(value, name) == text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("rmse(AP)", 0.20354, ".2035"),
        ("baseline:nrmse(P@10)", 0.25, ".2500"),
        ("advanced:delta_arp(AP)", 0.0064, ".0064"),
        ("difference(AP)", 0.046, "+.0460"),
        ("difference(AP)", -0.0064, "\u2212.0064"),
        ("difference(AP)", 0.0, ".0000"),
        ("original_effect(AP)", 0.0567, "+.0567"),
        ("relative_improvement", 0.1529, "+0.153"),
        ("delta_ri", 0.0042, "+0.004"),
        ("delta_ri(nDCG@10)", -0.0081, "\u22120.008"),
        ("delta_ri(AP)", 0.0004, "0.000"),
        ("kendall_tau_union", -0.0117, "\u2212.0117"),
        ("advanced:rank_biased_overlap", 0.5448, ".5448"),
        ("t", -1.62, "\u22121.620"),
        ("region", 4, "4"),
        ("region(AP)", 4, "4"),
    ],
)
def test_quantity_of_a_comparison_follows_its_range(name, value, text):
    assert number(value, name) == text


def test_error_of_an_unbounded_measure_keeps_its_leading_zero():
    assert number(0.25, "rmse(nDCG(ideal='pool', clip=None)@10)") == "0.2500"


def test_unknown_name_keeps_the_leading_zero():
    assert number(0.25, "something else") == "0.2500"


def test_share_of_judged_documents_has_two_decimals():
    assert [number(value, "Judged@10") for value in (0.954, 0.0, 1.0)] == [".95", ".00", "1.00"]


def test_number_without_a_name_is_a_score():
    assert number(0.25) == ".2500"


@given(st.floats(min_value=-1e6, max_value=1e6))
def test_any_number_has_the_decimals_of_its_column_and_no_hyphen(value):
    for style in (Style(4), Style(3, is_bounded=False), Style(3, is_bounded=False, is_signed=True)):
        text = style.text(value)
        assert "-" not in text
        assert len(text.partition(".")[2]) == style.decimals
        assert float(text.replace("\u2212", "-")) == pytest.approx(
            value, abs=0.51 * 10**-style.decimals
        )


@given(st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_larger_score_never_reads_smaller(first, second):
    low, high = sorted((first, second))
    assert float(number(low, "AP")) <= float(number(high, "AP"))


def test_styles_are_made_once():
    assert style_of("nDCG@10") is style_of("nDCG@10")


def test_counts_have_thousands_separators():
    assert [count(n) for n in (0, 999, 1204, 6_980_000, None)] == [
        "0", "999", "1,204", "6,980,000", "–",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1500, "1.5 kB"),
        (104_857_600, "105 MB"), (999_600, "1.0 MB"), (2_500_000_000, "2.5 GB"), (None, "–"),
    ],
)  # fmt: skip
def test_sizes_are_read_in_one_glance(size, text):
    assert filesize(size) == text
