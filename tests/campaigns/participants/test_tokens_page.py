"""The tokens page: a secret is shown once, to its owner, after a recent log-in."""

import re
import shlex
import time
from datetime import timedelta

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaigns.models import ApiToken, Pair, Run
from campaigns.services.tokens import create_token, revoke_token, use_token
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

URL = "/tokens/"
FORM = {"name": "lab server", "scopes": ["read", "submit"], "days": "30", "once": "a"}


@pytest.fixture
def user():
    return make.UserFactory(password=make.PASSWORD)


@pytest.fixture
def fresh(client, user):
    """A browser in which its owner has just logged in."""
    client.post("/accounts/login/", {"login": user.email, "password": make.PASSWORD})
    return client


def test_secret_is_shown_once_and_works(fresh, user):
    response = fresh.post(URL, FORM)
    secret = response.context["secret"]
    assert f'value="{secret}"' in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    assert "Referrer-Policy" in response
    token = use_token(secret)
    assert (token.user, token.name, token.scopes) == (user, "lab server", ["read", "submit"])
    left = token.expires_at - timezone.now()
    assert timedelta(days=29, hours=23) < left <= timedelta(days=30)
    page = fresh.get(URL)
    assert secret not in page.content.decode()
    assert token.prefix in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert secret not in str(dict(fresh.session))


def test_form_sent_again_makes_no_second_token(fresh):
    fresh.post(URL, FORM)
    response = fresh.post(URL, FORM)
    assert response.url == URL
    assert "made before" in fresh.get(URL).content.decode()
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [{"name": ""}, {"scopes": []}, {"scopes": ["organize"]}, {"days": "0"}, {"days": "400"},
     {"days": "x"}, {"scopes": ["read", "nonsense"]}],
)  # fmt: skip
def test_bad_form_is_told_and_makes_nothing(fresh, change):
    response = fresh.post(URL, {**FORM, **change})
    assert response.status_code == 422
    assert "There is a problem" in response.content.decode()
    assert not ApiToken.objects.exists()


def test_organizers_may_ask_for_their_scope(fresh, user):
    make.CampaignRoleFactory(user=user)
    fresh.post(URL, {**FORM, "scopes": ["organize"]})
    assert ApiToken.objects.get().scopes == ["organize"]


def test_log_in_of_long_ago_is_asked_for_the_password_again(fresh, user):
    session = fresh.session
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {**record, "at": time.time() - 3600} for record in records
    ]
    session.save()
    assert fresh.get(URL).status_code == 200
    response = fresh.post(URL, FORM)
    assert response.url.startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()
    html = fresh.get(response.url).content.decode()
    assert "css/base.css" in html
    done = fresh.post(response.url, {"password": make.PASSWORD}, follow=True)
    assert ApiToken.objects.count() == 1
    assert done.context["secret"] in done.content.decode()


def test_states_are_told_apart(fresh, user):
    kept = {name: create_token(user, name, ["read"], 90)[0] for name in "abcd"}
    now = timezone.now()
    ApiToken.objects.filter(pk=kept["b"].pk).update(expires_at=now + timedelta(days=3, hours=1))
    ApiToken.objects.filter(pk=kept["c"].pk).update(expires_at=now - timedelta(days=1))
    revoke_token(kept["d"])
    page = fresh.get(URL)
    assert {line.token.name: line.word for line in page.context["active"]} == {
        "a": "active", "b": "ends in 3 days",
    }  # fmt: skip
    assert {line.token.name: line.word for line in page.context["ended"]} == {
        "c": "ended", "d": "revoked",
    }  # fmt: skip


def test_token_is_revoked_after_being_asked(fresh, user):
    token, _ = create_token(user, "<b>lab</b>", ["submit"], 90)
    address = reverse("participants:revoke-token", args=[token.pk])
    assert address in fresh.get(URL).content.decode()
    html = fresh.get(address).content.decode()
    assert "&lt;b&gt;lab&lt;/b&gt;" in html
    token.refresh_from_db()
    assert token.revoked_at is None
    fresh.post(address)
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_tokens_of_others_are_not_there(fresh):
    other, _ = create_token(make.UserFactory(), "theirs", ["read"], 90)
    address = reverse("participants:revoke-token", args=[other.pk])
    assert "theirs" not in fresh.get(URL).content.decode()
    assert fresh.get(address).status_code == fresh.post(address).status_code == 404
    other.refresh_from_db()
    assert other.revoked_at is None


def _parsed(command: str) -> tuple[str, dict, dict]:
    """Address, headers and fields of a curl command, as a shell and curl read them."""
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["curl", "-f"]
    headers, fields = {}, {}
    for option, value in zip(words[2:-1:2], words[3:-1:2], strict=True):
        if option == "-H":
            name, _, rest = value.partition(": ")
            headers[name] = rest
        else:
            name, _, rest = value.partition("=")
            fields[name] = rest
    return words[-1], headers, fields


@pytest.mark.parametrize("is_pair", [False, True])
@pytest.mark.parametrize("is_in_two", [False, True])
def test_example_for_the_shell_is_taken_by_the_interface(fresh, user, client, is_pair, is_in_two):
    task = make.TaskFactory(
        same_collection=is_pair,
        fields=[
            {"name": "lang", "type": "choice", "choices": ["it's", "eng"], "required": True},
            {"name": "gpus", "type": "number", "required": True},
            {"name": "note", "type": "text"},
        ],
    )
    if is_pair:
        make.original_pair(task, slug="first")
        make.original_pair(task, slug="second")
    make.TaskFactory()
    for _ in range(2 if is_in_two else 1):
        make.MembershipFactory(team=make.TeamFactory(campaign=task.campaign), user=user)
    response = fresh.post(URL, FORM)
    address, headers, fields = _parsed(response.context["example"].command)
    assert headers["Authorization"] == "Bearer $CB_TOKEN"
    sent = {
        name: SimpleUploadedFile(value[1:], f"101 Q0 d1 1 9.5 {name}\n".encode())
        if value.startswith("@")
        else value
        for name, value in fields.items()
    }
    fresh.logout()
    answer = client.post(
        address.removeprefix("http://testserver"),
        sent,
        headers={**headers, "Authorization": f"Bearer {response.context['secret']}"},
    )
    assert answer.status_code == 202, answer.content
    assert (Pair if is_pair else Run).objects.filter(task=task, team__isnull=False).count() == 1


def test_page_without_any_task_has_no_example(fresh):
    response = fresh.get(URL)
    assert response.context["example"] is None
    assert "An example appears here" in response.content.decode()


def test_no_address_holds_a_secret(fresh):
    secret = fresh.post(URL, FORM).context["secret"]
    html = fresh.get(URL).content.decode()
    for address in re.findall(r'(?:href|src|action)="([^"]*)"', html):
        assert secret not in address


@pytest.mark.parametrize("tokens", [1, 12])
def test_queries_do_not_grow(fresh, user, tokens, django_assert_num_queries):
    for number in range(tokens):
        create_token(user, f"token {number}", ["read"], 90)
    # session, user, roles, tokens, teams, any task
    with django_assert_num_queries(6):
        fresh.get(URL)


def test_example_is_for_a_task_that_takes_runs_where_the_viewer_has_no_team(fresh):
    make.TaskFactory(is_paused=True)
    task = make.TaskFactory()
    assert fresh.get(URL).context["example"].task == task
