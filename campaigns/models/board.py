"""Boards: stored ranks. Pages only read them.

A board holds the numbers of one version of the qrels. When new qrels come, a second board
fills in the background and takes over at once; the first stays readable.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.collection import Qrels
from campaigns.models.evaluation import Recipe
from campaigns.models.fields import finite, one_of, slug_field
from campaigns.models.run import Pair, Run
from campaigns.models.task import Original, Task
from campaigns.models.team import System, Team


class BoardSubject(models.TextChoices):
    """What a row of the board is."""

    RUNS = "runs", "runs"
    PAIRS = "pairs", "pairs"
    SYSTEMS = "systems", "systems"


class BoardState(models.TextChoices):
    """Filling boards are nobody's to see but the organizers'."""

    FILLING = "filling", "being filled"
    CURRENT = "current", "current"
    PAST = "past", "past"


class Board(models.Model):
    """A ranking of runs or pairs under one evaluation set."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="boards")
    task = models.ForeignKey(Task, models.PROTECT, related_name="boards", null=True, blank=True)
    original = models.ForeignKey(
        Original, models.PROTECT, related_name="boards", null=True, blank=True
    )
    slug = slug_field(help_text="Names the board among those of its task or campaign")
    subject = models.CharField(max_length=8, choices=BoardSubject.choices)
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="boards", null=True, blank=True)
    original_qrels = models.ForeignKey(
        Qrels, models.PROTECT, related_name="+", null=True, blank=True
    )
    number = models.PositiveIntegerField(help_text="Counts the evaluation sets of this board")
    state = models.CharField(max_length=8, choices=BoardState.choices, default=BoardState.FILLING)
    version = models.PositiveIntegerField(default=0, help_text="The rows that are shown")
    ranked_at = models.DateTimeField(null=True, blank=True)
    switched_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "task", "slug", "number"], name="board_number_unique"
            ),
            models.UniqueConstraint(
                fields=["campaign", "task", "slug"],
                condition=Q(state=BoardState.CURRENT, task__isnull=False),
                name="one_current_board_of_a_task",
            ),
            models.UniqueConstraint(
                fields=["campaign", "slug"],
                condition=Q(state=BoardState.CURRENT, task__isnull=True),
                name="one_current_board_of_a_campaign",
            ),
            models.CheckConstraint(
                condition=one_of("subject", BoardSubject) & one_of("state", BoardState),
                name="board_subject_and_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slug} {self.number}"


class BoardColumn(models.Model):
    """A column: what it shows, from which task and qrels, by which recipe, towards what."""

    board = models.ForeignKey(Board, models.PROTECT, related_name="columns")
    key = models.CharField(max_length=120, help_text="Name in the API and in exports")
    label = models.CharField(max_length=120)
    position = models.IntegerField()
    task = models.ForeignKey(Task, models.PROTECT, related_name="+", null=True, blank=True)
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="+", null=True, blank=True)
    recipe = models.ForeignKey(Recipe, models.PROTECT, related_name="+", null=True, blank=True)
    source = models.CharField(
        max_length=80, help_text="evaluation, comparison:<role>, effect:<field> or order"
    )
    goal = models.CharField(
        max_length=8,
        choices=[("high", "high"), ("low", "low"), ("target", "target"), ("none", "none")],
    )
    target = models.FloatField(null=True, blank=True)
    is_primary = models.BooleanField(default=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["board", "key"], name="board_column_key_unique"),
            models.UniqueConstraint(
                fields=["board"], condition=Q(is_primary=True), name="one_primary_column"
            ),
            models.CheckConstraint(
                condition=Q(goal__in=["high", "low", "none"], target__isnull=True)
                | Q(goal="target", target__isnull=False),
                name="column_target_goes_with_its_goal",
            ),
        ]

    def __str__(self) -> str:
        return self.label


class BoardRow(models.Model):
    """A row under one version of the board. ``cells``: key -> value, rank, interval, reason."""

    board = models.ForeignKey(Board, models.CASCADE, related_name="rows")
    version = models.PositiveIntegerField()
    position = models.IntegerField(help_text="Order of the list, 0 first")
    rank = models.PositiveIntegerField(null=True, help_text="Null: unranked, stands last")
    is_shared = models.BooleanField(default=False, help_text="Another row has the same rank")
    reason = models.CharField(max_length=200, blank=True)
    run = models.ForeignKey(Run, models.PROTECT, related_name="+", null=True)
    pair = models.ForeignKey(Pair, models.PROTECT, related_name="+", null=True)
    system = models.ForeignKey(System, models.PROTECT, related_name="+", null=True)
    team = models.ForeignKey(Team, models.PROTECT, related_name="+", null=True)
    is_best_of_team = models.BooleanField(default=False)
    cells = models.JSONField(default=dict)

    class Meta:
        ordering = ["position"]
        # Rows are counted, and their teams listed, without a look at the rows themselves.
        indexes = [
            models.Index(fields=["board", "version", "team", "run"], name="board_row_by_team"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["board", "version", "position"], name="board_row_position"
            ),
            models.CheckConstraint(
                condition=Q(run__isnull=False, pair__isnull=True, system__isnull=True)
                | Q(run__isnull=True, pair__isnull=False, system__isnull=True)
                | Q(run__isnull=True, pair__isnull=True, system__isnull=False),
                name="board_row_is_one_thing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank or '-'} {self.run or self.pair or self.system}"


class BoardCell(models.Model):
    """A number of a row, indexed so that any column sorts in the database."""

    row = models.ForeignKey(BoardRow, models.CASCADE, related_name="sortable")
    column = models.ForeignKey(BoardColumn, models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    value = models.FloatField(null=True)
    rank = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["column", "version", "rank"], name="cell_by_rank"),
            models.Index(fields=["column", "version", "value"], name="cell_by_value"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["row", "column"], name="one_cell_per_row_and_column"),
            models.CheckConstraint(condition=finite("value"), name="cell_is_finite_or_null"),
        ]

    def __str__(self) -> str:
        return str(self.value)
