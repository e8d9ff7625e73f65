"""The example campaigns as files: the same bytes everywhere, numbers of the shape they claim."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

from evaluation import Qrels, Run, compare_pairs, read_qrels, read_run
from evaluation.comparison import compare_rankings
from evaluation.pairs import Pair
from examples.demo import CAMPAIGNS

ROOT = Path(__file__).resolve().parents[2]
DAY = date(2026, 3, 1)
DIGESTS = {
    "centre-demo": "623b0335d23ede61ebcfd9e8595d3c0650142b438d946021f874c74b7cbe5745",
    "neuclir-demo": "ed69b2c6b49b0f2333f55ac8ec5b69b9da8911a8802f5ee2d41a99d94a72b586",
    "iclerb-demo": "09e1250b83b0383bba1c4de71de0f03ac931f771b1bb262dcaca8e4f2ab11cd1",
}
FAMILIES = ("tf", "df", "tol", "C")
MEASURES = ("AP", "P@10", "nDCG")


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("demo")
    for slug, write in CAMPAIGNS.items():
        write(root / slug, DAY)
    return root


def document(folder: Path):
    return yaml.safe_load((folder / "campaign.yaml").read_text(encoding="utf-8"))


def digest(folder: Path) -> str:
    """Of all data; what ``campaign.yaml`` says may be worded anew."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "campaign.yaml":
            total.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return total.hexdigest()


@pytest.mark.parametrize("slug", DIGESTS)
def test_bytes_are_those_of_every_other_machine(folders, slug):
    assert digest(folders / slug) == DIGESTS[slug]


def test_written_by_a_process_of_its_own_the_bytes_are_the_same(folders, tmp_path):
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    command = [sys.executable, "-m", "examples.demo", str(tmp_path), DAY.isoformat()]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    for slug in CAMPAIGNS:
        assert digest(tmp_path / slug) == digest(folders / slug)
        assert document(tmp_path / slug) == document(folders / slug)


def test_another_day_changes_nothing_but_the_times(folders, tmp_path):
    CAMPAIGNS["iclerb-demo"](tmp_path, date(2027, 9, 13))
    names = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    differing = {
        name.as_posix()
        for name in names
        if (tmp_path / name).read_bytes() != (folders / "iclerb-demo" / name).read_bytes()
    }
    assert differing == {"campaign.yaml"}
    assert document(tmp_path)["tasks"][0]["closes"] == "2027-09-15T23:59:59Z"


@pytest.mark.parametrize("slug", CAMPAIGNS)
def test_campaign_says_that_it_is_made_up_and_brings_no_scores(folders, slug):
    told = document(folders / slug)
    assert told["campaign"]["example"] is True
    assert told["campaign"]["description"].startswith("> **Example data.**")
    assert not any({"scores", "series"} & set(run) for run in told["runs"])
    assert "demo-team" in [team["slug"] for team in told["teams"]]


def test_one_campaign_is_open_one_closes_in_two_days_and_one_is_closed(folders):
    closes = {
        slug: {task["closes"] for task in document(folders / slug)["tasks"]} for slug in CAMPAIGNS
    }
    assert closes == {
        "centre-demo": {"2026-06-29T23:59:59 AoE"},
        "neuclir-demo": {"2026-02-09T23:59:59 AoE"},
        "iclerb-demo": {"2026-03-03T23:59:59Z"},
    }


def run_at(path: Path) -> Run:
    with path.open("rb") as file:
        return read_run(file).sound()


def qrels_at(path: Path) -> Qrels:
    with path.open("rb") as file:
        return read_qrels(file).qrels


