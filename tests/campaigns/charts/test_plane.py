"""The figure of the ER–ΔRI chart, value by value."""

import json

import plotly.graph_objects as go
import pytest

from campaigns.charts import plane
from campaigns.charts.plane import Point
from campaigns.charts.style import CONFIG, marks_of, plain

MEASURES = ["AP", "P@10"]


def point(name, ratio, delta, measure="AP", family="", step=None, **more):
    return Point(f"id-{name}", name, family, step, measure, ratio, delta, **more)


POINTS = plane.in_order(
    [
        point("tf_2", 1.2, -0.1, family="tf", step=2),
        point("tf_1", 1.0, -0.01, family="tf", step=1, distance=0.01),
        point("df_1", 0.9, 0.01, family="df", step=1),
        point("alone", 0.8, 0.02),
        point("lonely", 0.7, 0.03, distance=0.3),
        point("nothing", None, 0.1),
        point("tf_1", 1.1, -0.02, "P@10", family="tf", step=1, is_unclear=True),
        point("deep", 1.05, -6.6, distance=6.6),
        point("far", -9.0, 9.0, "P@10", distance=13.5),
        point("tf_2", 1.15, -0.03, "P@10", family="tf", step=2),
        point("tf_3", 1.12, -0.03, "P@10", family="tf", step=3),
        point("tf_4", 1.11, -0.02, "P@10", family="tf", step=4),
    ],
    MEASURES,
)


@pytest.fixture
def figure():
    return plane.figure(POINTS, MEASURES)


def trace(figure, measure, part="line"):
    return next(one for one in figure["data"] if one["meta"] == {"measure": measure, "part": part})


def shape(figure, name):
    return next(one for one in figure["layout"]["shapes"] if one.get("name") == name)


def test_points_stand_by_measure_family_and_step():
    assert [one.name for one in POINTS if one.measure == "AP"] == [
        "df_1", "tf_1", "tf_2", "alone", "deep", "lonely", "nothing",
    ]  # fmt: skip


def test_line_joins_each_family_and_nothing_else(figure):
    line = trace(figure, "AP")
    assert line["x"] == [0.9, None, 1.0, 1.2, None, 0.8, None, 1.05, None, 0.7]
    assert line["y"] == [0.01, None, -0.01, -0.1, None, 0.02, None, -6.6, None, 0.03]
    assert line["customdata"] == [0, None, 1, 2, None, 3, None, 4, None, 5]
    assert line["connectgaps"] is False


def test_undefined_points_are_in_no_trace_but_in_their_list(figure):
    drawn = {one for t in figure["data"] for one in t["customdata"] if one is not None}
    assert 6 not in drawn
    assert [one.name for one in plane.undefined(POINTS)] == ["nothing"]


def test_points_outside_are_arrowheads_just_inside_the_edge(figure):
    window = plane.window_of(POINTS)
    deep = trace(figure, "AP", "outside")
    height = window.y.high - window.y.low
    assert deep["customdata"] == [4]
    assert deep["x"] == [1.05]
    assert deep["y"] == pytest.approx([window.y.low + 0.018 * height])
    assert deep["marker"]["symbol"] == ["triangle-down"]
    far = trace(figure, "P@10", "outside")
    width = window.x.high - window.x.low
    assert far["marker"]["symbol"] == ["triangle-nw"]
    assert far["x"] == pytest.approx([window.x.low + 0.018 * width])
    assert far["y"] == pytest.approx([window.y.high - 0.018 * height])
    assert [one.name for one in plane.outside(POINTS)] == ["far", "deep"]


