"""``manage.py create_token`` prints a token that works on its last line."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.services.tokens import use_token
from tests.campaigns import factories

pytestmark = pytest.mark.django_db


def create(*args):
    out = StringIO()
    call_command("create_token", *args, stdout=out)
    return out.getvalue().splitlines()


def test_last_line_is_a_token_that_works():
    user = factories.UserFactory(email="a@example.org")
    token = use_token(create("A@example.org")[-1])
    assert (token.user, token.scopes) == (user, ["read", "submit"])


def test_scopes_and_days_are_as_asked():
    factories.UserFactory(email="a@example.org")
    lines = create("a@example.org", "--scope", "organize", "--scope", "read", "--days", "2")
    token = use_token(lines[-1])
    assert token.scopes == ["read", "organize"]
    assert abs(token.expires_at - timezone.now() - timedelta(days=2)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["nobody@example.org"], "no account"),
        (["a@example.org", "--days", "0"], "days"),
        (["a@example.org", "--days", "9999"], "days"),
        (["a@example.org", "--scope", "all"], "scope"),
        (["closed@example.org"], "closed"),
    ],
)
def test_what_cannot_be_made_is_said(args, word):
    factories.UserFactory(email="a@example.org")
    factories.UserFactory(email="closed@example.org", is_active=False)
    with pytest.raises(CommandError, match=word):
        create(*args)
