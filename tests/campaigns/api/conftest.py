"""Clients and a small campaign for tests of the REST interface."""

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from campaigns.services import uploads
from tests.campaigns import factories


@pytest.fixture(autouse=True)
def _no_rate_limit(monkeypatch):
    """Tests that are not about rates must not run into them."""
    monkeypatch.setattr(cache, "incr", lambda *_args, **_more: 1)
    monkeypatch.setattr(cache, "add", lambda *_args, **_more: True)


@pytest.fixture(autouse=True)
def _visitor_of_nobody(settings):
    settings.ALLOWED_HOSTS = ["testserver"]


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
        from pathlib import Path

        return sum(1 for path in Path(root).rglob("*") if path.is_file())

    return count


def task_url(task, tail=""):
    """Address of a task, or of something below it."""
    return f"/api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/{tail}"
