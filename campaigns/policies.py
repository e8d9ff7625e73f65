"""Who may see and do what: one rule set for pages, API, exports, charts and mail.

Every rule takes a ``Viewer`` and the object, and reads only the object's own columns and the
viewer's roles and teams. ``querysets`` says the same in SQL; a test proves that both agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from campaigns.models import (
    Campaign,
    CampaignRole,
    Membership,
    Origin,
    Pair,
    Role,
    Run,
    RunState,
    Team,
)
from campaigns.models import Task as TaskModel
from campaigns.models.user import User


@dataclass(frozen=True)
class SeenAs:
    """Whose eyes: a participant of a campaign, perhaps of a certain team, or a visitor."""

    campaign_id: int
    is_participant: bool
    team_id: int | None = None


# In place of the team of a participant who is in none that exists.
NO_TEAM = 0


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks, at a moment; ``user`` is None for a visitor.

    ``seen_as`` is an organizer's look through the eyes of others: no roles, and either the one
    team named there or none.
    """

    user: User | None
    now: datetime = field(default_factory=timezone.now)
    seen_as: SeenAs | None = None

    @classmethod
    def of(cls, user: Any) -> Viewer:
        """The viewer behind ``request.user``; anonymous and inactive people are visitors."""
        is_somebody = getattr(user, "is_authenticated", False) and user.is_active
        return cls(user if is_somebody else None)

    @cached_property
    def roles(self) -> dict[int, str]:
        """Role by campaign."""
        if self.user is None or self.seen_as is not None:
            return {}
        rows = CampaignRole.objects.filter(user=self.user)
        return dict(rows.values_list("campaign_id", "role"))

    @cached_property
    def teams(self) -> dict[int, int]:
        """Campaign by team, for the teams the viewer is in now."""
        if self.seen_as is not None:
            if not self.seen_as.is_participant:
                return {}
            return {self.seen_as.team_id or NO_TEAM: self.seen_as.campaign_id}
        if self.user is None:
            return {}
        rows = Membership.objects.filter(
            user=self.user, left_at__isnull=True, team__deleted_at__isnull=True
        )
        return dict(rows.values_list("team_id", "team__campaign_id"))

    @cached_property
    def managed_teams(self) -> set[int]:
        """Teams the viewer is a contact of; in a team without a contact all members are."""
        if self.user is None or self.seen_as is not None:
            return set()
        current = Membership.objects.filter(left_at__isnull=True)
        contacts = current.filter(team=OuterRef("team"), is_contact=True)
        rows = current.filter(Q(is_contact=True) | ~Exists(contacts), user=self.user)
        return set(rows.filter(team__deleted_at__isnull=True).values_list("team_id", flat=True))

    @property
    def is_site_administrator(self) -> bool:
        """Runs the site: organizes everywhere."""
        return self.user is not None and self.user.is_superuser and self.seen_as is None

    def as_seen(self, how: SeenAs) -> Viewer:
        """The same moment through other eyes; never more than the viewer's own."""
        return Viewer(self.user if how.is_participant else None, self.now, how)


VISITOR = "visitor"


def is_reached(switch: datetime | None, now: datetime) -> bool:
    """Whether a dated switch is on; null is never."""
    return switch is not None and switch <= now


def oversees(viewer: Viewer, campaign_id: int) -> bool:
    """Sees everything of a campaign: owner, organizer, assessor, site administrator."""
    return viewer.is_site_administrator or campaign_id in viewer.roles


def may_organize(viewer: Viewer, campaign_id: int) -> bool:
    """Changes a campaign: owner, organizer, site administrator."""
    role = viewer.roles.get(campaign_id)
    return viewer.is_site_administrator or role in (Role.OWNER, Role.ORGANIZER)


def may_create_campaign(viewer: Viewer) -> bool:
    """Site administrators, people they allow, and everybody where the site is set up so."""
    if viewer.user is None or viewer.seen_as is not None:
        return False
    return bool(settings.ANYBODY_MAY_ORGANIZE) or viewer.user.has_perm("campaigns.add_campaign")


def may_be_offered_to_organize(viewer: Viewer) -> bool:
    """Who is offered to start a campaign; a visitor is asked to log in first."""
    return may_create_campaign(viewer) or (
        viewer.user is None and bool(settings.ANYBODY_MAY_ORGANIZE)
    )


