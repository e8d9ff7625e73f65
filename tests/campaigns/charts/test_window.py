"""Which part of the plane is shown, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from campaigns.charts.plane import Point, window_of
from campaigns.charts.window import Span, quantile, span_of

finite = some.floats(-50, 50)


def test_quantile_lies_between_its_neighbours():
    assert quantile([0.0, 1.0, 2.0, 10.0], 0.25) == 0.75
    assert quantile([0.0, 1.0, 2.0, 10.0], 0.75) == 4.0
    assert quantile([3.0], 0.75) == 3.0


def test_span_leaves_out_what_lies_beyond_the_fences():
    # Quartiles 0.1 and 0.3: the fences stand at -0.2 and 0.6.
    span = span_of([0.0, 0.1, 0.2, 0.3, -6.6], [0.0], pad=(0.1, 0.5))
    assert (span.low, span.high) == pytest.approx((-0.03, 0.45))


def test_span_of_few_values_keeps_them_all():
    span = span_of([0.0, 0.1, -6.6], [0.0], pad=(0.0, 0.0))
    assert (span.low, span.high) == (-6.6, 0.1)


def test_span_of_equal_values_keeps_their_neighbours():
    span = span_of([0.5, 0.5, 0.5, 0.5, 0.55, 9.0], [0.0], pad=(0.0, 0.0))
    assert (span.low, span.high) == (0.0, 0.55)


def test_span_gives_room_on_both_sides_of_zero():
    # All values at 1: a fifth of the width lies below 0.
    span = span_of([1.0], [0.0, 1.0], pad=(0.0, 0.0), room_below=0.2)
    assert (span.low, span.high) == pytest.approx((-0.25, 1.0))


def test_span_without_values_shows_what_must_be_shown():
    span = span_of([], [0.0, 1.0], pad=(0.1, 0.1))
    assert (span.low, span.high) == pytest.approx((-0.1, 1.1))


def test_window_goes_beyond_one_where_the_data_do():
    points = [Point(str(n), "p", "", None, "AP", 1.0, -n / 2) for n in range(1, 7)]
    assert window_of(points).y.low < -3.0


def test_clamped_value_stands_inside_the_edge():
    span = Span(-1.0, 1.0)
    assert span.clamped(-7.0, 0.05) == pytest.approx(-0.9)
    assert span.clamped(3.0) == 1.0
    assert span.clamped(0.25, 0.05) == 0.25
    assert (span.side(-7.0), span.side(3.0), span.side(0.0)) == (-1, 1, 0)


@given(some.lists(some.tuples(finite, finite), max_size=30))
def test_window_always_holds_zeros_and_target_and_all_four_regions(places):
    window = window_of([Point("i", "n", "", None, "AP", x, y) for x, y in places])
    assert window.x.low < 0 < 1 < window.x.high
    assert window.y.low < 0 < window.y.high
    for span in (window.x, window.y):
        assert -span.low / (span.high - span.low) > 0.15


@given(some.lists(some.tuples(finite, finite), min_size=4, max_size=30))
def test_window_holds_at_least_half_of_the_values(places):
    window = window_of([Point("i", "n", "", None, "AP", x, y) for x, y in places])
    assert sum(window.x.side(x) == 0 for x, _ in places) * 2 >= len(places)
    assert sum(window.y.side(y) == 0 for _, y in places) * 2 >= len(places)
