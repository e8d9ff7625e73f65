"""The order of the 50 pairs of the SIGIR 2020 paper, from their published numbers."""

from __future__ import annotations

import json

import pytest

from campaigns.numerics.rank import rank
from campaigns.services.ranks import closeness, order_cell
from campaigns.work import CellValue, ColumnSpec, RankInput, RowInput

RUNS = {"baseline": "wcrobust04", "advanced": "wcrobust0405"}
SIDES = {
    "same_collection": ("replicability", "rmse"),
    "new_collection": ("reproducibility", "distance"),
}


def row_of(published, constellation, side, order_by, measure):
    """The row of a pair: its published effect, and RMSE where both runs share the topics."""
    effect = published["effects"][side][constellation][measure]
    cells = {
        f"effect_ratio({measure})": CellValue(effect["er"]),
        f"delta_ri({measure})": CellValue(effect["delta_ri"]),
    }
    if order_by == "rmse":
        for role, run in RUNS.items():
            value = published[side][run]["runs"][constellation]["rmse"][measure]
            cells[f"{role}:rmse({measure})"] = CellValue(value)
    cells["order"] = order_cell(order_by, measure, cells, "")
    tie = (*closeness(cells, measure), int(constellation))
    return RowInput(constellation, None, cells, tie)


@pytest.mark.parametrize("measure", ["p10", "ap", "ndcg1000"])
@pytest.mark.parametrize("setting", SIDES)
def test_published_pairs_have_the_expected_order(shared, setting, measure):
    folder = shared / "sigir2020"
    published = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    expected = json.loads((folder / "expected_order.json").read_text(encoding="utf-8"))
    side, order_by = SIDES[setting]
    rows = tuple(
        row_of(published, constellation, side, order_by, measure)
        for constellation in published["effects"][side]
    )
    values = {row.identity: row.cells["order"].value for row in rows}
    found = [
        (int(one.identity), one.rank, values[one.identity])
        for one in rank(RankInput((ColumnSpec("order", "low"),), "order", rows))
    ]
    wanted = expected[setting][measure]
    assert len(found) == len(wanted) == 50
    assert found == [(one["constellation"], one["rank"], one["value"]) for one in wanted]
