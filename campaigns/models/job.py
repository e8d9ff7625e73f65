"""All background work. The row is the truth, the message to a worker only a bell."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.board import Board
from campaigns.models.collection import Qrels
from campaigns.models.fields import one_of
from campaigns.models.run import Pair, Run
from campaigns.models.upload import Upload


class JobKind(models.TextChoices):
    """What there is to do."""

    CHECK = "check", "check a run"
    CHECK_UPLOAD = "check_upload", "check an organizer's file"
    SCORE = "score", "score a run"
    COMPARE = "compare", "compare with the original"
    RANK = "rank", "rank a board"
    QRELS_DIFF = "qrels_diff", "compare two versions of the qrels"
    EXPORT = "export", "export a campaign"
    MAIL = "mail", "send a message"


class JobState(models.TextChoices):
    """Dormant: waits for something else to finish. Waiting: a worker may claim it."""

    DORMANT = "dormant", "dormant"
    WAITING = "waiting", "waiting"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


OPEN_STATES = (JobState.DORMANT, JobState.WAITING, JobState.RUNNING)


class Queue(models.TextChoices):
    """Celery queues, served in turn; whole folders and new qrels go to ``rescoring``."""

    CHECKING = "checking", "checking"
    SCORING = "scoring", "scoring"
    RESCORING = "rescoring", "rescoring"
    HOUSEKEEPING = "housekeeping", "housekeeping"


class Job(models.Model):
    """One piece of work. ``claim`` is the fence: a stale claim writes nothing."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=12, choices=JobKind.choices)
    subject = models.CharField(max_length=200, help_text="What the work is on, as one text")
    run = models.ForeignKey(Run, models.PROTECT, related_name="jobs", null=True, blank=True)
    pair = models.ForeignKey(Pair, models.PROTECT, related_name="jobs", null=True, blank=True)
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="jobs", null=True, blank=True)
    board = models.ForeignKey(Board, models.PROTECT, related_name="jobs", null=True, blank=True)
    upload = models.ForeignKey(Upload, models.PROTECT, related_name="jobs", null=True, blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    detail = models.JSONField(default=dict, blank=True)

    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    queue = models.CharField(max_length=14, choices=Queue.choices)
    priority = models.PositiveSmallIntegerField(default=5, help_text="0 first")
    claim = models.UUIDField(null=True, blank=True, editable=False)
    claimed_by = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    claims = models.PositiveIntegerField(default=0)
    crashes = models.PositiveIntegerField(default=0)
    is_woken_again = models.BooleanField(
        default=False, help_text="Woken while running: runs once more when done"
    )
    rung_at = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    progress = models.FloatField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True, help_text="Why it failed, for its owner")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["priority", "created_at"]
        indexes = [
            models.Index(fields=["state", "priority", "created_at"], name="job_by_state"),
            models.Index(fields=["kind", "subject"], name="job_by_subject"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=Q(state__in=[state.value for state in OPEN_STATES]),
                name="one_open_job_per_subject",
            ),
            models.CheckConstraint(
                condition=one_of("kind", JobKind) & one_of("state", JobState),
                name="job_kind_and_state_known",
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING)
                | Q(claim__isnull=False, lease_until__isnull=False),
                name="running_job_has_a_claim_and_a_lease",
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.FAILED) | ~Q(reason=""),
                name="failed_job_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
