"""A run or a pair arrives: who, when, how many, and is it new. Browser and REST call this."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from campaigns import kinds, policies
from campaigns.models import (
    FilePurpose,
    JobKind,
    JobState,
    Original,
    Pair,
    Run,
    RunRole,
    RunState,
    RunType,
    System,
    Task,
    Team,
    User,
)
from campaigns.services import jobs
from campaigns.services.events import note
from campaigns.services.form_fields import clean_metadata
from campaigns.services.marks import REMEDY, has_hidden_marks
from campaigns.services.quotas import check_quota
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import Received


@dataclass(frozen=True, slots=True)
class Details:
    """What a team says of a run beside its file."""

    run_type: str = RunType.AUTOMATIC
    title: str = ""
    description: str = ""
    system: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


def check_may_submit(viewer: policies.Viewer, task: Task, team: Team, at: datetime) -> None:
    """Refuse strangers and closed tasks; raises ``RefusalError`` (403)."""
    if team.campaign_id != task.campaign_id or not policies.may_submit_for(viewer, team.pk):
        raise RefusalError("not_a_member", "You are not a member of this team.", 403)
    closed = policies.closed_reason(task, at)
    if closed:
        raise RefusalError("task_closed", closed, 403)


def _check_details(task: Task, details: Details) -> dict[str, Any]:
    errors: dict[str, str] = {}
    if details.run_type not in RunType.values:
        errors["run_type"] = f"Choose one of {', '.join(RunType.values)}."
    if len(details.title) > 200:
        errors["title"] = "At most 200 characters."
    if len(details.system) > 120:
        errors["system"] = "At most 120 characters."
    for name in ("title", "description", "system"):
        if has_hidden_marks(getattr(details, name)):
            errors[name] = REMEDY
    metadata, faults = clean_metadata(task.fields, details.metadata)
    errors |= faults
    if errors:
        raise RefusalError("bad_field", "Some fields need another value.", 422, errors)
    return metadata


def system_of(team: Team, name: str) -> System | None:
    """The team's system of this name, made when new; None without a name."""
    name = name.strip()
    if not name:
        return None
    known = System.objects.filter(team=team, name=name).first()
    if known is not None:
        return known
    slug = slugify(name)[:48].strip("-_.") or "system"
    if System.objects.filter(team=team, slug=slug).exists():
        slug = f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return System.objects.create(team=team, slug=slug, name=name)


def _refuse_duplicate(task: Task, team: Team, received: Received) -> None:
    first = (
        Run.objects.filter(
            task=task,
            team=team,
            text_sha256=received.text_sha256,
            state__in=[RunState.CHECKING, RunState.ACCEPTED, RunState.SCORED],
            withdrawn_at__isnull=True,
            deleted_at__isnull=True,
        )
        .order_by("received_at")
        .first()
    )
    if first is not None:
        raise RefusalError(
            "duplicate_submission",
            f"Your team has already submitted this very run, as {first} "
            f"on {first.received_at:%Y-%m-%d %H:%M:%S} UTC.",
            409,
            {"run": str(first.pk)},
        )


def _create_run(
    task: Task, team: Team, user: User | None, received: Received, details: Details, **more: Any
) -> Run:
    metadata = _check_details(task, details)
    _refuse_duplicate(task, team, received)
    stored = received.row(FilePurpose.RUN)
    stored.save(force_insert=True)
    try:
        with transaction.atomic():
            run = Run.objects.create(
                task=task,
                team=team,
                submitted_by=user,
                received_at=received.received_at,
                file=stored,
                text_sha256=received.text_sha256,
                run_type=details.run_type,
                title=details.title,
                description=details.description,
                system=system_of(team, details.system),
                metadata=metadata,
                **more,
            )
    except IntegrityError as error:
        _refuse_duplicate(task, team, received)
        raise error
    note(run, "received", user, name=received.name, size=received.size, sha256=received.sha256)
    jobs.ensure(JobKind.CHECK, run=run)
    return run


def lock_team(team: Team) -> Team:
    """Submissions of one team queue up here, so that quotas and duplicates cannot race."""
    return Team.objects.select_for_update(no_key=True).get(pk=team.pk)


def _refuse_deleted(task: Task) -> None:
    """The task may have been deleted while the file was on its way."""
    standing = Task.objects.filter(
        pk=task.pk, deleted_at__isnull=True, campaign__deleted_at__isnull=True
    )
    if not standing.exists():
        raise RefusalError("task_closed", "The organizers have deleted this task.", 403)


