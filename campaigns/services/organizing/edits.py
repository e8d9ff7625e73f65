"""Changing the settings of a row: only what differs, never over somebody else's change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Model

from campaigns.models import AuditEntry, Campaign
from campaigns.services.refusals import RefusalError

LONG_TEXT = 200


def shown(value: Any) -> Any:
    """A value as the audit list keeps it."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Model):
        return str(getattr(value, "slug", value))
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return f"{value[:LONG_TEXT]}…"
    return value


def stamp(row: Model, names: Iterable[str]) -> str:
    """A fingerprint of some columns: goes out with a form and comes back with it."""
    values = {}
    for name in names:
        value = getattr(row, row._meta.get_field(name).attname)  # type: ignore[union-attr]  # all are columns
        values[name] = value.isoformat() if isinstance(value, datetime) else value
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def refuse_if_changed(row: Model, names: Iterable[str], seen: str, campaign: Campaign) -> None:
    """Raises ``RefusalError`` (409) when the columns differ from those the form was made of.

    Call it with the row locked.
    """
    if stamp(row, names) == seen:
        return
    last = AuditEntry.objects.filter(campaign=campaign).first()
    who = f" The latest change was by {last.actor_label} at {last.at:%H:%M:%S} UTC." if last else ""
    raise RefusalError(
        "changed_meanwhile",
        f"Somebody else has changed this since you opened the form, so nothing was saved.{who} "
        "Open the page again in another tab, compare, and enter your change there.",
        409,
    )


def apply(row: Model, columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Write the columns that differ; what changed, as name -> [before, after]."""
    changed = {
        name: [shown(getattr(row, name)), shown(value)]
        for name, value in columns.items()
        if getattr(row, name) != value
    }
    for name in changed:
        setattr(row, name, columns[name])
    if changed:
        row.save(update_fields=list(changed))
    return changed
