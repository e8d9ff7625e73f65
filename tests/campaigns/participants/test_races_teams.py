"""Two people of a team at the same moment, each in a process with a connection of its own."""

from __future__ import annotations

import pytest
from django.db import connection

from campaigns.models import Membership, Team
from campaigns.services import teams
from tests.campaigns import factories as make
from tests.campaigns.participants.conftest import viewer
from tests.campaigns.racing import Meeting, defer_transactions, together

pytestmark = pytest.mark.django_db(transaction=True)
with_and_without = pytest.mark.parametrize("is_protected", [True, False])


def unlocked(patch):
    """Changes to the teams of a campaign no longer queue up, on either database."""
    patch.setattr(teams, "_lock", lambda campaign: None)
    defer_transactions(patch)


def at_once(*acts):
    """Nobody begins before all are there: a process may take its time to start."""
    start = Meeting(len(acts))

    def begun(act):
        def wait_and_act():
            start.wait(30)
            return act()

        return wait_and_act

    return together(*map(begun, acts))


def errors(outcomes):
    return sorted(outcome.text if outcome.error else "" for outcome in outcomes)


def contacts(team):
    rows = Membership.objects.filter(team=team, left_at__isnull=True, is_contact=True)
    return [row.user_id for row in rows]


@with_and_without
def test_contacts_who_both_leave_hand_the_team_to_the_member(monkeypatch, is_protected):
    """Without the queue each sees the other as the contact that stays.

    Not on SQLite: leaving begins by writing, and only one may write.
    """
    team = make.TeamFactory()
    people = [make.MembershipFactory(team=team, is_contact=True).user for _ in range(2)]
    member = make.MembershipFactory(team=team).user
    meeting = Meeting()
    monkeypatch.setattr(teams, "_contacts", meeting.after(teams._contacts))
    if not is_protected:
        unlocked(monkeypatch)
    viewers = [viewer(person) for person in people]
    outcomes = at_once(*(lambda one=one: teams.leave_team(one, team) for one in viewers))
    assert errors(outcomes) == ["", ""]
    is_missed = not is_protected and connection.vendor == "postgresql"
    assert contacts(team) == ([] if is_missed else [member.pk])


@with_and_without
def test_last_place_among_a_persons_teams_is_given_once(monkeypatch, is_protected):
    """Without the queue both count before either is stored."""
    task, user = make.TaskFactory(), make.UserFactory()
    monkeypatch.setattr(teams, "MAX_TEAMS", 1)
    meeting = Meeting()
    monkeypatch.setattr(teams, "_refuse_too_many", meeting.after(teams._refuse_too_many))
    if not is_protected:
        unlocked(monkeypatch)
    outcomes = at_once(
        *(
            lambda name=name: teams.start_team(viewer(user), task.campaign, name).pk
            for name in ("One", "Two")
        )
    )
    if is_protected:
        assert errors(outcomes) == ["", "too_many_teams"]
        assert Team.objects.count() == 1
    elif connection.vendor == "postgresql":
        assert errors(outcomes) == ["", ""]
    else:
        assert errors(outcomes) == ["", "database is locked"]


def test_link_opened_twice_at_once_makes_one_member():
    team = make.TeamFactory()
    contact = make.MembershipFactory(team=team, is_contact=True).user
    user = make.UserFactory()
    secret = teams.invite(viewer(contact), team)
    outcomes = together(
        *(lambda: teams.join_team(viewer(user), teams.digest_of(secret)).pk for _ in range(2))
    )
    assert errors(outcomes) == ["", ""]
    assert Membership.objects.filter(team=team, user=user).count() == 1


def test_teams_of_one_name_at_once_get_two_addresses():
    task = make.TaskFactory(team_names_from=None)
    people = [make.UserFactory() for _ in range(2)]
    outcomes = together(
        *(
            lambda one=one: teams.start_team(viewer(one), task.campaign, "Same").slug
            for one in people
        )
    )
    assert errors(outcomes) == ["", ""]
    assert len({outcome.value for outcome in outcomes}) == 2


def test_one_contact_stays_when_two_end_each_other():
    team = make.TeamFactory()
    people = [make.MembershipFactory(team=team, is_contact=True).user for _ in range(2)]
    outcomes = together(
        *(
            lambda one=one, other=other: (
                teams.set_contact(viewer(one), team, other.public_id, is_contact=False).pk
            )
            for one, other in (people, people[::-1])
        )
    )
    assert errors(outcomes)[1] in ("last_contact", "not_a_contact")
    assert len(contacts(team)) == 1