def may_change_role(viewer: Viewer, campaign_id: int, role: str) -> bool:
    """Owners give and take every role, organizers all but that of an owner."""
    if viewer.is_site_administrator or viewer.roles.get(campaign_id) == Role.OWNER:
        return True
    return may_organize(viewer, campaign_id) and role != Role.OWNER


def takes_part(viewer: Viewer, campaign_id: int) -> bool:
    """Is in a team of the campaign."""
    return campaign_id in viewer.teams.values()


def audience(viewer: Viewer, campaign_id: int) -> str:
    """Part of a cache key: who is looking, as far as it changes what is shown."""
    if oversees(viewer, campaign_id):
        return "overseer"
    if viewer.seen_as is not None:
        return f"seen as {viewer.seen_as}"
    own = sorted(team for team, campaign in viewer.teams.items() if campaign == campaign_id)
    return f"teams:{','.join(map(str, own))}" if own else VISITOR


def phase(task: TaskModel, now: datetime) -> str:
    """Part of a cache key: which switches are on now; a date passes without any write."""
    switches = (
        task.own_scores_from,
        task.scores_from,
        task.team_names_from,
        task.topic_scores_from,
        task.submitted_runs_from,
        task.original_runs_from,
        task.qrels_from,
    )
    return "".join("1" if is_reached(switch, now) else "0" for switch in switches)


def may_see_campaign(viewer: Viewer, campaign: Campaign) -> bool:
    """A public campaign is everybody's, a private one its people's."""
    if campaign.deleted_at is not None:
        return False
    return campaign.is_public or oversees(viewer, campaign.id) or takes_part(viewer, campaign.id)


def may_see_task(viewer: Viewer, task: TaskModel) -> bool:
    """As its campaign."""
    return task.deleted_at is None and may_see_campaign(viewer, task.campaign)


def may_see_board(viewer: Viewer, task: TaskModel) -> bool:
    """The board shows scores of all runs."""
    return may_see_task(viewer, task) and (
        oversees(viewer, task.campaign_id) or is_reached(task.scores_from, viewer.now)
    )


def is_own_run(viewer: Viewer, run: Run) -> bool:
    """Submitted by a team of the viewer."""
    return run.team_id is not None and run.team_id in viewer.teams


def is_own_pair(viewer: Viewer, pair: Pair) -> bool:
    """Submitted by a team of the viewer."""
    return pair.team_id in viewer.teams


def _is_listed(run: Run) -> bool:
    """Stands on boards: accepted, neither withdrawn nor deleted."""
    return (
        run.state in (RunState.ACCEPTED, RunState.SCORED)
        and run.withdrawn_at is None
        and run.deleted_at is None
    )


def may_see_run(viewer: Viewer, run: Run) -> bool:
    """Its team and the organizers always; others once scores are open, if it is listed."""
    if run.deleted_at is not None or not may_see_task(viewer, run.task):
        return False
    if oversees(viewer, run.task.campaign_id) or is_own_run(viewer, run):
        return True
    return _is_listed(run) and is_reached(run.task.scores_from, viewer.now)


def may_see_scores(viewer: Viewer, run: Run) -> bool:
    """Anything derived from the qrels for this run, but topic scores."""
    if not may_see_run(viewer, run):
        return False
    if oversees(viewer, run.task.campaign_id) or is_reached(run.task.scores_from, viewer.now):
        return True
    return is_own_run(viewer, run) and is_reached(run.task.own_scores_from, viewer.now)


def may_see_topic_scores(viewer: Viewer, run: Run) -> bool:
    """Scores topic by topic have a switch of their own, for a team's own run too."""
    return may_see_scores(viewer, run) and (
        oversees(viewer, run.task.campaign_id) or is_reached(run.task.topic_scores_from, viewer.now)
    )


def may_see_messages(viewer: Viewer, run: Run) -> bool:
    """The check report quotes the file: its team and the organizers."""
    return may_see_run(viewer, run) and (
        oversees(viewer, run.task.campaign_id) or is_own_run(viewer, run)
    )


def may_see_organizer_messages(viewer: Viewer, run: Run) -> bool:
    """Hints that come from qrels or pools."""
    return may_see_run(viewer, run) and oversees(viewer, run.task.campaign_id)


