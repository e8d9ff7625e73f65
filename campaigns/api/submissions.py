"""POST runs/ and pairs/: a run or a pair is handed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import DatabaseError
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import policies
from campaigns.api.base import ApiView
from campaigns.api.campaigns import RUN_LIST, list_runs
from campaigns.api.forms import PairForm, RunForm
from campaigns.api.parsing import KEY_HEADER, check_announced, install_handler, parse
from campaigns.api.permissions import IsSomebody
from campaigns.api.problems import LaterError
from campaigns.api.schema import problems
from campaigns.api.shapes_boards import Taken, TakenPair
from campaigns.models import Task, Team
from campaigns.services.idempotency import Answer, answer_once, request_digest
from campaigns.services.quotas import quota_of
from campaigns.services.receipts import receipt_of, receipt_of_pair
from campaigns.services.refusals import RefusalError
from campaigns.services.submissions import Details, submit_pair, submit_run
from campaigns.services.upload_handler import StoreUploadHandler

KEY = OpenApiParameter(
    KEY_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The same key and request give the same answer, and no second run.",
)
FAULTS = problems(400, 401, 403, 404, 408, 409, 411, 413, 415, 422, 429)
NO_END = timedelta(days=1)


class Submission(ApiView):
    """Takes files; a subclass says which, and hands them to its service."""

    takes_files = True
    is_own_data = True
    parser_classes = [MultiPartParser]
    form_class: type[serializers.Serializer[Any]] = RunForm
    files: tuple[str, ...] = ()

    def get_permissions(self) -> list[Any]:
        """Handing in needs an account."""
        found = super().get_permissions()
        return found if self.request.method in SAFE_METHODS else [IsSomebody(), *found]

    def hand_in(
        self, task: Task, team: Team, values: dict[str, Any], handler: StoreUploadHandler
    ) -> Answer:
        """Call the service; the answer to send."""
        raise NotImplementedError

    def take(self, request: Request, slug: str, task_slug: str) -> Response:
        """Check, store, hand in; what was not handed in is removed again."""
        task = self.task(slug, task_slug)
        key = request.headers.get(KEY_HEADER, "").strip()
        teams = self._teams(task)
        if not key and (closed := policies.closed_reason(task, self.viewer.now)):
            # With a key the answer of before may be due, even after the task has closed.
            raise RefusalError("task_closed", closed, 403)
        check_announced(request, task, len(self.files))
        handler = install_handler(request, task, self.files)
        try:
            values = parse(request, task, self.form_class, key)
            team = self._team(teams, values.pop("team", ""))
            answer = self._answer(request, task, team, values, handler, key)
        finally:
            handler.discard()
        headers = {"Location": answer.location} if answer.location else {}
        return Response(answer.body, status=answer.status, headers=headers)

    def _teams(self, task: Task) -> dict[str, Team]:
        """The viewer's teams in the campaign, by slug."""
        teams = Team.objects.filter(pk__in=list(self.viewer.teams), campaign=task.campaign_id)
        found = {team.slug: team for team in teams}
        if not found:
            raise RefusalError(
                "not_a_member", "You are in no team of this campaign; join one first.", 403
            )
        return found

    @staticmethod
    def _team(teams: dict[str, Team], slug: str) -> Team:
        if not slug and len(teams) == 1:
            return next(iter(teams.values()))
        if not slug:
            raise RefusalError(
                "bad_field", "Which team?", 422, {"team": f"Name one of {', '.join(teams)}."}
            )
        if slug not in teams:
            raise RefusalError("not_a_member", "You are not a member of this team.", 403)
        return teams[slug]

    def _answer(
        self,
        request: Request,
        task: Task,
        team: Team,
        values: dict[str, Any],
        handler: StoreUploadHandler,
        key: str,
    ) -> Answer:
        def act() -> Answer:
            return self.hand_in(task, team, values, handler)

        try:
            answer, is_new = self._once(request, handler, key, act)
        except RefusalError as refusal:
            if refusal.status == 429:
                raise LaterError(refusal, self._seconds(task, team)) from refusal
            raise
        except DatabaseError:
            # It is not certain whether the run was stored: better an orphan than a lost file.
            handler.keep()
            raise
        if is_new:
            handler.keep()
        return answer

    def _once(
        self, request: Request, handler: StoreUploadHandler, key: str, act: Callable[[], Answer]
    ) -> tuple[Answer, bool]:
        if not key:
            return act(), True
        fields = [
            (name, request.data.getlist(name)) for name in request.data if name not in self.files
        ]
        files = {name: received.sha256 for name, received in handler.received.items()}
        return answer_once(request.user, key, request_digest(request.path, fields, files), act)

    def _seconds(self, task: Task, team: Team) -> int:
        """Until a limit eases; a day where it never does by itself."""
        next_at = quota_of(task, team, self.viewer.now).next_at
        wait = next_at - self.viewer.now if next_at else NO_END
        return max(1, int(wait.total_seconds()))

    def url_of(self, name: str, pk: Any) -> str:
        """The whole address of a run or pair."""
        return self.request.build_absolute_uri(reverse(name, args=[pk]))


