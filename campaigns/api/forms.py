"""The fields of a submission: what the schema shows and what is checked before the service."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from campaigns.models import RunRole, RunType


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


class MetadataField(s.CharField):
    """A JSON object as text; the task says which names it may hold."""

    def to_internal_value(self, data: Any) -> Any:
        """The object."""
        text = super().to_internal_value(data)
        if not text:
            return {}
        try:
            value = json.loads(text, parse_constant=_refuse_constant)
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise s.ValidationError("Give a JSON object.") from error
        if not isinstance(value, dict):
            raise s.ValidationError("Give a JSON object.")
        return value


@extend_schema_field(OpenApiTypes.BINARY)
class RunFileField(s.FileField):
    """A file; a field of an answer would be its address instead."""


class SubmissionForm(s.Serializer):
    """What runs and pairs have in common."""

    team = s.CharField(
        required=False, max_length=64, help_text="Slug; may be left out by people in one team"
    )
    run_type = s.ChoiceField(
        RunType.choices,
        default=RunType.AUTOMATIC.value,
        help_text="manual: any human change after seeing the topics",
    )
    title = s.CharField(required=False, max_length=200, default="", allow_blank=True)
    description = s.CharField(required=False, max_length=20_000, default="", allow_blank=True)
    system = s.CharField(
        required=False,
        max_length=120,
        default="",
        allow_blank=True,
        help_text="Name of what made it; ties runs of several tasks together",
    )
    metadata = MetadataField(
        required=False, max_length=100_000, allow_blank=True, help_text="JSON object"
    )
    original = s.CharField(
        required=False, max_length=64, help_text="Pair tasks: slug of the original reproduced"
    )


class RunForm(SubmissionForm):
    """A run."""

    file = RunFileField(max_length=1000, help_text="Run file, plain text or gzip")
    role = s.ChoiceField(RunRole.choices, required=False, help_text="Pair tasks: its part")
    partner = s.UUIDField(required=False, help_text="Pair tasks: the other run, or the pair")


class PairForm(SubmissionForm):
    """A baseline and an advanced run."""

    baseline = RunFileField(max_length=1000, help_text="Run file, plain text or gzip")
    advanced = RunFileField(max_length=1000, help_text="Run file, plain text or gzip")
    family = s.CharField(
        required=False, max_length=60, default="", allow_blank=True, help_text="Groups variants"
    )
    family_order = s.IntegerField(
        required=False, min_value=-(2**31), max_value=2**31 - 1, help_text="Order in the family"
    )
