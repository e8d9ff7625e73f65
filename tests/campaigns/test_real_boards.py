"""Published runs of four collections, from upload or folder to the board: every value, the order.

What the values are compared with was computed by other tools (``real/README.md``).
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from campaigns.models import Board, BoardRow, Campaign, Run, RunState, Task, TaskKind
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import UploadError
from tests.campaigns.factories import CollectionFactory, OriginalFactory, TaskFactory, TeamFactory
from tests.campaigns.given_numbers import current, rows
from tests.campaigns.pipeline import add_original, drain, publish, submit, submit_two
from tests.real_campaigns import MEASURES, RULES, TAG_PATTERN, write_real_campaign
from tests.shared import SHARED, shared_folder

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

LARGE = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="files of 250,000 lines are read on SQLite only"
)
REAL = SHARED / "real"
EMPTY = "entityretrieval.mlm_elr10.empty.treceval.gz"
PAIR_MEASURES = ["AP", "nDCG@10", "P@10"]


@cache
def expected() -> dict[str, Any]:
    return json.loads((shared_folder() / "real/expected.json").read_text(encoding="utf-8"))


def collection(name: str, campaign: Campaign | None = None):
    more = {"campaign": campaign} if campaign else {}
    return CollectionFactory(slug=name, has_topic_file=False, **more)


def publish_qrels(of):
    [path] = (shared_folder() / "real" / of.slug).glob("qrels.txt*")
    return publish(of, path.read_bytes())


def task_on(name: str, **columns: Any) -> Task:
    chosen = {
        "measures": MEASURES,
        "primary": "nDCG@10",
        "rules": RULES,
        "tag_pattern": TAG_PATTERN,
        **columns,
    }
    task = TaskFactory(**chosen)
    task.collection = collection(name, task.campaign)
    task.save()
    return task


def sound_files(name: str) -> list[Path]:
    """Without the four of 250,000 lines, which stand on the board of their pairs below."""
    folder = shared_folder() / "real" / name / "runs"
    large = ("anserini.", "indri.") if name == "robust04" else ()
    files = sorted(path for path in folder.glob("*.gz") if path.name != EMPTY)
    return [path for path in files if not path.name.startswith(large)]


def wanted_ranks(values: dict[str, float]) -> dict[str, int]:
    """A run's rank: one more than the runs whose value is higher at 12 decimals."""
    rounded = {name: round(value, 12) for name, value in values.items()}
    return {
        name: 1 + sum(other > value for other in rounded.values())
        for name, value in rounded.items()
    }


def assert_board_is_as_expected(board: Board, found: list[BoardRow], names: dict[str, str]):
    """``names``: path below ``real/`` by id of the run."""
    means = {name: expected()["runs"][name]["mean"] for name in names.values()}
    assert len(found) == len(means)
    measures = board.task.measures
    for measure in measures:
        ranks = wanted_ranks({name: mean[measure] for name, mean in means.items()})
        for row in found:
            name = names[str(row.run_id)]
            cell = row.cells[measure]
            assert cell["value"] == pytest.approx(means[name][measure], abs=1e-9), (name, measure)
            assert cell["rank"] == ranks[name], (name, measure)
    primary = wanted_ranks({name: mean[board.task.primary] for name, mean in means.items()})
    receipts = {str(pk): at for pk, at in Run.objects.values_list("pk", "received_at")}
    order = sorted(names, key=lambda pk: (primary[names[pk]], receipts[pk]))
    assert [str(row.run_id) for row in found] == order
    assert [row.rank for row in found] == [primary[names[pk]] for pk in order]
    assert all(board.columns.filter(key=measure).exists() for measure in measures)


@pytest.mark.parametrize(
    ("name", "count"),
    [("core17", 10), ("core18", 4), ("robust04", 5)],
)
def test_real_runs_are_uploaded_scored_and_ranked(name, count):
    task = task_on(name)
    publish_qrels(task.collection)
    names = {}
    for path in sound_files(name):
        run = submit(task, TeamFactory(campaign=task.campaign), path.read_bytes())
        names[str(run.pk)] = f"{name}/runs/{path.name}"
    drain()
    assert Run.objects.filter(task=task, state=RunState.SCORED).count() == count
    board = current(task)
    assert_board_is_as_expected(board, rows(board), names)


def test_real_folder_is_loaded_scored_and_ranked(tmp_path):
    real = shared_folder() / "real"
    write_real_campaign(tmp_path, real, ("covid-r1",))
    call_command("load_campaign", tmp_path, verbosity=0)
    drain()
    task = Task.objects.get(campaign__slug="real", slug="covid-r1")
    runs = Run.objects.filter(task=task)
    assert runs.count() == runs.filter(state=RunState.SCORED).count() == 18
    assert runs.values("team").distinct().count() >= 14
    board = current(task)
    assert_board_is_as_expected(board, rows(board), {str(r.pk): f"{r.title}.gz" for r in runs})
    same = Task.objects.get(campaign__slug="real", slug="covid-r1-same")
    assert_pairs_are_as_expected(same, "covid-r1", "covid-r1")


def test_empty_real_run_is_refused_at_the_door():
    assert f"robust04/runs/{EMPTY}" in expected()["runs"]
    task = task_on("robust04")
    text = (REAL / "robust04/runs" / EMPTY).read_bytes()
    with pytest.raises(UploadError) as refused:
        submit(task, TeamFactory(campaign=task.campaign), text)
    assert (refused.value.kind, refused.value.status) == ("empty_file", 422)
    assert not Run.objects.exists()


