"""A task ranks documents for topics and is scored against qrels."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from campaigns.models.campaign import Campaign
from campaigns.models.collection import Collection
from campaigns.models.fields import ALWAYS, one_of, slug_field
from campaigns.models.stored_file import StoredFile


class TaskKind(models.TextChoices):
    """The five kinds; ``campaigns.kinds`` says what each checks, computes and shows."""

    RANKING = "ranking", "Ranking"
    RERANKING = "reranking", "Reranking"
    POOL = "pool", "Ranking of a pool"
    SAME_COLLECTION = "same_collection", "Reproduction on the same collection"
    NEW_COLLECTION = "new_collection", "Reproduction on a new collection"


class Averaging(models.TextChoices):
    """Which topics a mean is over (``measures.md`` 4.4)."""

    JUDGED = "judged", "all judged topics"
    JUDGED_WITH_RELEVANT = "judged_with_relevant", "judged topics with a relevant document"


class OrderBy(models.TextChoices):
    """What decides the order of pairs (``measures.md`` 3d)."""

    RMSE = "rmse", "RMSE, mean of both runs"
    DISTANCE = "distance", "distance to (1, 0)"
    EFFECT_RATIO = "effect_ratio", "|1 - ER|"
    DELTA_RI = "delta_ri", "|ΔRI|"
    ARP = "arp", "|ΔARP|, mean of both runs"
    RBO = "rbo", "RBO, mean of both runs"


class DepthRule(models.TextChoices):
    """What happens to a topic with more documents than the depth."""

    REJECT = "reject", "the run is rejected"
    TRUNCATE = "truncate", "the best documents are kept"


class Precision(models.TextChoices):
    """How scores are compared when a run is ordered."""

    DOUBLE = "double", "double"
    SINGLE = "single", "single (trec_eval 9.0.7 compatible)"


def always() -> object:
    """Default of a switch that is on from the start."""
    return ALWAYS


class Task(models.Model):
    """One competition: what is ranked, how it is scored, and what is visible when.

    Each ``*_from`` column is a switch: null is never, ``ALWAYS`` from the start, else a time.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="tasks")
    slug = slug_field()
    title = models.CharField(max_length=200)
    summary = models.CharField(max_length=500, blank=True)
    description = models.TextField(blank=True, help_text="Markdown")
    position = models.IntegerField(default=0)
    kind = models.CharField(max_length=16, choices=TaskKind.choices)
    collection = models.ForeignKey(Collection, models.PROTECT, related_name="tasks")
    original_collection = models.ForeignKey(
        Collection, models.PROTECT, related_name="+", null=True, blank=True
    )
    measures = models.JSONField(help_text="Canonical names, in the order of the columns")
    primary = models.CharField(max_length=80)
    topics_averaged = models.CharField(
        max_length=24, choices=Averaging.choices, default=Averaging.JUDGED
    )
    order_by = models.CharField(max_length=16, choices=OrderBy.choices, blank=True)
    depth = models.PositiveIntegerField(default=1000)
    depth_rule = models.CharField(
        max_length=10, choices=DepthRule.choices, default=DepthRule.REJECT
    )
    rules = models.JSONField(default=dict, blank=True)
    tag_pattern = models.CharField(max_length=200, default="^[A-Za-z0-9_.-]{1,24}$")
    precision = models.CharField(max_length=8, choices=Precision.choices, default=Precision.DOUBLE)
    initial_run = models.ForeignKey(
        StoredFile, models.PROTECT, related_name="+", null=True, blank=True
    )
    gains = models.JSONField(default=dict, blank=True)
    comparison = models.JSONField(default=dict, blank=True)
    fields = models.JSONField(default=list, blank=True, help_text="Fields of the submission form")

    opens = models.DateTimeField(null=True, blank=True)
    closes = models.DateTimeField(null=True, blank=True)
    timezone = models.CharField(
        max_length=64, blank=True, help_text="Zone in which the deadline was given"
    )
    is_paused = models.BooleanField(default=False)
    own_scores_from = models.DateTimeField(null=True, blank=True, default=always)
    scores_from = models.DateTimeField(null=True, blank=True, default=always)
    team_names_from = models.DateTimeField(null=True, blank=True, default=always)
    topic_scores_from = models.DateTimeField(null=True, blank=True, default=always)
    submitted_runs_from = models.DateTimeField(null=True, blank=True)
    original_runs_from = models.DateTimeField(null=True, blank=True)
    qrels_from = models.DateTimeField(null=True, blank=True)

    runs_per_team = models.PositiveIntegerField(null=True, blank=True)
    runs_per_day = models.PositiveIntegerField(null=True, blank=True)
    refused_per_day = models.PositiveIntegerField(null=True, blank=True, default=50)
    attempts = models.PositiveIntegerField(
        null=True, blank=True, help_text="Uploads in all, refused ones included"
    )
    file_bytes = models.BigIntegerField(default=104_857_600, help_text="Of the decompressed text")

    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "slug"], name="task_slug_unique_in_campaign"
            ),
            models.CheckConstraint(condition=one_of("kind", TaskKind), name="task_kind_known"),
            models.CheckConstraint(
                condition=one_of("topics_averaged", Averaging), name="task_averaging_known"
            ),
            models.CheckConstraint(
                condition=Q(order_by="") | one_of("order_by", OrderBy), name="task_order_known"
            ),
            models.CheckConstraint(
                condition=one_of("precision", Precision) & one_of("depth_rule", DepthRule),
                name="task_precision_and_depth_rule_known",
            ),
            models.CheckConstraint(
                condition=Q(depth__gte=1, file_bytes__gte=1), name="task_limits_positive"
            ),
            models.CheckConstraint(
                condition=Q(opens__isnull=True)
                | Q(closes__isnull=True)
                | Q(opens__lte=F("closes")),
                name="task_opens_before_it_closes",
            ),
            models.CheckConstraint(
                condition=(
                    Q(kind=TaskKind.NEW_COLLECTION, original_collection__isnull=False)
                    | (~Q(kind=TaskKind.NEW_COLLECTION) & Q(original_collection__isnull=True))
                ),
                name="only_new_collection_tasks_have_an_original_collection",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Original(models.Model):
    """A pair of original runs (baseline b, advanced a) that teams reproduce."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="originals")
    slug = slug_field()
    title = models.CharField(max_length=200)
    paper = models.TextField(blank=True)
    position = models.IntegerField(default=0)

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["task", "slug"], name="original_slug_unique_in_task")
        ]

    def __str__(self) -> str:
        return self.title