class Reproductions:
    """The original pair, and the submitted pairs of a task set against it."""

    def __init__(self, folder: Path, task: str, collection: str) -> None:
        self.folder, self.task = folder, task
        self.old = qrels_at(folder / "gazette" / "qrels.txt")
        self.new = None if collection == "gazette" else qrels_at(folder / collection / "qrels.txt")
        self.original = self._pair("originals/baseline.run", "originals/advanced.run")
        self._submitted: dict[str, Pair[Run]] = {}

    def _pair(self, baseline: str, advanced: str) -> Pair[Run]:
        return Pair(run_at(self.folder / baseline), run_at(self.folder / advanced))

    def submitted(self, title: str) -> Pair[Run]:
        if title not in self._submitted:
            files = [f"{self.task}/{title}-{role}.run" for role in "ba"]
            self._submitted[title] = self._pair(*files)
        return self._submitted[title]

    def compared(self, title: str):
        return compare_pairs(
            self.original,
            self.submitted(title),
            self.old,
            MEASURES,
            new_qrels=self.new,
            rule="judged_with_relevant",
        )


@pytest.fixture(scope="module")
def same(folders) -> Reproductions:
    return Reproductions(folders / "centre-demo", "same", "gazette")


def steps(family: str) -> list[str]:
    return [f"{family}_{step}" for step in range(1, 6)]


@pytest.mark.parametrize("family", FAMILIES)
def test_family_leaves_the_original_step_by_step_in_rankings_and_in_scores(same, family):
    found = [same.compared(title) for title in steps(family)]
    for measure in ("AP", "nDCG"):
        errors = [(one[measure].baseline.rmse, one[measure].advanced.rmse) for one in found]
        assert errors == sorted(errors)
        assert [both[1] for both in errors] == sorted(both[1] for both in errors)
    for role in ("baseline", "advanced"):
        original = getattr(same.original, role)
        pairs = [same.submitted(title) for title in steps(family)]
        compared = [compare_rankings(original, getattr(pair, role)) for pair in pairs]
        overlaps = [found["rank_biased_overlap"].mean.value for found in compared]
        assert overlaps == sorted(overlaps, reverse=True)


def test_original_effect_is_clear_by_every_measure(same):
    for found in same.compared("df_1").values():
        assert found.effects.original_effect.mean > 0.04
        assert found.effects.original_effect.is_distinguishable


def test_first_of_df_is_nearly_perfect_and_the_last_keeps_little_of_the_effect(same):
    first, last = same.compared("df_1")["AP"].effects, same.compared("df_5")["AP"].effects
    assert first.effect_ratio == pytest.approx(1, abs=0.03)
    assert first.delta_ri == pytest.approx(0, abs=0.01)
    assert (last.effect_ratio < 0.3, last.region) == (True, 1)


def test_tf_overshoots_in_region_4_and_c_begins_in_region_1(same):
    overshooting = [same.compared(title)["AP"].effects for title in steps("tf")]
    assert [found.region for found in overshooting] == [4] * 5
    assert overshooting[-1].effect_ratio > 1.4
    regions = [same.compared(title)["AP"].effects.region for title in steps("C")]
    assert (regions[0], regions[-1]) == (1, 4)


def test_last_baseline_of_tol_collapses_far_outside_any_window(same):
    found = same.compared("tol_5")
    assert found["AP"].baseline.arp_submitted < 0.03
    assert found["AP"].effects.effect_ratio > 0.5
    assert -7 < found["P@10"].effects.delta_ri < found["AP"].effects.delta_ri < -4


def test_swapped_pair_fails_in_region_2_and_an_empty_baseline_has_no_delta_ri(same):
    assert {found.effects.region for found in same.compared("swapped").values()} == {2}
    for found in same.compared("empty-field").values():
        assert math.isnan(found.effects.delta_ri)
        assert found.effects.effect_ratio > 0
        assert found.effects.reasons["delta_ri"] == "the mean of the submitted baseline is 0"


def test_new_collection_has_half_of_the_topics_and_effects_from_lost_to_collapsed(folders):
    new = Reproductions(folders / "centre-demo", "new", "courier")
    found = new.compared("df_1")["AP"]
    assert (len(new.new.topics), found.shared_topics) == (25, 25)
    assert 0.6 < found.effects.effect_ratio < 1.3
    assert new.compared("tol_5")["AP"].effects.delta_ri < -3
    assert new.compared("df_5")["AP"].effects.effect_ratio < 0.4
