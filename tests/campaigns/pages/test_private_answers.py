"""What somebody who is logged in gets is not kept by caches between them and the site."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.campaigns.factories import CampaignFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_page_of_somebody_logged_in_is_private(client: Client) -> None:
    campaign = CampaignFactory()
    client.force_login(UserFactory())
    answer = client.get(f"/campaigns/{campaign.slug}/")
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]


def test_page_of_a_visitor_says_nothing_of_private(client: Client) -> None:
    campaign = CampaignFactory()
    answer = client.get(f"/campaigns/{campaign.slug}/")
    assert "private" not in answer.get("Cache-Control", "")
