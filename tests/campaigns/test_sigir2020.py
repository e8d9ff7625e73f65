"""The campaign of the SIGIR 2020 paper: boards, order and pages hold the paper's numbers."""

from __future__ import annotations

import io
import json
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from campaigns.management.commands import import_sigir2020
from campaigns.models import Campaign, Pair, Task
from tests.campaigns.pipeline import drain

pytestmark = pytest.mark.django_db

NAMES = {"p10": "P@10", "ap": "AP", "ndcg1000": "nDCG@1000"}
ROLES = {"baseline": "wcrobust04", "advanced": "wcrobust0405"}
SIDES = {"same": ("replicability", "same_collection"), "new": ("reproducibility", "new_collection")}


# Of each family one step, a pair that has no name, one with a negative ER.
CHOSEN = (45, 15, 35, 43, 1, 9)


@pytest.fixture
def some_pairs(monkeypatch):
    """A few constellations, since the pairs have nothing to do with each other but their ranks."""
    write = partial(import_sigir2020.write_folder, constellations=CHOSEN)
    monkeypatch.setattr(import_sigir2020, "write_folder", write)


def said(*arguments):
    out = io.StringIO()
    call_command("import_sigir2020", *arguments, stdout=out)
    return out.getvalue()


def board(client, task):
    path = reverse("api-leaderboard", args=["sigir2020", task])
    answer = client.get(path, {"subject": "pairs", "page_size": 100}).json()
    assert answer["count"] == len(CHOSEN)
    return answer["rows"]


def constellation(expected, row):
    title = row["run_tag"]
    return str(expected["constellations"].get(title) or title.removeprefix("constellation "))


def number_of(expected):
    return {name: str(number) for name, number in expected["constellations"].items()}


@pytest.mark.usefixtures("some_pairs")
def test_boards_order_and_pages_hold_the_papers_numbers(client, shared):
    folder = shared / "sigir2020"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    order = json.loads((folder / "expected_order.json").read_text(encoding="utf-8"))
    assert f"{2 * len(CHOSEN)} pairs added" in said(str(folder))
    drain(2000)
    for task, (side, setting) in SIDES.items():
        rows = board(client, task)
        found = []
        for row in rows:
            number = constellation(expected, row)
            assert_effects(expected["effects"][side][number], row["values"])
            assert_scores(expected[side], number, row["values"], is_same=task == "same")
            found.append((int(number), row["values"]["order"]))
        wanted = [one for one in order[setting]["ap"] if one["constellation"] in CHOSEN]
        assert found == [(one["constellation"], one["value"]) for one in wanted]
        assert [row["rank"] for row in rows] == [*range(1, len(CHOSEN) + 1)]
    assert_page(client, expected)
    assert "unchanged" in said(str(folder))
    assert Campaign.objects.get(slug="sigir2020").tasks.count() == 2


def assert_effects(effects, values):
    for name, measure in NAMES.items():
        one = effects[name]
        assert values[f"effect_ratio({measure})"] == pytest.approx(one["er"], abs=1e-9)
        assert values[f"delta_ri({measure})"] == pytest.approx(one["delta_ri"], abs=1e-9)
        # An ER of 4e-17 is 0 with the noise of its last digit: on the axis, in no region.
        is_on_axis = abs(one["er"]) < 1e-12
        assert values[f"region({measure})"] == (None if is_on_axis else one["region"])


def assert_scores(side, number, values, *, is_same):
    for role, run in ROLES.items():
        one = side[run]["runs"][number]
        for name, measure in NAMES.items():
            p_value = one["p_paired" if is_same else "p_unpaired"][name]
            assert values[f"{role}:p_value({measure})"] == pytest.approx(p_value, rel=1e-6)
            gap = abs(side[run]["original"]["arp"][name] - one["arp"][name])
            assert values[f"{role}:delta_arp({measure})"] == pytest.approx(gap, abs=1e-9)
            if is_same:
                rmse = values[f"{role}:rmse({measure})"]
                assert rmse == pytest.approx(one["rmse"][name], abs=1e-9)


def assert_page(client, expected):
    """Published tau and RBO stand apart, with how they were taken; what has no ranking says so."""
    pair = Pair.objects.get(title="tf_1", task__slug="same")
    number = str(number_of(expected)["tf_1"])
    run = expected["replicability"]["wcrobust04"]["runs"][number]
    html = client.get(reverse("pages:pair", args=[pair.pk])).content.decode()
    assert "As published" in html
    assert "depth 9" in html
    assert "sorted ids" in html
    for value in (run["tau_union"]["1000"], run["rbo_ext_p08"]["10"]):
        assert f">{value:.4f}"[2:] in html
    told = client.get(reverse("api-pair", args=[pair.pk])).json()
    assert told["summary"]["AP"][0] == (
        "The effect on AP is larger than the original: 103 % of it."
    )
    assert "rank_biased_overlap" not in told["comparisons"]["baseline"]
    row = next(row for row in board(client, "same") if row["pair"] == str(pair.pk))
    assert row["values"]["baseline:rank_biased_overlap"] is None
    assert "no ranking" in row["reasons"]["baseline:rank_biased_overlap"]


def test_folder_that_lacks_a_file_creates_nothing(tmp_path):
    with pytest.raises(CommandError, match=r"Nothing was changed: .*core17\.txt"):
        said(str(tmp_path))
    assert not Task.objects.exists()