def may_see_file(viewer: Viewer, run: Run) -> bool:
    """The run file: its team, the organizers, and others from the switch of its origin on."""
    if run.file_id is None or run.deleted_at is not None or not may_see_task(viewer, run.task):
        return False
    if oversees(viewer, run.task.campaign_id) or is_own_run(viewer, run):
        return True
    if run.origin == Origin.ORIGINAL:
        return is_reached(run.task.original_runs_from, viewer.now)
    return may_see_run(viewer, run) and is_reached(run.task.submitted_runs_from, viewer.now)


def may_see_team_name(viewer: Viewer, task: TaskModel, team_id: int) -> bool:
    """Names are withheld until their switch, but not from the team itself."""
    return (
        oversees(viewer, task.campaign_id)
        or team_id in viewer.teams
        or is_reached(task.team_names_from, viewer.now)
    )


def may_start_team(viewer: Viewer, campaign: Campaign) -> bool:
    """Everybody with an account who may see the campaign."""
    return viewer.user is not None and may_see_campaign(viewer, campaign)


def may_see_team(viewer: Viewer, team: Team) -> bool:
    """Who is in a team: its own people, and the organizers."""
    return team.deleted_at is None and (
        team.pk in viewer.teams or oversees(viewer, team.campaign_id)
    )


def may_manage_team(viewer: Viewer, team: Team) -> bool:
    """Invite, remove members, hand the team on: its contacts, and the organizers."""
    return may_see_team(viewer, team) and (
        team.pk in viewer.managed_teams or may_organize(viewer, team.campaign_id)
    )


def may_see_qrels(viewer: Viewer, task: TaskModel) -> bool:
    """Judgments, and the utilities of a pool."""
    return may_see_task(viewer, task) and (
        oversees(viewer, task.campaign_id) or is_reached(task.qrels_from, viewer.now)
    )


def may_see_pair(viewer: Viewer, pair: Pair) -> bool:
    """Its team and the organizers always; others once scores are open, if its runs are listed."""
    if pair.deleted_at is not None or not may_see_task(viewer, pair.task):
        return False
    if oversees(viewer, pair.task.campaign_id) or is_own_pair(viewer, pair):
        return True
    runs = [run for run in (pair.baseline, pair.advanced) if run is not None]
    return is_reached(pair.task.scores_from, viewer.now) and all(map(_is_listed, runs))


def may_see_pair_scores(viewer: Viewer, pair: Pair) -> bool:
    """Comparisons and effects of a pair."""
    if not may_see_pair(viewer, pair):
        return False
    if oversees(viewer, pair.task.campaign_id) or is_reached(pair.task.scores_from, viewer.now):
        return True
    return is_own_pair(viewer, pair) and is_reached(pair.task.own_scores_from, viewer.now)


def is_past_deadline(task: TaskModel, at: datetime) -> bool:
    """Whether the last second of the deadline is over."""
    if task.closes is None:
        return False
    return at >= task.closes.replace(microsecond=0) + timedelta(seconds=1)


def is_open(task: TaskModel, at: datetime) -> bool:
    """Takes runs received at this moment; a deadline includes its whole last second."""
    return closed_reason(task, at) == ""


def closed_reason(task: TaskModel, at: datetime) -> str:
    """Why a run received at this moment is not taken; empty when it is."""
    if task.is_paused:
        return "The organizers have paused submissions to this task."
    if task.opens is not None and at < task.opens:
        return f"This task opens at {task.opens:%Y-%m-%d %H:%M:%S} UTC."
    if task.closes is not None and is_past_deadline(task, at):
        return f"This task closed at {task.closes:%Y-%m-%d %H:%M:%S} UTC."
    return ""


def may_submit_for(viewer: Viewer, team_id: int) -> bool:
    """A member submits for the team."""
    return team_id in viewer.teams


def may_withdraw(viewer: Viewer, run: Run) -> bool:
    """The team while the task takes runs, the organizers at any time; originals stay."""
    if run.origin != Origin.SUBMITTED or not may_see_run(viewer, run):
        return False
    if may_organize(viewer, run.task.campaign_id):
        return True
    return is_own_run(viewer, run) and not is_past_deadline(run.task, viewer.now)


def may_retry(viewer: Viewer, run: Run) -> bool:
    """A failed job is retried by an organizer."""
    return may_organize(viewer, run.task.campaign_id)