def test_regions_are_rectangles_from_zero_to_the_edges(figure):
    window = plane.window_of(POINTS)
    left, right, low, high = window.x.low, window.x.high, window.y.low, window.y.high
    corners = {1: (0, 0, right, high), 2: (left, 0, 0, high), 3: (left, low, 0, 0),
               4: (0, low, right, 0)}  # fmt: skip
    for number, ends in corners.items():
        rectangle = shape(figure, f"region {number}")
        assert tuple(rectangle[key] for key in ("x0", "y0", "x1", "y1")) == ends
        assert rectangle["fillcolor"] == f"var(--r{number})"
        assert rectangle["layer"] == "below"
    assert figure["layout"]["xaxis"]["range"] == [left, right]
    assert figure["layout"]["yaxis"]["range"] == [low, high]


def test_corners_hold_the_words_of_the_paper(figure):
    words = {one["name"]: one for one in figure["layout"]["annotations"]}
    assert words["reading 1"]["text"].replace("<br>", " ") == (
        "somewhat successful in the effect size, not in the absolute scores"
    )
    assert (words["reading 2"]["x"], words["reading 2"]["y"]) == (0, 1)
    left, right = figure["layout"]["xaxis"]["range"]
    assert words["region 4"]["x"] == pytest.approx(-left / (right - left))  # the ordinate
    assert (words["region 4"]["y"], words["region 4"]["xanchor"]) == (0, "left")
    assert words["region 3"]["text"] == "Region 3"


def test_target_is_a_ring_of_pixels_at_one_and_zero(figure):
    ring = shape(figure, "target")
    assert (ring["xanchor"], ring["yanchor"]) == (1.0, 0.0)
    assert (ring["xsizemode"], ring["x0"], ring["x1"]) == ("pixel", -8, 8)
    label = figure["layout"]["annotations"][0]
    assert (label["text"], label["x"], label["y"]) == ("(1, 0) perfect", 1.0, 0.0)


def test_unclear_original_effect_makes_hollow_marks(figure):
    marker = trace(figure, "P@10")["marker"]
    assert marker["color"][:2] == ["var(--bg)", "var(--c1)"]
    assert marker["line"]["color"][:2] == ["var(--c1)", "var(--bg)"]


def test_measures_keep_their_marks_whatever_their_order():
    names = ["Bpref", "P@10", "nDCG@20", "AP", "P@5", "R@100"]
    marks = {name: mark.symbol for name, mark in marks_of(names).items()}
    assert marks == {
        "Bpref": "square", "P@10": "circle", "nDCG@20": "triangle-up", "AP": "diamond",
        "P@5": "cross", "R@100": "x",
    }  # fmt: skip


def test_small_figure_has_no_words_but_the_names_of_regions():
    names = [one["name"] for one in plane.figure(POINTS, MEASURES, is_small=True)["layout"][
        "annotations"]]  # fmt: skip
    assert names == ["region 1", "region 2", "region 3", "region 4"]


def test_names_are_shown_as_they_are():
    assert plain('<b>&"x') == '&lt;b&gt;&amp;"x'
    assert plain("a" * 60) == "a" * 23 + "…"
    hostile = [point("<a href='javascript:alert(1)'>x", 1.0, 0.0)]
    text = trace(plane.figure(hostile, ["AP"]), "AP")["text"][0]
    assert text.startswith("&lt;a href=")
    assert "<" not in text


@pytest.mark.parametrize("is_small", [False, True])
def test_plotly_knows_every_property(is_small):
    figure = plane.figure(POINTS, MEASURES, is_small=is_small)
    assert len(go.Figure(figure).data) == len(figure["data"])


def test_figure_without_any_place_is_still_one():
    figure = plane.figure([point("nothing", None, None)], ["AP"])
    assert trace(figure, "AP")["x"] == []
    go.Figure(figure)


def test_figure_is_json_without_nan(figure):
    assert json.loads(json.dumps(figure, allow_nan=False)) == figure


def test_mode_bar_offers_picture_and_reset_only():
    assert CONFIG["modeBarButtons"] == [["toImage", "resetScale2d"]]
    assert CONFIG["displaylogo"] is False
    assert CONFIG["scrollZoom"] is False


def test_no_trace_needs_webgl(figure):
    assert {one["type"] for one in figure["data"]} == {"scatter"}
