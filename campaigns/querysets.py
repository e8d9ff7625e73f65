"""The rules of ``policies`` as database conditions, for lists."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from campaigns.models import Campaign, Origin, Pair, Run, RunState, Task
from campaigns.policies import Viewer

LISTED_STATES = (RunState.ACCEPTED, RunState.SCORED)


def counted_runs(prefix: str = "") -> Q:
    """Submitted runs that boards list: what campaigns and tasks are said to have."""
    return Q(
        **{
            f"{prefix}origin": Origin.SUBMITTED,
            f"{prefix}state__in": LISTED_STATES,
            f"{prefix}withdrawn_at__isnull": True,
            f"{prefix}deleted_at__isnull": True,
        }
    )


def _campaign_condition(viewer: Viewer, prefix: str) -> Q:
    condition = Q(**{f"{prefix}deleted_at__isnull": True})
    if viewer.is_site_administrator:
        return condition
    own = set(viewer.roles) | set(viewer.teams.values())
    return condition & (Q(**{f"{prefix}is_public": True}) | Q(**{f"{prefix}pk__in": own}))


def overseen(viewer: Viewer, path: str) -> Q:
    """What ``oversees`` allows; ``path`` leads to the campaign."""
    if viewer.is_site_administrator:
        return Q(pk__isnull=False)
    return Q(**{f"{path}__in": list(viewer.roles)})


def visible_campaigns(viewer: Viewer) -> QuerySet[Campaign]:
    """Campaigns that ``may_see_campaign`` allows."""
    return Campaign.objects.filter(_campaign_condition(viewer, ""))


def visible_tasks(viewer: Viewer) -> QuerySet[Task]:
    """Tasks that ``may_see_task`` allows."""
    return Task.objects.filter(
        _campaign_condition(viewer, "campaign__"), deleted_at__isnull=True
    ).select_related("campaign")


def naming_tasks() -> QuerySet[Task]:
    """Tasks that together say when the teams of a campaign are named.

    A deleted task still withholds the names of those who sent runs to it: it may be brought back.
    """
    sent = Run.objects.filter(task=OuterRef("pk"), origin=Origin.SUBMITTED)
    return Task.objects.filter(Q(deleted_at__isnull=True) | Exists(sent))


def live_runs() -> QuerySet[Run]:
    """Runs that were not deleted, neither by themselves nor with their task."""
    return Run.objects.filter(deleted_at__isnull=True, task__deleted_at__isnull=True)


def visible_runs(viewer: Viewer) -> QuerySet[Run]:
    """Runs that ``may_see_run`` allows."""
    listed = Q(
        state__in=LISTED_STATES,
        withdrawn_at__isnull=True,
        task__scores_from__lte=viewer.now,
    )
    return Run.objects.filter(
        _campaign_condition(viewer, "task__campaign__"),
        listed | Q(team__in=list(viewer.teams)) | overseen(viewer, "task__campaign"),
        task__deleted_at__isnull=True,
        deleted_at__isnull=True,
    ).select_related("task__campaign", "team")


def _listed_or_absent(role: str) -> Q:
    return Q(**{f"{role}__isnull": True}) | Q(
        **{
            f"{role}__state__in": LISTED_STATES,
            f"{role}__withdrawn_at__isnull": True,
            f"{role}__deleted_at__isnull": True,
        }
    )


def visible_pairs(viewer: Viewer) -> QuerySet[Pair]:
    """Pairs that ``may_see_pair`` allows."""
    listed = (
        Q(task__scores_from__lte=viewer.now)
        & _listed_or_absent("baseline")
        & _listed_or_absent("advanced")
    )
    return Pair.objects.filter(
        _campaign_condition(viewer, "task__campaign__"),
        listed | Q(team__in=list(viewer.teams)) | overseen(viewer, "task__campaign"),
        task__deleted_at__isnull=True,
        deleted_at__isnull=True,
    ).select_related("task__campaign", "team", "original", "baseline", "advanced")
