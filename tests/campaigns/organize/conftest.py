"""A campaign with its organizers, and files to upload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Role
from campaigns.policies import Viewer
from tests.campaigns import factories as make


@dataclass
class Bench:
    """A browser at the desk of one campaign."""

    client: Client
    user: Any
    campaign: Campaign

    @property
    def viewer(self) -> Viewer:
        return Viewer.of(self.user)

    def url(self, view: str, /, *args: Any) -> str:
        return reverse(f"organize:{view}", args=[self.campaign.slug, *args])

    def get(self, view: str, /, *args: Any, **query: Any) -> Any:
        return self.client.get(self.url(view, *args), query)

    def post(self, view: str, /, *args: Any, **data: Any) -> Any:
        return self.client.post(self.url(view, *args), data)

    def fields(self, view: str, /, *args: Any, key: str = "form", **query: Any) -> dict[str, Any]:
        """What a form would send if nothing was typed."""
        form = self.get(view, *args, **query).context[key]
        return sent(form)


def sent(form: Any) -> dict[str, Any]:
    """The values of a form as a browser sends them: nothing for empty boxes."""
    values = {}
    for field in form:
        value = field.value()
        if field.field.disabled or value in (None, False):
            continue
        values[field.html_name] = "on" if value is True else value
    return values


def file(content: bytes, name: str = "file.txt") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, content, "application/octet-stream")


@pytest.fixture
def bench(db, logged_in) -> Bench:
    """The owner of an empty campaign."""
    campaign = make.CampaignFactory()
    user = make.organizer_of(campaign, Role.OWNER)
    return Bench(logged_in(user), user, campaign)


@pytest.fixture
def logged_in():
    """A browser of somebody."""

    def open_(user: Any) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return open_
