"""Bars by topic, value by value."""

import plotly.graph_objects as go
import pytest

from campaigns.charts import bars
from campaigns.charts.bars import Bar

LISTED = bars.in_order(
    [Bar("303", 0.2, 0.5), Bar("302", 0.75, 0.5), Bar("304", 0.5, 0.5), Bar("301", 0.75, 0.5)]
)


def test_bars_stand_by_their_difference_then_topic():
    assert [bar.topic for bar in LISTED] == ["301", "302", "304", "303"]


def test_heights_are_differences_and_losses_have_another_colour():
    figure = bars.figure(LISTED, "AP", is_difference=True)
    (trace,) = figure["data"]
    assert trace["y"] == pytest.approx([0.25, 0.25, 0.0, -0.3])
    assert trace["marker"]["color"] == ["var(--c1)"] * 3 + ["var(--c2)"]
    assert figure["layout"]["xaxis"]["ticktext"] == ["301", "302", "304", "303"]
    # A share of .12 of the height .55 at both ends.
    assert figure["layout"]["yaxis"]["range"] == pytest.approx([-0.366, 0.316])
    assert [one["name"] for one in figure["layout"]["annotations"]] == ["gains", "losses"]
    go.Figure(figure)


def test_scores_alone_begin_at_zero():
    figure = bars.figure([Bar("1", 0.5), Bar("2", 0.0)], "P@10", is_difference=False)
    assert figure["data"][0]["y"] == [0.5, 0.0]
    assert figure["layout"]["yaxis"]["range"] == pytest.approx([0.0, 0.56])
    assert figure["layout"]["annotations"] == []
    assert figure["layout"]["yaxis"]["title"]["text"] == "P@10"
    go.Figure(figure)


def test_topics_with_markup_are_shown_as_they_are():
    figure = bars.figure([Bar("<b>1", 0.5)], "AP", is_difference=False)
    assert figure["layout"]["xaxis"]["ticktext"] == ["&lt;b&gt;1"]
