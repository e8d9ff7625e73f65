"""GET campaigns/, campaigns/{slug}/, campaigns/{slug}/tasks/{task}/ and its runs."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import querysets
from campaigns.api.base import ApiView
from campaigns.api.paging import Pages
from campaigns.api.schema import PAGING, page_of, problems
from campaigns.api.shapes import CampaignDetail, CampaignSummary, RunSummary, TaskDetail
from campaigns.services.shown_runs import run_summary
from campaigns.services.shown_tasks import campaign_detail, campaign_summary, task_detail
from campaigns.services.task_downloads import download_of
from campaigns.states import latest_jobs


class Campaigns(ApiView):
    """All campaigns one may see."""

    @extend_schema(
        operation_id="campaigns",
        tags=["campaigns"],
        parameters=PAGING,
        responses={200: page_of(CampaignSummary), **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request) -> Response:
        """List the campaigns you may see, newest first."""
        pages = Pages()
        page = pages.paginate_queryset(querysets.visible_campaigns(self.viewer), request, view=self)
        return pages.get_paginated_response([campaign_summary(one) for one in page or []])


class OneCampaign(ApiView):
    """A campaign."""

    @extend_schema(
        operation_id="campaign",
        tags=["campaigns"],
        responses={200: CampaignDetail, **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Show a campaign with its tasks and collections."""
        return Response(campaign_detail(self.viewer, self.campaign(slug)))


class OneTask(ApiView):
    """A task."""

    @extend_schema(
        operation_id="task",
        tags=["campaigns"],
        responses={200: TaskDetail, **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request, slug: str, task: str) -> Response:
        """Show a task: settings, topics, limits, and what your teams have left."""
        return Response(task_detail(self.viewer, self.task(slug, task)))


class TaskFile(ApiView):
    """A file of a task for participants."""

    @extend_schema(
        operation_id="task_file",
        tags=["campaigns"],
        responses={
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            **problems(401, 403, 404, 429),
        },
    )
    def get(self, request: Request, slug: str, task: str, name: str) -> StreamingHttpResponse:
        """Download topics (.tsv, .jsonl, .xml), candidates, initial run or document ids."""
        found = self.task(slug, task)
        one = download_of(found, name)
        if one is None:
            raise NotFound("The task has no such file.")
        try:
            pieces = one.pieces()
        except FileNotFoundError as error:
            raise NotFound("This file was lost; tell the organizers.") from error
        response = StreamingHttpResponse(pieces, content_type=one.content_type)
        response["Content-Disposition"] = f'attachment; filename="{found.slug}-{one.name}"'
        return response


def list_runs(view: ApiView, request: Request, slug: str, task: str) -> Response:
    """The runs of a task that the viewer may see, in order of receipt."""
    found = view.task(slug, task)
    runs = (
        querysets.visible_runs(view.viewer)
        .filter(task=found)
        .select_related("task__campaign", "team", "original")
        .order_by("received_at", "pk")
    )
    pages = Pages()
    page = pages.paginate_queryset(runs, request, view=view) or []
    jobs = latest_jobs(page)
    return pages.get_paginated_response(
        [run_summary(view.viewer, run, jobs.get(run.pk, [])) for run in page]
    )


RUN_LIST = extend_schema(
    operation_id="task_runs",
    tags=["runs"],
    parameters=PAGING,
    responses={200: page_of(RunSummary), **problems(401, 403, 404, 429)},
)
