"""``policies`` and ``querysets`` say the same: every role, every state of an object."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from campaigns import policies, querysets
from campaigns.models import ALWAYS, RunState
from campaigns.policies import Viewer
from tests.campaigns import factories

pytestmark = pytest.mark.django_db
ROLES = (
    "visitor",
    "inactive",
    "stranger",
    "other",
    "left",
    "own",
    "assessor",
    "organizer",
    "admin",
)
SCORES = {
    "closed": None,
    "later": timedelta(hours=1),
    "open": timedelta(hours=-1),
    "always": ALWAYS,
}
CAMPAIGNS = ("public", "private", "deleted")
STATES = tuple(RunState)
ENDS = ("", "withdrawn", "deleted", "disqualified")


def viewers(campaign, team):
    """A viewer of each role."""
    left = factories.MembershipFactory(team=team, left_at=timezone.now())
    users = {
        "visitor": None,
        "inactive": factories.member_of(team, is_active=False),
        "stranger": factories.member_of(factories.TeamFactory()),
        "other": factories.member_of(factories.TeamFactory(campaign=campaign)),
        "left": left.user,
        "own": factories.member_of(team),
        "assessor": factories.organizer_of(campaign, "assessor"),
        "organizer": factories.organizer_of(campaign),
        "admin": factories.UserFactory(is_superuser=True),
    }
    return {role: Viewer.of(user) if user else Viewer(None) for role, user in users.items()}


def switch(value):
    return timezone.now() + value if isinstance(value, timedelta) else value


def scene(campaign_state, scores, *, is_task_deleted=False):
    """A campaign with a pair task in it, and a team."""
    campaign = factories.CampaignFactory(
        is_public=campaign_state != "private",
        deleted_at=timezone.now() if campaign_state == "deleted" else None,
    )
    task = factories.TaskFactory(
        campaign=campaign,
        same_collection=True,
        scores_from=switch(SCORES[scores]),
        deleted_at=timezone.now() if is_task_deleted else None,
    )
    return campaign, task, factories.TeamFactory(campaign=campaign)


def end(run, how):
    """Withdraw, delete or disqualify a run."""
    if how:
        setattr(run, f"{how}_at", timezone.now())
        run.disqualified_reason = "copied" if how == "disqualified" else ""
        run.save()


def run_of(task, team, state, how, **columns):
    run = factories.RunFactory(
        task=task, team=team, state=state, file=None, is_scores_only=True, **columns
    )
    end(run, how)
    return run


PAIRED = (
    (querysets.visible_campaigns, policies.may_see_campaign),
    (querysets.visible_tasks, policies.may_see_task),
    (querysets.visible_runs, policies.may_see_run),
    (querysets.visible_pairs, policies.may_see_pair),
)


@pytest.mark.parametrize(("campaign_state", "scores"), list(product(CAMPAIGNS, SCORES)))
@pytest.mark.parametrize("is_task_deleted", [False, True])
def test_querysets_agree_with_policies(campaign_state, scores, is_task_deleted):
    campaign, task, team = scene(campaign_state, scores, is_task_deleted=is_task_deleted)
    original = factories.original_pair(task)
    for state, how in product(STATES, ENDS):
        run = run_of(task, team, state, how, original=original, role="baseline")
        factories.PairFactory(original=original, team=team, baseline=run, advanced=None)
    factories.PairFactory(original=original, team=team, deleted_at=timezone.now())
    factories.PairFactory(original=original, team=team)
    for role, viewer in viewers(campaign, team).items():
        for visible, may_see in PAIRED:
            found = visible(viewer)
            allowed = {row.pk for row in found.model.objects.all() if may_see(viewer, row)}
            assert set(found.values_list("pk", flat=True)) == allowed, (role, may_see.__name__)


def test_listed_runs_of_an_open_task_are_seen_by_all_and_the_rest_by_few():
    campaign, task, team = scene("public", "always")
    listed = run_of(task, team, RunState.SCORED, "")
    unlisted = [
        run_of(task, team, RunState.REJECTED, ""),
        run_of(task, team, RunState.SCORED, "withdrawn"),
    ]
    for role, viewer in viewers(campaign, team).items():
        is_close = role in ("own", "assessor", "organizer", "admin")
        assert policies.may_see_run(viewer, listed)
        assert [policies.may_see_run(viewer, run) for run in unlisted] == [is_close, is_close]


@pytest.mark.parametrize("scores", ["closed", "later"])
def test_closed_scores_hide_runs_of_others_and_all_scores(scores):
    campaign, task, team = scene("public", scores)
    task.own_scores_from = None
    task.save()
    run = run_of(task, team, RunState.SCORED, "")
    for role, viewer in viewers(campaign, team).items():
        oversees = role in ("assessor", "organizer", "admin")
        assert policies.may_see_run(viewer, run) is (oversees or role == "own")
        assert policies.may_see_scores(viewer, run) is oversees
        assert policies.may_see_topic_scores(viewer, run) is oversees
        assert policies.may_see_board(viewer, task) is oversees
        assert policies.may_see_organizer_messages(viewer, run) is oversees
        assert policies.may_organize(viewer, campaign.pk) is (role in ("organizer", "admin"))


def test_switch_is_reached_at_its_moment():
    _, task, team = scene("public", "closed")
    run = run_of(task, team, RunState.SCORED, "")
    moment = timezone.now()
    run.task.scores_from = moment
    assert not policies.may_see_scores(Viewer(None, moment - timedelta(microseconds=1)), run)
    assert policies.may_see_scores(Viewer(None, moment), run)


def test_deadline_includes_its_last_second():
    moment = timezone.now().replace(microsecond=0)
    task = factories.TaskFactory(closes=moment)
    assert policies.is_open(task, moment + timedelta(milliseconds=999))
    assert not policies.is_open(task, moment + timedelta(seconds=1))


def test_every_queryset_is_compared():
    found = {make for name, make in vars(querysets).items() if name.startswith("visible_")}
    assert found == {visible for visible, _ in PAIRED}
