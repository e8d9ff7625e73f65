"""Starting, joining, leaving and handing on a team."""

import pytest
from django.utils import timezone

from campaigns import policies
from campaigns.models import AuditEntry, Membership, Team
from campaigns.services import teams
from campaigns.services.refusals import RefusalError
from tests.campaigns import factories as make
from tests.campaigns.participants.conftest import viewer

pytestmark = pytest.mark.django_db


def actions(campaign):
    return list(AuditEntry.objects.filter(campaign=campaign).values_list("action", flat=True))


def current(team):
    rows = Membership.objects.filter(team=team, left_at__isnull=True).order_by("pk")
    return [(row.user, row.is_contact) for row in rows]


def test_team_is_started_with_its_contact():
    task, user = make.TaskFactory(), make.UserFactory()
    team = teams.start_team(viewer(user), task.campaign, "Größe & Co", "Somewhere")
    assert (team.slug, team.name, team.affiliation) == ("groe-co", "Größe & Co", "Somewhere")
    assert current(team) == [(user, True)]
    assert actions(task.campaign) == ["create team"]


@pytest.mark.parametrize("name", ["🚀🚀", "שלום", "<b>\"'</b>", "n" * 120])
def test_any_name_gets_a_slug_that_is_free(name):
    task = make.TaskFactory(team_names_from=None)
    slugs = {
        teams.start_team(viewer(make.UserFactory()), task.campaign, name).slug for _ in range(3)
    }
    assert len(slugs) == 3
    for team in Team.objects.all():
        team.full_clean(exclude=["invitation_digest"])


def test_name_that_is_shown_cannot_be_taken_again(group):
    with pytest.raises(RefusalError) as refused:
        teams.start_team(viewer(make.UserFactory()), group.campaign, "TEAM a")
    assert (refused.value.status, list(refused.value.errors)) == (409, ["name"])


def test_name_that_is_withheld_is_not_given_away(group):
    group.task.team_names_from = None
    group.task.save()
    made = teams.start_team(viewer(make.UserFactory()), group.campaign, "Team A")
    assert made.slug != group.team.slug
    with pytest.raises(RefusalError):
        teams.start_team(viewer(group.member), group.campaign, "Team A")


def test_no_team_without_an_account_or_a_campaign_that_is_seen_or_open():
    task = make.TaskFactory()
    with pytest.raises(RefusalError):
        teams.start_team(viewer(None), task.campaign, "One")
    private = make.TaskFactory(campaign__is_public=False)
    with pytest.raises(RefusalError):
        teams.start_team(viewer(make.UserFactory()), private.campaign, "One")
    closed = make.TaskFactory(closed=True)
    with pytest.raises(RefusalError, match="have closed"):
        teams.start_team(viewer(make.UserFactory()), closed.campaign, "One")
    assert not Team.objects.exists()


def test_teams_of_one_person_in_a_campaign_are_limited():
    task, user = make.TaskFactory(), make.UserFactory()
    for number in range(teams.MAX_TEAMS):
        teams.start_team(viewer(user), task.campaign, f"Team {number}")
    with pytest.raises(RefusalError) as refused:
        teams.start_team(viewer(user), task.campaign, "One more")
    assert refused.value.kind == "too_many_teams"
    assert teams.start_team(viewer(user), make.TaskFactory().campaign, "Elsewhere")


def test_link_lets_in_and_is_kept_as_a_digest_only(group):
    secret = teams.invite(viewer(group.contact), group.team)
    group.team.refresh_from_db()
    assert secret not in group.team.invitation_digest
    assert len(secret) == 32
    user = make.UserFactory()
    assert teams.join_team(viewer(user), teams.digest_of(secret)) == group.team
    assert teams.join_team(viewer(user), teams.digest_of(secret)) == group.team
    assert current(group.team)[-1] == (user, False)
    assert actions(group.campaign) == ["join team", "make join link"]
    assert policies.may_submit_for(viewer(user), group.team.pk)


def test_renewed_or_ended_link_lets_nobody_in(group):
    first = teams.invite(viewer(group.contact), group.team)
    second = teams.invite(viewer(group.contact), group.team)
    assert teams.invited_to(teams.digest_of(first)) is None
    assert teams.invited_to(teams.digest_of(second)) == group.team
    teams.end_invitation(viewer(group.contact), group.team)
    teams.end_invitation(viewer(group.contact), group.team)
    for secret in (first, second, ""):
        with pytest.raises(RefusalError) as refused:
            teams.join_team(viewer(make.UserFactory()), teams.digest_of(secret))
        assert refused.value.status == 404
    assert actions(group.campaign).count("end join link") == 1


