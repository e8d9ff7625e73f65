"""Addresses of the REST interface, version 1."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.resolvers import URLPattern

from campaigns.api import boards, campaigns, effects, me, runs, submissions


class SlugConverter:
    """A slug as the models have it: dots too, and never a NUL, which databases refuse."""

    regex = r"[a-z0-9._-]{1,64}"

    def to_python(self, value: str) -> str:
        """The slug."""
        return value

    def to_url(self, value: str) -> str:
        """The slug."""
        return value


register_converter(SlugConverter, "api_slug")

TASK = "campaigns/<api_slug:slug>/tasks/<api_slug:task>/"

urlpatterns: list[URLPattern] = [
    path("me/", me.Me.as_view(), name="api-me"),
    path("receipts/", me.Receipts.as_view(), name="api-receipts"),
    path("campaigns/", campaigns.Campaigns.as_view(), name="api-campaigns"),
    path("campaigns/<api_slug:slug>/", campaigns.OneCampaign.as_view(), name="api-campaign"),
    path(TASK, campaigns.OneTask.as_view(), name="api-task"),
    path(f"{TASK}files/<str:name>", campaigns.TaskFile.as_view(), name="api-task-file"),
    path(f"{TASK}runs/", submissions.Runs.as_view(), name="api-runs"),
    path(f"{TASK}pairs/", submissions.Pairs.as_view(), name="api-pairs"),
    path(f"{TASK}leaderboard/", boards.Leaderboard.as_view(), name="api-leaderboard"),
    path(f"{TASK}effects/", effects.Effects.as_view(), name="api-effects"),
    path("runs/<uuid:pk>/", runs.OneRun.as_view(), name="api-run"),
    path("runs/<uuid:pk>/topics/", runs.Topics.as_view(), name="api-run-topics"),
    path("runs/<uuid:pk>/file/", runs.RunFile.as_view(), name="api-run-file"),
    path("runs/<uuid:pk>/withdraw/", runs.Withdrawal.as_view(), name="api-run-withdraw"),
    path("pairs/<uuid:pk>/", runs.OnePair.as_view(), name="api-pair"),
]
