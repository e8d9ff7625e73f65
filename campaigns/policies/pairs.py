"""Pairs: the row and what was computed from it."""

from __future__ import annotations

from campaigns.models import Pair
from campaigns.policies.campaigns import may_see_task
from campaigns.policies.dates import is_reached
from campaigns.policies.roles import oversees
from campaigns.policies.runs import is_listed
from campaigns.policies.viewer import Viewer


def is_own_pair(viewer: Viewer, pair: Pair) -> bool:
    """Submitted by a team of the viewer."""
    return pair.team_id in viewer.teams


def may_see_pair(viewer: Viewer, pair: Pair) -> bool:
    """Its team and the organizers always; others once scores are open, if its runs are listed."""
    if pair.deleted_at is not None or not may_see_task(viewer, pair.task):
        return False
    if oversees(viewer, pair.task.campaign_id) or is_own_pair(viewer, pair):
        return True
    runs = [run for run in (pair.baseline, pair.advanced) if run is not None]
    return is_reached(pair.task.scores_from, viewer.now) and all(map(is_listed, runs))


def may_see_pair_scores(viewer: Viewer, pair: Pair) -> bool:
    """Comparisons and effects of a pair."""
    if not may_see_pair(viewer, pair):
        return False
    if oversees(viewer, pair.task.campaign_id) or is_reached(pair.task.scores_from, viewer.now):
        return True
    return is_own_pair(viewer, pair) and is_reached(pair.task.own_scores_from, viewer.now)
