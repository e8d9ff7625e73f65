"""Immutable numbers: what a recipe gives for a run, a run and its original, or two pairs.

Floats are null when undefined (never NaN), with a reason beside them; arrays of topic values
are little-endian doubles in the order of ``topic_order``, where NaN means undefined.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from campaigns.models.collection import Qrels, TopicOrder
from campaigns.models.fields import finite
from campaigns.models.run import Pair, Run


class Recipe(models.Model):
    """How a number is made: measure, variant, parameters, averaging rule, depth, version."""

    digest = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    parameters = models.JSONField()
    version = models.PositiveIntegerField(help_text="RECIPE_VERSION, raised when numbers change")

    def __str__(self) -> str:
        return self.name


class Evaluation(models.Model):
    """The score of a run by one recipe under one version of the qrels."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="evaluations")
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="evaluations")
    recipe = models.ForeignKey(Recipe, models.PROTECT, related_name="+")
    mean = models.FloatField(null=True, db_index=True)
    reason = models.CharField(max_length=200, blank=True)
    interval_low = models.FloatField(null=True)
    interval_high = models.FloatField(null=True)
    topics_averaged = models.IntegerField()
    topic_order = models.ForeignKey(TopicOrder, models.PROTECT, related_name="+")
    topic_values = models.BinaryField()
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "qrels", "recipe"], name="evaluation_unique"),
            models.CheckConstraint(
                condition=finite("mean", "interval_low", "interval_high"),
                name="evaluation_is_finite_or_null",
            ),
            models.CheckConstraint(
                condition=Q(mean__isnull=False) | ~Q(reason=""),
                name="undefined_evaluation_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recipe} of {self.run}"


class Comparison(models.Model):
    """One quantity between a submitted run and the original run of its role."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="comparisons")
    original_run = models.ForeignKey(Run, models.PROTECT, related_name="+")
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="comparisons")
    original_qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="+")
    recipe = models.ForeignKey(Recipe, models.PROTECT, related_name="+")
    value = models.FloatField(null=True, db_index=True)
    reason = models.CharField(max_length=200, blank=True)
    topic_order = models.ForeignKey(TopicOrder, models.PROTECT, related_name="+", null=True)
    topic_values = models.BinaryField(null=True)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run", "original_run", "qrels", "original_qrels", "recipe"],
                name="comparison_unique",
            ),
            models.CheckConstraint(condition=finite("value"), name="comparison_is_finite_or_null"),
            models.CheckConstraint(
                condition=Q(value__isnull=False) | ~Q(reason=""),
                name="undefined_comparison_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recipe} of {self.run}"


class Effect(models.Model):
    """A pair's effect against the original's, for one measure: ER, RI, ΔRI, region."""

    pair = models.ForeignKey(Pair, models.PROTECT, related_name="effects")
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="effects")
    original_qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="+")
    recipe = models.ForeignKey(Recipe, models.PROTECT, related_name="+")
    effect_ratio = models.FloatField(null=True)
    relative_improvement_original = models.FloatField(null=True)
    relative_improvement_submitted = models.FloatField(null=True)
    delta_ri = models.FloatField(null=True)
    region = models.PositiveSmallIntegerField(null=True)
    distance = models.FloatField(null=True, help_text="From (1, 0) in the ER-ΔRI plane")
    original_effect = models.FloatField(null=True)
    submitted_effect = models.FloatField(null=True)
    original_effect_p = models.FloatField(null=True)
    p_baseline = models.FloatField(null=True)
    p_advanced = models.FloatField(null=True)
    reasons = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pair", "qrels", "original_qrels", "recipe"], name="effect_unique"
            ),
            models.CheckConstraint(
                condition=finite(
                    "effect_ratio",
                    "relative_improvement_original",
                    "relative_improvement_submitted",
                    "delta_ri",
                    "distance",
                    "original_effect",
                    "submitted_effect",
                    "original_effect_p",
                    "p_baseline",
                    "p_advanced",
                ),
                name="effect_is_finite_or_null",
            ),
            models.CheckConstraint(
                condition=Q(region__isnull=True) | Q(region__gte=1, region__lte=4),
                name="effect_region_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recipe} of {self.pair}"
