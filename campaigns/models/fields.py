"""Small field and constraint makers that several models share."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

# A switch that is on from the beginning of time; null means never.
ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)

SLUG = re.compile(r"\A[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?\Z")
slug_validator = RegexValidator(
    SLUG,
    "Use 1 to 64 lower-case letters, digits, dots, hyphens or underscores, "
    "beginning and ending with a letter or digit.",
)


def slug_field(**options: Any) -> models.CharField[str, str]:
    """A slug that stands in URLs."""
    return models.CharField(max_length=64, validators=[slug_validator], **options)


def finite(*columns: str) -> Q:
    """Condition of a constraint: each float column is null or finite.

    PostgreSQL sorts NaN above every number, so the upper bound refuses it too.
    """
    condition = Q()
    for column in columns:
        condition &= Q(**{f"{column}__isnull": True}) | Q(
            **{f"{column}__gte": -1e300, f"{column}__lte": 1e300}
        )
    return condition


def one_of(column: str, choices: type[models.TextChoices]) -> Q:
    """Condition of a constraint: the column holds one of its choices."""
    return Q(**{f"{column}__in": choices.values})
