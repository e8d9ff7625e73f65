"""GET runs/{id}/, its topics and its file; POST runs/{id}/withdraw/; GET pairs/{id}/."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import policies
from campaigns.api.base import ApiView
from campaigns.api.permissions import IsSomebody
from campaigns.api.problems import ScoresClosedError
from campaigns.api.schema import problems
from campaigns.api.shapes import PairDetail, RunDetail, RunTopics
from campaigns.api.waiting import seconds_asked, wait_until
from campaigns.models import Pair, Run
from campaigns.policies import Viewer
from campaigns.services.shown_pairs import pair_detail, pair_status
from campaigns.services.shown_runs import (
    SETTLED,
    run_detail,
    run_topics,
    shown_file_name,
    shown_status,
)
from campaigns.services.uploads import runs_storage
from campaigns.services.withdrawals import withdraw_run

WAIT = OpenApiParameter(
    "wait",
    OpenApiTypes.FLOAT,
    description="Seconds to wait (at most 30) until it is settled. "
    "The server may answer sooner: ask again.",
)


class OneRun(ApiView):
    """A run."""

    is_own_data = True

    @extend_schema(
        operation_id="run",
        tags=["runs"],
        parameters=[WAIT],
        responses={200: RunDetail, **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        """Show a run: state, messages, scores and how they were made, receipt."""
        run = self.run(pk)

        def is_settled() -> bool:
            run.refresh_from_db(fields=["state", "withdrawn_at"])
            return shown_status(self.viewer, run).state in SETTLED

        if seconds := seconds_asked(request.query_params.get("wait")):
            wait_until(is_settled, seconds)
            self.viewer = Viewer.of(request.user)
            run = self.run(pk)
        return Response(run_detail(self.viewer, run))


class Topics(ApiView):
    """Scores of a run by topic."""

    is_own_data = True

    @extend_schema(
        operation_id="run_topics",
        tags=["runs"],
        responses={200: RunTopics, **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        """Show the scores of a run topic by topic."""
        run = self.run(pk)
        if not policies.may_see_topic_scores(self.viewer, run):
            raise ScoresClosedError
        return Response(run_topics(run))


class RunFile(ApiView):
    """The file of a run."""

    is_own_data = True

    @extend_schema(
        operation_id="run_file",
        tags=["runs"],
        responses={
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            **problems(401, 403, 404, 429),
        },
    )
    def get(self, request: Request, pk: uuid.UUID) -> FileResponse:
        """Download the file of a run as it was uploaded."""
        run = (
            Run.objects.filter(pk=pk, deleted_at__isnull=True)
            .select_related("task__campaign", "file")
            .first()
        )
        if run is None:
            raise Http404
        if run.file is None or not policies.may_see_file(self.viewer, run):
            if not policies.may_see_run(self.viewer, run):
                raise Http404
            if run.file is None:
                raise NotFound("This run was given by its scores alone; it has no file.")
            raise PermissionDenied("The organizers have not opened the files of these runs.")
        try:
            stored: Any = runs_storage().open(run.file.key, "rb")
        except FileNotFoundError as error:
            raise NotFound("The file of this run was lost; tell the organizers.") from error
        response = FileResponse(
            stored,
            as_attachment=True,
            filename=shown_file_name(self.viewer, run),
            content_type="application/gzip" if run.file.is_gzip else "text/plain; charset=utf-8",
        )
        response["Content-Length"] = str(run.file.size)
        return response


class Withdrawal(ApiView):
    """A run leaves the boards."""

    permission_classes = [IsSomebody, *ApiView.permission_classes]
    is_own_data = True

    @extend_schema(
        operation_id="withdraw_run",
        tags=["runs"],
        request=None,
        responses={200: RunDetail, **problems(401, 403, 404, 429)},
    )
    def post(self, request: Request, pk: uuid.UUID) -> Response:
        """Withdraw a run of your team. Its row and file stay; twice changes nothing."""
        withdraw_run(self.viewer, self.run(pk))
        return Response(run_detail(self.viewer, self.run(pk)))


class OnePair(ApiView):
    """A pair."""

    is_own_data = True

    @extend_schema(
        operation_id="pair",
        tags=["pairs"],
        parameters=[WAIT],
        responses={200: PairDetail, **problems(401, 403, 404, 429)},
    )
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        """Show a pair: runs, comparisons, effects and how they were made, receipt."""
        pair = self.pair(pk)

        def is_settled() -> bool:
            fresh = Pair.objects.select_related(
                "task__campaign", "original", "baseline__task__campaign", "advanced__task__campaign"
            ).get(pk=pk)
            return pair_status(self.viewer, fresh).state in SETTLED

        if seconds := seconds_asked(request.query_params.get("wait")):
            wait_until(is_settled, seconds)
            self.viewer = Viewer.of(request.user)
            pair = self.pair(pk)
        return Response(pair_detail(self.viewer, pair))
