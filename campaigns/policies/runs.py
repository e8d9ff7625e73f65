"""Runs: the row, its scores, its reports and its file."""

from __future__ import annotations

from campaigns.models import Origin, Run, RunState
from campaigns.policies.campaigns import may_see_task
from campaigns.policies.dates import is_past_deadline, is_reached
from campaigns.policies.roles import may_organize, oversees
from campaigns.policies.viewer import Viewer


def is_own_run(viewer: Viewer, run: Run) -> bool:
    """Submitted by a team of the viewer."""
    return run.team_id is not None and run.team_id in viewer.teams


def is_listed(run: Run) -> bool:
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
    return is_listed(run) and is_reached(run.task.scores_from, viewer.now)


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
