"""Run events and audit entries: append-only, with the actor's label."""

from __future__ import annotations

from typing import Any

from campaigns.models import AuditEntry, Campaign, Run, RunEvent, User


def label_of(actor: User | None) -> str:
    """How an actor is remembered, whatever becomes of the account."""
    if actor is None:
        return "Centreboard"
    return f"{actor.name} <{actor.email}>" if actor.name else actor.email


def note(run: Run, kind: str, actor: User | None = None, **detail: Any) -> None:
    """Add an event to a run."""
    RunEvent.objects.create(run=run, kind=kind, actor_label=label_of(actor), detail=detail)


def audit(
    campaign: Campaign | None,
    actor: User | None,
    action: str,
    target: object,
    reason: str = "",
    **detail: Any,
) -> None:
    """Add an entry to the audit list."""
    AuditEntry.objects.create(
        campaign=campaign,
        actor=actor,
        actor_label=label_of(actor),
        action=action,
        target=str(target)[:200],
        reason=reason,
        detail=detail,
    )
