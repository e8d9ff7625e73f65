"""Clients and a small campaign for tests of the REST interface."""

from pathlib import Path

import pytest
from rest_framework.test import APIClient

from campaigns.api import throttles
from campaigns.services import uploads
from tests.campaigns import factories


class Uncounted:
    """A cache in which nothing adds up."""

    def add(self, *_args, **_more):
        return True

    def incr(self, *_args, **_more):
        return 1


@pytest.fixture(autouse=True)
def _no_rate_limit(monkeypatch):
    """Tests that are not about rates must not run into them."""
    monkeypatch.setattr(throttles, "cache", Uncounted())


@pytest.fixture
def client_of():
    """A client that sends the token of a user; a visitor without one."""

    def make(user=None, *scopes):
        client = APIClient()
        if user is not None:
            secret = factories.token_for(user, *scopes)
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        return client

    return make


@pytest.fixture
def task(db):
    """An open ranking task."""
    return factories.TaskFactory()


@pytest.fixture
def team(task):
    """A team of the task's campaign."""
    return factories.TeamFactory(campaign=task.campaign)


@pytest.fixture
def member(team):
    """Somebody in the team."""
    return factories.member_of(team)


@pytest.fixture
def stored_files():
    """How many files lie in the store now."""
    root = uploads.runs_storage().path("")

    def count():
        return sum(1 for path in Path(root).rglob("*") if path.is_file())

    return count


def task_url(task, tail=""):
    """Address of a task, or of something below it."""
    return f"/api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/{tail}"