def test_link_of_a_deleted_team_or_campaign_leads_nowhere(group):
    secret = teams.invite(viewer(group.contact), group.team)
    group.campaign.deleted_at = timezone.now()
    group.campaign.save()
    assert teams.invited_to(teams.digest_of(secret)) is None


@pytest.mark.parametrize("who", ["member", "stranger"])
def test_only_contacts_invite_remove_and_hand_on(group, who):
    user = group.member if who == "member" else make.UserFactory()
    person = group.contact.public_id
    calls = [
        lambda: teams.invite(viewer(user), group.team),
        lambda: teams.end_invitation(viewer(user), group.team),
        lambda: teams.remove_from_team(viewer(user), group.team, person),
        lambda: teams.set_contact(viewer(user), group.team, person, is_contact=False),
    ]
    for call in calls:
        with pytest.raises(RefusalError) as refused:
            call()
        assert refused.value.status == 403
    assert current(group.team) == [(group.contact, True), (group.member, False)]


def test_member_is_removed_and_the_link_ends(group):
    secret = teams.invite(viewer(group.contact), group.team)
    run = make.RunFactory(task=group.task, team=group.team, submitted_by=group.member)
    teams.remove_from_team(viewer(group.contact), group.team, group.member.public_id)
    assert current(group.team) == [(group.contact, True)]
    assert teams.invited_to(teams.digest_of(secret)) is None
    run.refresh_from_db()
    assert (run.team, run.submitted_by) == (group.team, group.member)
    assert not policies.may_see_team(viewer(group.member), group.team)


def test_removed_member_may_come_back_by_a_new_link(group):
    teams.remove_from_team(viewer(group.contact), group.team, group.member.public_id)
    teams.join_team(
        viewer(group.member), teams.digest_of(teams.invite(viewer(group.contact), group.team))
    )
    assert Membership.objects.filter(team=group.team, user=group.member).count() == 2


def test_last_contact_leaves_and_the_oldest_member_follows(group):
    teams.leave_team(viewer(group.contact), group.team)
    assert current(group.team) == [(group.member, True)]
    with pytest.raises(RefusalError):
        teams.leave_team(viewer(group.contact), group.team)


def test_last_member_leaves_runs_behind(group):
    make.RunFactory(task=group.task, team=group.team)
    secret = teams.invite(viewer(group.contact), group.team)
    teams.leave_team(viewer(group.contact), group.team)
    teams.leave_team(viewer(group.member), group.team)
    group.team.refresh_from_db()
    assert (group.team.deleted_at, group.team.invitation_digest) == (None, "")
    assert teams.invited_to(teams.digest_of(secret)) is None


def test_team_without_people_and_runs_is_gone(group):
    teams.leave_team(viewer(group.member), group.team)
    teams.leave_team(viewer(group.contact), group.team)
    group.team.refresh_from_db()
    assert group.team.deleted_at is not None


def test_contact_is_handed_on_but_never_lost(group):
    person = group.contact.public_id
    with pytest.raises(RefusalError, match="needs one contact"):
        teams.set_contact(viewer(group.contact), group.team, person, is_contact=False)
    teams.set_contact(viewer(group.contact), group.team, group.member.public_id, is_contact=True)
    teams.set_contact(viewer(group.member), group.team, person, is_contact=False)
    assert current(group.team) == [(group.contact, False), (group.member, True)]


def test_all_members_manage_a_team_that_has_no_contact(group):
    Membership.objects.filter(team=group.team).update(is_contact=False)
    assert policies.may_manage_team(viewer(group.member), group.team)
    Membership.objects.filter(team=group.team, user=group.contact).update(is_contact=True)
    assert not policies.may_manage_team(viewer(group.member), group.team)


def test_team_has_a_largest_size(group, monkeypatch):
    monkeypatch.setattr(teams, "MAX_MEMBERS", 2)
    secret = teams.invite(viewer(group.contact), group.team)
    with pytest.raises(RefusalError) as refused:
        teams.join_team(viewer(make.UserFactory()), teams.digest_of(secret))
    assert refused.value.kind == "team_full"
