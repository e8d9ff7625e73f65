"""A request to copy: how the viewer submits to a task of theirs from a shell."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from campaigns import kinds, policies
from campaigns.models import Original, Task, Team
from campaigns.policies import Viewer
from campaigns.querysets import visible_tasks

LOOKED_AT = 50
_SAMPLES = {"number": 1, "flag": True, "url": "https://example.org/", "text": "text"}


@dataclass(frozen=True, slots=True)
class Example:
    """The command, and the task it is for."""

    task: Task
    is_open: bool
    lines: list[str]

    @property
    def command(self) -> str:
        """As a shell reads it."""
        return " \\\n  ".join(self.lines)


def _task(viewer: Viewer) -> Task | None:
    """A task of the viewer's teams, or of anybody who has none: one that takes runs if any does."""
    tasks = visible_tasks(viewer)
    own = list(tasks.filter(campaign__in=set(viewer.teams.values())))
    listed = own or list(tasks[:LOOKED_AT])
    is_open = (task for task in listed if policies.is_open(task, viewer.now))
    return next(is_open, listed[0] if listed else None)


def _metadata(task: Task) -> dict[str, Any]:
    """Values for the fields that must be given."""
    return {
        field["name"]: field["choices"][0] if field["type"] == "choice" else _SAMPLES[field["type"]]
        for field in task.fields
        if field.get("required") and field["type"] != "flag"
    }


def _team(viewer: Viewer, task: Task) -> str:
    """Which team, where it must be said."""
    own = [pk for pk, campaign in viewer.teams.items() if campaign == task.campaign_id]
    if len(own) == 1:
        return ""
    team = Team.objects.filter(pk__in=own).order_by("name").first()
    return team.slug if team else "YOUR-TEAM"


def example_for(request: HttpRequest, viewer: Viewer) -> Example | None:
    """The command for a task of the viewer; None where there is no task at all."""
    task = _task(viewer)
    if task is None:
        return None
    is_pair = kinds.of(task).is_pair
    fields = {"file": "@my.run.gz"}
    if is_pair:
        fields = {"baseline": "@b.run.gz", "advanced": "@a.run.gz"}
        original = Original.objects.filter(task=task).order_by("slug").first()
        if original is not None:
            fields["original"] = original.slug
    if team := _team(viewer, task):
        fields["team"] = team
    if metadata := _metadata(task):
        fields["metadata"] = json.dumps(metadata, ensure_ascii=False)
    name = "api-pairs" if is_pair else "api-runs"
    address = request.build_absolute_uri(reverse(name, args=[task.campaign.slug, task.slug]))
    lines = [
        "curl -f",
        '-H "Authorization: Bearer $CB_TOKEN"',
        '-H "Idempotency-Key: my-first-run"',
        *(f"-F {shlex.quote(f'{key}={value}')}" for key, value in fields.items()),
        shlex.quote(address),
    ]
    return Example(task, policies.is_open(task, viewer.now), lines)
