"""Regions of the plane of ER and ΔRI."""

import math

import pytest

from evaluation.regions import REGION_READINGS, effect_reading, region


@pytest.mark.parametrize(
    ("ratio", "difference", "expected"),
    [
        (0.5, 0.4, 1),
        (-0.5, 1.08, 2),
        (-1.0, -0.5, 3),
        (0.83, -1.75, 4),
        (1.0, 0.0, None),
        (0.0, 0.5, None),
        (1.0, 9e-13, None),
        (1.0, 2e-12, 1),
        (math.nan, 0.5, None),
        (1.0, math.nan, None),
        (None, 0.5, None),
        (1.0, None, None),
    ],
)
def test_region_follows_the_signs(ratio, difference, expected):
    assert region(ratio, difference) == expected


def test_every_region_has_a_reading():
    assert sorted(REGION_READINGS) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        (-0.5, "failure"),
        (0.0, "failure"),
        (0.5, "smaller effect"),
        (1.0 - 1e-13, "recovered"),
        (1.0, "recovered"),
        (1.5, "larger effect"),
        (math.nan, None),
        (None, None),
    ],
)
def test_effect_reading_has_four_steps(ratio, expected):
    assert effect_reading(ratio) == expected
