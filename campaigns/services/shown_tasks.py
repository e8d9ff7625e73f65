"""What a viewer is told of campaigns and tasks: settings, dates, limits, topics, quotas."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from campaigns import kinds, policies
from campaigns.models import ALWAYS, Campaign, Collection, Task, Team, Topic
from campaigns.policies import Viewer
from campaigns.services.quotas import quota_of

SWITCHES = (
    "own_scores",
    "scores",
    "team_names",
    "topic_scores",
    "submitted_runs",
    "original_runs",
    "qrels",
)


def campaign_summary(campaign: Campaign) -> dict[str, Any]:
    """A campaign in a list."""
    return {
        "slug": campaign.slug,
        "title": campaign.title,
        "summary": campaign.summary,
        "is_public": campaign.is_public,
        "is_example": campaign.is_example,
    }


def campaign_detail(viewer: Viewer, campaign: Campaign) -> dict[str, Any]:
    """A campaign with its tasks and collections."""
    tasks = campaign.tasks.filter(deleted_at__isnull=True).select_related("collection")
    collections = campaign.collections.filter(deleted_at__isnull=True)
    return {
        **campaign_summary(campaign),
        "description": campaign.description,
        "vocabulary": campaign.vocabulary,
        "contact": campaign.contact or None,
        "website": campaign.website or None,
        "citation": campaign.citation or None,
        "timezone": campaign.timezone,
        "collections": [_collection(collection) for collection in collections],
        "tasks": [task_summary(viewer, task) for task in tasks],
    }


def _collection(collection: Collection) -> dict[str, Any]:
    return {
        "slug": collection.slug,
        "title": collection.title,
        "languages": collection.languages,
        "documents": collection.documents,
    }


def task_summary(viewer: Viewer, task: Task) -> dict[str, Any]:
    """A task in a list."""
    return {
        "slug": task.slug,
        "title": task.title,
        "summary": task.summary,
        "kind": task.kind,
        "collection": task.collection.slug,
        "opens": task.opens,
        "closes": task.closes,
        "timezone": task.timezone or None,
        "is_open": policies.is_open(task, viewer.now),
        "closed_reason": policies.closed_reason(task, viewer.now) or None,
    }


def _switch(at: datetime | None) -> str:
    if at is None:
        return "never"
    return "always" if at == ALWAYS else at.isoformat()


def _topics(collection: Collection) -> list[dict[str, Any]]:
    topics = Topic.objects.filter(collection=collection).prefetch_related("texts__form")
    return [
        {
            "id": topic.identifier,
            "texts": [
                {
                    "form": one.form.form,
                    "language": one.form.language or None,
                    "translation": one.form.translation,
                    "text": one.text,
                }
                for one in topic.texts.all()
            ],
        }
        for topic in topics
    ]


def _teams(viewer: Viewer, task: Task) -> list[Team]:
    own = [team for team, campaign in viewer.teams.items() if campaign == task.campaign_id]
    return list(Team.objects.filter(pk__in=own)) if own else []


def _quota(viewer: Viewer, task: Task, team: Team) -> dict[str, Any]:
    quota = quota_of(task, team, viewer.now)
    return {
        "team": team.slug,
        "left": quota.left,
        "runs_left": quota.runs_left,
        "today_left": quota.today_left,
        "refused_left": quota.refused_left,
        "attempts_left": quota.attempts_left,
        "next_at": quota.next_at,
    }


def task_detail(viewer: Viewer, task: Task) -> dict[str, Any]:
    """A task with its settings and topics; members see what their teams have left."""
    kind = kinds.of(task)
    original_collection = task.original_collection
    order = kinds.order_of(task, kind)
    return {
        **task_summary(viewer, task),
        "campaign": task.campaign.slug,
        "description": task.description,
        "explanation": kind.explanation,
        "takes_pairs": kind.is_pair,
        "original_collection": original_collection.slug if original_collection else None,
        "measures": task.measures,
        "primary": task.primary,
        "topics_averaged": task.topics_averaged,
        "order_by": order.value if order else None,
        "depth": task.depth,
        "depth_rule": task.depth_rule,
        "rules": task.rules,
        "tag_pattern": task.tag_pattern,
        "precision": task.precision,
        "comparison": task.comparison,
        "fields": task.fields,
        "originals": [
            {"slug": original.slug, "title": original.title, "paper": original.paper}
            for original in task.originals.all()
        ],
        "visible_from": {name: _switch(getattr(task, f"{name}_from")) for name in SWITCHES},
        "limits": {
            "runs_per_team": task.runs_per_team,
            "per_day": task.runs_per_day,
            "refused_per_day": task.refused_per_day,
            "attempts": task.attempts,
            "file_bytes": task.file_bytes,
        },
        "quotas": [_quota(viewer, task, team) for team in _teams(viewer, task)],
        "topics": _topics(task.collection),
    }