def _role_of(task: Task, original: Original | None, role: str) -> dict[str, Any]:
    """The columns original and role of a submitted run; raises ``RefusalError`` (422)."""
    if not kinds.of(task).is_pair:
        if original is not None or role:
            raise RefusalError(
                "bad_field",
                "This task takes single runs.",
                422,
                {"role": "Leave out original, role and partner."},
            )
        return {}
    if original is None or original.task_id != task.pk:
        raise RefusalError(
            "bad_field", "Which original?", 422, {"original": "Name an original of this task."}
        )
    if role not in RunRole.values:
        raise RefusalError(
            "bad_field", "Which role?", 422, {"role": f"Choose {' or '.join(RunRole.values)}."}
        )
    return {"original": original, "role": role}


def _partner_pair(run: Run, partner: UUID) -> Pair | None:
    """The pair that the new run completes: named by itself or by its other run."""
    other = "advanced" if run.role == RunRole.BASELINE else "baseline"
    named = Pair.objects.select_for_update(no_key=True).filter(
        task=run.task, team=run.team, original=run.original, deleted_at__isnull=True
    )
    pair = named.filter(pk=partner).first() or named.filter(**{other: partner}).first()
    if pair is None:
        raise RefusalError(
            "bad_field",
            "The partner was not found.",
            422,
            {"partner": f"Name your team's {other} run or pair for the same original."},
        )
    partner_run: Run | None = getattr(pair, other)
    if partner_run is not None and (
        partner_run.state == RunState.REJECTED or partner_run.withdrawn_at is not None
    ):
        raise RefusalError(
            "bad_field",
            "The partner was refused or withdrawn.",
            422,
            {"partner": "Name a run that can stand on the board."},
        )
    if getattr(pair, f"{run.role}_id") is None:
        return pair
    if partner_run is None:
        raise RefusalError(
            "bad_field", "That pair is complete.", 422, {"partner": "Name another pair."}
        )
    return Pair(task=run.task, team=run.team, original=run.original, **{other: partner_run})


def _join_pair(run: Run, partner: UUID | None, **more: Any) -> Pair:
    pair = _partner_pair(run, partner) if partner is not None else None
    if pair is None:
        pair = Pair(task=run.task, team=run.team, original=run.original, **more)
    setattr(pair, run.role, run)
    pair.save()
    jobs.ensure(JobKind.COMPARE, state=JobState.DORMANT, pair=pair)
    return pair


def submit_run(
    viewer: policies.Viewer,
    task: Task,
    team: Team,
    received: Received,
    details: Details,
    *,
    original: Original | None = None,
    role: str = "",
    partner: UUID | None = None,
) -> Run:
    """Take a run whose file is stored; it is then checked in the background.

    Raises ``RefusalError`` when the viewer is no member, the task is closed, a field is bad,
    a limit is reached or the run is a duplicate; nothing is changed then.
    """
    check_may_submit(viewer, task, team, received.received_at)
    pair_columns = _role_of(task, original, role)
    with transaction.atomic():
        team = lock_team(team)
        _refuse_deleted(task)
        check_quota(task, team, received.received_at, runs=1)
        run = _create_run(task, team, viewer.user, received, details, **pair_columns)
        if pair_columns:
            _join_pair(run, partner, title=details.title, description=details.description)
    return run


def submit_pair(
    viewer: policies.Viewer,
    task: Task,
    team: Team,
    baseline: Received,
    advanced: Received,
    details: Details,
    *,
    original: Original | None,
    family: str = "",
    family_order: int | None = None,
) -> Pair:
    """Take both runs of a pair at once, or neither; raises as ``submit_run`` does."""
    received_at = max(baseline.received_at, advanced.received_at)
    check_may_submit(viewer, task, team, received_at)
    original = _role_of(task, original, RunRole.BASELINE).get("original")
    if original is None:
        raise RefusalError("bad_field", "This task takes single runs, not pairs.", 422)
    if len(family) > 60:
        raise RefusalError(
            "bad_field", "The family is too long.", 422, {"family": "At most 60 characters."}
        )
    if has_hidden_marks(family):
        raise RefusalError("bad_field", "The family cannot be used.", 422, {"family": REMEDY})
    if baseline.text_sha256 == advanced.text_sha256:
        raise RefusalError(
            "duplicate_submission",
            "Baseline and advanced run are the same file.",
            409,
            {"advanced": "Choose the run of the advanced system."},
        )
    with transaction.atomic():
        team = lock_team(team)
        _refuse_deleted(task)
        check_quota(task, team, received_at, runs=2)
        runs = {
            role: _create_run(
                task, team, viewer.user, received, details, original=original, role=role
            )
            for role, received in ((RunRole.BASELINE, baseline), (RunRole.ADVANCED, advanced))
        }
        pair = Pair.objects.create(
            task=task,
            team=team,
            original=original,
            baseline=runs[RunRole.BASELINE],
            advanced=runs[RunRole.ADVANCED],
            title=details.title,
            description=details.description,
            family=family,
            family_order=family_order,
            metadata=runs[RunRole.BASELINE].metadata,
        )
        jobs.ensure(JobKind.COMPARE, state=JobState.DORMANT, pair=pair)
    return pair