def _details(values: dict[str, Any]) -> Details:
    return Details(
        run_type=values["run_type"],
        title=values["title"],
        description=values["description"],
        system=values["system"],
        metadata=values["metadata"],
    )


class Runs(Submission):
    """The runs of a task."""

    form_class = RunForm
    files = ("file",)

    @RUN_LIST
    def get(self, request: Request, slug: str, task: str) -> Response:
        """List the runs of a task that you may see, in order of receipt."""
        return list_runs(self, request, slug, task)

    @extend_schema(
        operation_id="submit_run",
        tags=["runs"],
        parameters=[KEY],
        request={"multipart/form-data": RunForm},
        responses={202: Taken, **FAULTS},
    )
    def post(self, request: Request, slug: str, task: str) -> Response:
        """Hand in a run. It is checked and scored in the background: follow Location."""
        return self.take(request, slug, task)

    def hand_in(
        self, task: Task, team: Team, values: dict[str, Any], handler: StoreUploadHandler
    ) -> Answer:
        """One run."""
        run = submit_run(
            self.viewer,
            task,
            team,
            handler.received["file"],
            _details(values),
            original=values["original"],
            role=values.get("role", ""),
            partner=values.get("partner"),
        )
        url = self.url_of("api-run", run.pk)
        body = {"id": str(run.pk), "state": run.state, "url": url, "receipt": receipt_of(run)}
        pair = run.pairs_as_baseline.last() or run.pairs_as_advanced.last()
        if pair is not None:
            body["pair"] = str(pair.pk)
        return Answer(202, body, url)


class Pairs(Submission):
    """The pairs of a task."""

    form_class = PairForm
    files = ("baseline", "advanced")

    @extend_schema(
        operation_id="submit_pair",
        tags=["pairs"],
        parameters=[KEY],
        request={"multipart/form-data": PairForm},
        responses={202: TakenPair, **FAULTS},
    )
    def post(self, request: Request, slug: str, task: str) -> Response:
        """Hand in a baseline and an advanced run, both or neither: follow Location."""
        return self.take(request, slug, task)

    def hand_in(
        self, task: Task, team: Team, values: dict[str, Any], handler: StoreUploadHandler
    ) -> Answer:
        """Both runs."""
        pair = submit_pair(
            self.viewer,
            task,
            team,
            handler.received["baseline"],
            handler.received["advanced"],
            _details(values),
            original=values["original"],
            family=values["family"],
            family_order=values.get("family_order"),
        )
        url = self.url_of("api-pair", pair.pk)
        runs = {"baseline": str(pair.baseline_id), "advanced": str(pair.advanced_id)}
        body = {
            "id": str(pair.pk),
            "state": "checking",
            "url": url,
            "receipt": receipt_of_pair(pair),
            "runs": runs,
        }
        return Answer(202, body, url)
