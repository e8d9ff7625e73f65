"""A task with a board, and people who look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import recipes
from campaigns.models import BoardCell, BoardColumn, BoardSubject, Recipe
from tests.campaigns import factories as make


def recipe_row(spec: recipes.RecipeSpec) -> Recipe:
    """The stored row of a recipe."""
    return Recipe.objects.get_or_create(
        digest=spec.digest,
        defaults={"name": spec.name, "parameters": spec.parameters, "version": 1},
    )[0]


@dataclass
class World:
    """Rows of a small campaign with a filled board."""

    campaign: Any
    task: Any
    board: Any
    columns: list[Any]
    rows: list[Any]

    @property
    def url(self) -> str:
        """Address of the task's page."""
        return reverse("pages:task", args=[self.campaign.slug, self.task.slug])


VALUES = [(0.6, 0.3), (0.5, 0.4), (0.5, None), (None, None)]
RANKS = [1, 2, 2, None]


def fill_board(task: Any, values=VALUES, ranks=RANKS, **board_columns: Any) -> World:
    """A board of runs: nDCG@10 with intervals, and AP."""
    board = make.BoardFactory(task=task, number=1, **board_columns)
    columns = [
        BoardColumn.objects.create(
            board=board,
            key=name,
            label=name,
            position=position,
            task=task,
            qrels=board.qrels,
            recipe=recipe_row(recipes.evaluation_recipe(task, name)),
            source="evaluation",
            goal="high",
            is_primary=position == 0,
        )
        for position, name in enumerate(task.measures)
    ]
    rows = []
    for position, (row_values, rank) in enumerate(zip(values, ranks, strict=True)):
        cells: dict[str, Any] = {}
        for column, value in zip(columns, row_values, strict=True):
            cell = {"value": value}
            if value is None:
                cell["reason"] = "no topic is judged"
            else:
                cell |= {"low": value - 0.1, "high": value + 0.1, "rank": rank}
            cells[column.key] = cell
        row = make.BoardRowFactory(
            board=board,
            position=position,
            rank=rank,
            is_shared=rank is not None and ranks.count(rank) > 1,
            reason="" if rank else "no topic is judged",
            run=make.RunFactory(task=task, tag=f"tag-{position}", state="scored"),
            cells=cells,
        )
        rows.append(row)
        BoardCell.objects.bulk_create(
            BoardCell(
                row=row,
                column=column,
                version=board.version,
                value=cells[column.key]["value"],
                rank=cells[column.key].get("rank"),
            )
            for column in columns
        )
    return World(task.campaign, task, board, columns, rows)


def fill_pairs(task: Any, original: Any) -> World:
    """A board of pairs: order, ER and ΔRI of AP, RMSE of the baseline."""
    board = make.BoardFactory(
        task=task, original=original, slug=f"pairs-{original.slug}", subject=BoardSubject.PAIRS,
        number=1,
    )  # fmt: skip
    specs = [
        ("order", "RMSE, mean of both runs, AP", "order:rmse", "low", None),
        ("effect_ratio(AP)", "ER AP", "effect:effect_ratio", "target", 1.0),
        ("delta_ri(AP)", "ΔRI AP", "effect:delta_ri", "target", 0.0),
        ("region(AP)", "Region AP", "effect:region", "none", None),
        ("baseline:rmse(AP)", "RMSE AP b′", "comparison:baseline:rmse", "target", 0.0),
        ("baseline:kendall_tau_union", "KTU b′", "comparison:baseline:value", "none", None),
    ]
    columns = [
        BoardColumn.objects.create(
            board=board, key=key, label=label, position=position, source=source, goal=goal,
            target=target, is_primary=position == 0, task=task,
        )
        for position, (key, label, source, goal, target) in enumerate(specs)
    ]  # fmt: skip
    numbers = [
        (0.1, 1.4, -0.02, 4, 0.12, 0.5),
        (0.2, 0.9, 0.05, 1, 0.18, -0.25),
        (0.3, None, None, None, 0.3, 0.1),
    ]
    rows = []
    for position, values in enumerate(numbers):
        pair = make.PairFactory(original=original, title=f"pair-{position}", family="tf")
        cells = {
            column.key: {
                "value": value,
                **({"reason": "the original effect is 0"} if value is None else {}),
            }
            for column, value in zip(columns, values, strict=True)
        }
        cells["order"]["rank"] = position + 1
        for key, target in (("effect_ratio(AP)", 1.0), ("delta_ri(AP)", 0.0)):
            value = cells[key]["value"]
            if value is not None:
                gaps = sorted(
                    abs(n[columns.index(next(c for c in columns if c.key == key))] - target)
                    for n in numbers[:2]
                )
                cells[key]["rank"] = gaps.index(abs(value - target)) + 1
        row = make.BoardRowFactory(
            board=board, position=position, rank=position + 1, run=None, pair=pair,
            team=pair.team, cells=cells,
        )  # fmt: skip
        rows.append(row)
        BoardCell.objects.bulk_create(
            BoardCell(row=row, column=column, version=board.version,
                      value=cells[column.key]["value"], rank=cells[column.key].get("rank"))
            for column in columns
        )  # fmt: skip
    return World(task.campaign, task, board, columns, rows)


@pytest.fixture
def world(db) -> World:
    """A ranking task with four runs on its board: one rank is shared, one run is undefined."""
    return fill_board(make.TaskFactory())


@pytest.fixture
def pair_world(db) -> World:
    """A same-collection task with three pairs on its board."""
    task = make.TaskFactory(same_collection=True, measures=["AP", "nDCG@10"], primary="AP")
    return fill_pairs(task, make.original_pair(task))


@pytest.fixture
def logged_in():
    """A browser of somebody."""

    def open_(user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return open_


@pytest.fixture
def cache_here(settings):
    """A cache of this test alone: pages are kept."""
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": uuid4().hex,
        }
    }