def test_byte_identical_real_run_is_a_duplicate_of_its_team_and_another_teams_run():
    folder = shared_folder() / "real/dl20-doc/runs"
    first, again = ((folder / f"BIT.UA-run{n}.txt.gz").read_bytes() for n in ("1", "2-1"))
    task = task_on("dl20-doc")
    team, other = TeamFactory.create_batch(2, campaign=task.campaign)
    run = submit(task, team, first)
    with pytest.raises(RefusalError) as refused:
        submit(task, team, again)
    assert (refused.value.kind, refused.value.status) == ("duplicate_submission", 409)
    assert refused.value.errors == {"run": str(run.pk)}
    copy = submit(task, other, again)
    publish_qrels(task.collection)
    drain()
    found = rows(current(task))
    assert [(row.run, row.rank, row.is_shared) for row in found] == [
        (run, 1, True),
        (copy, 1, True),
    ]
    value = expected()["runs"]["dl20-doc/runs/BIT.UA-run1.txt.gz"]["mean"]["nDCG@10"]
    assert [row.cells["nDCG@10"]["value"] for row in found] == pytest.approx([value] * 2, abs=1e-9)


def test_single_precision_gives_the_published_scores_on_a_board():
    task = task_on("covid-r1", precision="single")
    publish_qrels(task.collection)
    text = (REAL / "covid-r1/runs/BERT.gz").read_bytes()
    submit(task, TeamFactory(campaign=task.campaign), text)
    drain()
    [row] = rows(current(task))
    shown = [f"{row.cells[measure]['value']:.4f}" for measure in ("nDCG@10", "AP")]
    assert shown == ["0.1731", "0.0653"]


def pairs_between(home: str, target: str) -> list[dict[str, Any]]:
    """Pairs of runs on ``target`` whose original is on ``home``."""
    return [
        pair
        for pair in expected()["pairs"]
        if pair["original"]["baseline"].startswith(f"{home}/")
        and pair["reproduced"]["baseline"].startswith(f"{target}/")
    ]


def order_value(pair: dict[str, Any], primary: str) -> float:
    values = pair["values"][primary]
    if pair["setting"] == "same_collection":
        return round((values["rmse_baseline"] + values["rmse_advanced"]) / 2, 12)
    return round(math.hypot(1 - values["effect_ratio"], values["delta_ri"]), 12)


def assert_pairs_are_as_expected(task: Task, home: str, target: str):
    """Every value of the pair board, by the pairs' titles, and their order."""
    wanted = {pair["reproduced"]["by"]: pair for pair in pairs_between(home, target)}
    found = rows(current(task, "pairs"))
    order = sorted(wanted, key=lambda title: order_value(wanted[title], task.primary))
    assert [(row.pair.title, row.rank) for row in found] == [
        (title, place) for place, title in enumerate(order, start=1)
    ]
    test = "paired" if task.kind == TaskKind.SAME_COLLECTION else "unpaired"
    for row in found:
        pair = wanted[row.pair.title]
        assert row.cells["order"]["value"] == pytest.approx(
            order_value(pair, task.primary), abs=1e-9
        )
        for measure, values in pair["values"].items():
            keys = {
                f"effect_ratio({measure})": "effect_ratio",
                f"delta_ri({measure})": "delta_ri",
                f"baseline:p_value({measure})": f"{test}_t_p_baseline",
                f"advanced:p_value({measure})": f"{test}_t_p_advanced",
            }
            if test == "paired":
                keys |= {
                    f"{role}:rmse({measure})": f"rmse_{role}" for role in ("baseline", "advanced")
                }
            for key, name in keys.items():
                assert row.cells[key]["value"] == pytest.approx(values[name], abs=1e-9), key
            for role, letter in (("baseline", "b"), ("advanced", "a")):
                gap = values[f"mean_{letter}"] - values[f"mean_{letter}_reproduced"]
                cell = row.cells[f"{role}:delta_arp({measure})"]
                assert abs(cell["value"]) == pytest.approx(abs(gap), abs=1e-9)


@pytest.mark.parametrize(
    ("home", "target", "count"),
    [
        ("core18", "core18", 1),
        pytest.param("robust04", "core17", 2, marks=LARGE),
        pytest.param("robust04", "core18", 2, marks=LARGE),
        pytest.param("robust04", "robust04", 2, marks=LARGE),
    ],
)
def test_real_pairs_are_uploaded_compared_and_ranked(home, target, count):
    pairs = pairs_between(home, target)
    assert len(pairs) == count
    task = task_on(target, kind=TaskKind.SAME_COLLECTION, measures=PAIR_MEASURES, primary="AP")
    publish_qrels(task.collection)
    if home != target:
        task.kind = TaskKind.NEW_COLLECTION
        task.original_collection = collection(home, task.campaign)
        task.save()
        publish_qrels(task.original_collection)
    original = OriginalFactory(task=task)
    for role in ("baseline", "advanced"):
        add_original(original, role, (REAL / pairs[0]["original"][role]).read_bytes())
    names = {}
    for pair in pairs:
        paths = [pair["reproduced"][role] for role in ("baseline", "advanced")]
        files = [(REAL / path).read_bytes() for path in paths]
        team = TeamFactory(campaign=task.campaign)
        made = submit_two(task, team, original, *files)
        made.title = pair["reproduced"]["by"]
        made.save()
        names |= dict(zip((str(made.baseline_id), str(made.advanced_id)), paths, strict=True))
    drain()
    assert_pairs_are_as_expected(task, home, target)
    board = current(task)
    assert_board_is_as_expected(board, rows(board), names)
