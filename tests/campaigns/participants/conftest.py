"""A campaign with a team: its contact, a member, an organizer, a stranger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.policies import Viewer
from tests.campaigns import factories as make


@dataclass
class Group:
    """Rows of a team with its people."""

    task: Any
    team: Any
    contact: Any
    member: Any

    @property
    def campaign(self) -> Any:
        """The team's campaign."""
        return self.task.campaign

    def url(self, name: str, *more: Any) -> str:
        """Address of a page of the team."""
        return reverse(f"participants:{name}", args=[self.campaign.slug, self.team.slug, *more])


@pytest.fixture
def group(db) -> Group:
    task = make.TaskFactory()
    team = make.TeamFactory(campaign=task.campaign, name="Team A")
    contact = make.MembershipFactory(team=team, is_contact=True, user__name="Ada").user
    member = make.MembershipFactory(team=team, user__name="Bo").user
    return Group(task, team, contact, member)


@pytest.fixture
def browser_of():
    """A browser of somebody; of a visitor without one."""

    def open_(user: Any = None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return open_


def viewer(user: Any) -> Viewer:
    """A fresh look: roles and teams are read once a viewer."""
    return Viewer.of(user)
