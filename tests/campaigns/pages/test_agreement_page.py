"""Agreement of measures: the paper's Table 4 from its numbers, who sees the page, what it says."""

import json
import math

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import BoardRow, Pair
from campaigns.services.measure_agreement import agreement_of, joined, series_of

pytestmark = pytest.mark.django_db

MEASURES = {"p10": "P@10", "ap": "AP", "ndcg1000": "nDCG@1000"}
RUNS = {"baseline": "wcrobust04", "advanced": "wcrobust0405"}


def paper_rows(expected):
    """Rows of a board with the paper's numbers of all 50 pairs, not stored."""
    side, effects = expected["replicability"], expected["effects"]["replicability"]
    rows = []
    for number in side["wcrobust04"]["runs"]:
        cells, tau, rbo = {}, {}, {}
        for role, name in RUNS.items():
            one = side[name]["runs"][number]
            for short, measure in MEASURES.items():
                for key, column in (("delta_arp", "delta_arp"), ("rmse", "rmse"),
                                    ("p_value", "p_paired")):  # fmt: skip
                    cells[f"{role}:{key}({measure})"] = {"value": one[column][short]}
            tau[role] = {"301": one["tau_union"]["1000"], "302": one["tau_union"]["1000"]}
            rbo[role] = {"301": one["rbo_ext_p08"]["1000"]}
        for short, measure in MEASURES.items():
            cells[f"effect_ratio({measure})"] = {"value": effects[number][short]["er"]}
        series = {
            "kendall_tau_union_sorted@10": {"baseline": {"301": 0.5}, "advanced": {"301": 0.5}},
            "kendall_tau_union_sorted@1000 (sorted ids)": tau,
            "rank_biased_overlap@1000 (depth 999)": rbo,
        }
        rows.append(BoardRow(cells=cells, pair=Pair(published_series=series)))
    return rows


def name_in_paper(name):
    for short, measure in MEASURES.items():
        name = name.replace(f"_{measure}", f"_{short}")
    return name.removesuffix("_published")


def test_table_4_of_the_paper(shared):
    folder = shared / "sigir2020"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    rows = paper_rows(expected)
    order = expected["table4_correlations"]["order"]
    both = []
    for role in RUNS:
        found = series_of(rows, MEASURES.values(), role)
        known = {name: one for name, one in found.items() if not all(map(math.isnan, one))}
        assert [name_in_paper(name) for name in known] == order
        both.append(known)
    values = joined(*both)
    for i, first in enumerate(order):
        for j, second in enumerate(order):
            if i != j:
                run = RUNS["baseline" if i < j else "advanced"]
                wanted = expected["table4_correlations"][f"{run}_rounded12"][i][j]
                # p-values below 12 decimals tie in the expected ones, and do not here.
                by = 0.02 if "p_value" in first + second else 1e-9
                assert values[i][j] == pytest.approx(wanted, abs=by), (first, second)


def page(client, task, **query):
    path = reverse("pages:agreement", args=[task.campaign.slug, task.slug])
    return client.get(path, query)


def test_page_shows_the_matrix_and_the_board_leads_to_it(client, pair_world):
    task, board = pair_world.task, pair_world.board
    found = agreement_of(task, board)
    assert found is not None
    assert all(len(row) == len(found.labels) for row in found.values)
    html = page(client, task).content.decode()
    for label in found.labels:
        assert f'<th scope="col">{label}</th>' in html
    path = reverse("pages:task", args=[task.campaign.slug, task.slug])
    assert f"/agreement/?board={board.slug}" in client.get(path).content.decode()
    assert page(client, task, board="nothing").status_code == 404


def test_withheld_board_has_no_matrix(client, pair_world):
    task = pair_world.task
    task.scores_from = timezone.now() + timezone.timedelta(days=2)
    task.save()
    html = page(client, task).content.decode()
    assert "<table" not in html


def test_measure_that_does_not_vary_is_a_dash(pair_world):
    rows = list(BoardRow.objects.filter(board=pair_world.board))
    for row in rows:
        row.cells = {"baseline:rmse(AP)": {"value": 0.5}, "effect_ratio(AP)": {"value": None}}
    found = series_of(rows, ["AP"], "baseline")
    assert set(found["rmse_AP"]) == {0.5}
    assert all(map(math.isnan, found["er_AP"]))
    chosen = {name: found[name] for name in ("rmse_AP", "er_AP")}
    assert math.isnan(joined(chosen, chosen)[0][1])
