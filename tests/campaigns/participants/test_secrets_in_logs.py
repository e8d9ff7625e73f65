"""Neither a join link nor a token reaches the logs."""

import logging

import pytest

from campaigns.models import AuditEntry
from campaigns.services import teams
from campaigns.services.tokens import create_token
from config.logs import WithoutSecrets
from tests.campaigns import factories as make
from tests.campaigns.participants.conftest import viewer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Not Found: /join/gDxTwdolMl83dy_za-C/", "Not Found: /join/***/"),
        (
            "GET https://site.example/join/abc HTTP/1.1",
            "GET https://site.example/join/*** HTTP/1.1",
        ),
        ("Not Found: /join/", "Not Found: /join/"),
    ],
)
def test_join_links_are_blanked(text, told):
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s", (text,), None)
    WithoutSecrets().filter(record)
    assert record.getMessage() == told


@pytest.mark.django_db
def test_audit_keeps_no_secret(group):
    secret = teams.invite(viewer(group.contact), group.team)
    teams.join_team(viewer(make.UserFactory()), teams.digest_of(secret))
    _, token = create_token(group.contact, "lab", ["read"], 90)
    kept = [(entry.target, entry.reason, entry.detail) for entry in AuditEntry.objects.all()]
    assert kept
    assert secret not in str(kept)
    assert token not in str(kept)
