"""Runs: original ones given by the organizers, submitted ones from teams."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.fields import one_of
from campaigns.models.stored_file import StoredFile
from campaigns.models.task import Original, Task
from campaigns.models.team import System, Team


class Origin(models.TextChoices):
    """Where a run comes from."""

    SUBMITTED = "submitted", "submitted"
    ORIGINAL = "original", "original"


class RunRole(models.TextChoices):
    """A run's part in a pair."""

    BASELINE = "baseline", "baseline"
    ADVANCED = "advanced", "advanced"


class RunType(models.TextChoices):
    """Manual: any human change after seeing the topics."""

    AUTOMATIC = "automatic", "automatic"
    MANUAL = "manual", "manual"


class RunState(models.TextChoices):
    """Intake only; what a page shows (queued, scoring, failed) is derived from the jobs."""

    RECEIVING = "receiving", "receiving"
    CHECKING = "checking", "checking"
    REJECTED = "rejected", "rejected"
    ACCEPTED = "accepted", "accepted"
    SCORED = "scored", "scored"


GONE = Q(withdrawn_at__isnull=False) | Q(deleted_at__isnull=False)


class Run(models.Model):
    """A run of a task. ``received_at`` alone counts for deadlines and ties, and never changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="runs")
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.SUBMITTED)
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs", null=True, blank=True)
    system = models.ForeignKey(System, models.PROTECT, related_name="runs", null=True, blank=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    original = models.ForeignKey(
        Original, models.PROTECT, related_name="runs", null=True, blank=True
    )
    role = models.CharField(max_length=10, choices=RunRole.choices, blank=True)
    title = models.CharField(max_length=200, blank=True)
    run_type = models.CharField(max_length=10, choices=RunType.choices, default=RunType.AUTOMATIC)
    description = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)

    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.CHECKING)
    received_at = models.DateTimeField()
    file = models.OneToOneField(
        StoredFile, models.PROTECT, related_name="run", null=True, blank=True
    )
    is_scores_only = models.BooleanField(default=False)
    text_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the decompressed text; finds duplicates"
    )
    tag = models.CharField(max_length=255, blank=True)
    topics = models.IntegerField(null=True, blank=True)
    documents = models.BigIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=24, blank=True)
    messages = models.JSONField(default=list, blank=True)
    organizer_messages = models.JSONField(default=list, blank=True)

    withdrawn_at = models.DateTimeField(null=True, blank=True)
    disqualified_at = models.DateTimeField(null=True, blank=True)
    disqualified_reason = models.TextField(blank=True)
    is_pooled = models.BooleanField(default=False)
    is_final = models.BooleanField(default=False)
    priority = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["received_at", "id"]
        indexes = [
            models.Index(fields=["task", "state"], name="run_by_task_and_state"),
            models.Index(fields=["task", "team", "received_at"], name="run_by_task_and_team"),
            # Every look at a board asks which of its runs have gone since: few of very many.
            models.Index(fields=["task"], condition=GONE, name="gone_run_by_task"),
        ]
        constraints = [
            models.CheckConstraint(condition=one_of("state", RunState), name="run_state_known"),
            models.CheckConstraint(
                condition=one_of("origin", Origin) & one_of("run_type", RunType),
                name="run_origin_and_type_known",
            ),
            models.CheckConstraint(
                condition=Q(origin=Origin.SUBMITTED, team__isnull=False)
                | Q(origin=Origin.ORIGINAL, team__isnull=True, original__isnull=False),
                name="submitted_runs_have_a_team_and_originals_none",
            ),
            models.CheckConstraint(
                condition=Q(original__isnull=True, role="")
                | (Q(original__isnull=False) & one_of("role", RunRole)),
                name="run_role_goes_with_an_original",
            ),
            models.CheckConstraint(
                condition=Q(file__isnull=False) | Q(is_scores_only=True) | Q(state="receiving"),
                name="run_has_a_file_or_scores_alone",
            ),
            models.CheckConstraint(
                condition=Q(disqualified_at__isnull=True) | ~Q(disqualified_reason=""),
                name="disqualification_has_a_reason",
            ),
            models.UniqueConstraint(
                fields=["original", "role"],
                condition=Q(origin=Origin.ORIGINAL, deleted_at__isnull=True),
                name="one_original_run_per_role",
            ),
            models.UniqueConstraint(
                fields=["task", "team", "text_sha256"],
                condition=Q(
                    origin=Origin.SUBMITTED,
                    state__in=["checking", "accepted", "scored"],
                    withdrawn_at__isnull=True,
                    deleted_at__isnull=True,
                )
                & ~Q(text_sha256=""),
                name="no_duplicate_submission",
            ),
        ]

    def __str__(self) -> str:
        return self.tag or self.title or str(self.id)

    @property
    def shown_name(self) -> str:
        """Its tag; until the check has read that, its title or the name of its file, if any."""
        return self.tag or self.title or (self.file.name if self.file else str(self.id))


class RunEvent(models.Model):
    """Something that happened to a run. Append-only; the receipt and the page's steps read it."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="events")
    kind = models.CharField(max_length=40)
    actor_label = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M:%S}"


class GivenScores(models.Model):
    """Topic scores of one measure, for a run whose file cannot be had."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="given_scores")
    measure = models.CharField(max_length=80)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "measure"], name="given_scores_once_per_measure")
        ]

    def __str__(self) -> str:
        return f"{self.measure} of {self.run}"


class Pair(models.Model):
    """A submitted baseline b' and advanced a', set against an original pair.

    Exists from the first of its runs on; ``advanced`` may still be missing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="pairs")
    team = models.ForeignKey(Team, models.PROTECT, related_name="pairs")
    original = models.ForeignKey(Original, models.PROTECT, related_name="pairs")
    baseline = models.ForeignKey(
        Run, models.PROTECT, related_name="pairs_as_baseline", null=True, blank=True
    )
    advanced = models.ForeignKey(
        Run, models.PROTECT, related_name="pairs_as_advanced", null=True, blank=True
    )
    title = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    family = models.CharField(max_length=60, blank=True)
    family_order = models.IntegerField(null=True, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    published_series = models.JSONField(
        default=dict,
        blank=True,
        help_text="Published, not recomputed: name -> role -> topic -> value",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(baseline__isnull=False) | Q(advanced__isnull=False),
                name="pair_has_a_run",
            ),
            models.UniqueConstraint(
                fields=["baseline", "advanced"],
                condition=Q(deleted_at__isnull=True),
                name="pair_of_two_runs_unique",
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.baseline or '–'} / {self.advanced or '–'}"
