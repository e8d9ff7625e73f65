"""Accounts: our look everywhere, the same answer for known and unknown, limits on tries."""

import re

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import User
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

PASSWORD = make.PASSWORD
LOCAL = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


@pytest.fixture
def user():
    made = make.UserFactory(password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    return made


@pytest.fixture
def fresh(client, user):
    """A browser whose owner has just given the password, twice where it is asked for."""
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def in_our_look(response):
    html = response.content.decode()
    assert response.status_code == 200
    assert "css/base.css" in html
    assert html.count("<h1>") == 1
    assert " style=" not in html
    assert "onclick" not in html
    return html


@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "account_reset_password_done",
     "account_reset_password_from_key_done", "account_inactive",
     "account_email_verification_sent"],
)  # fmt: skip
def test_pages_of_visitors(client, name):
    in_our_look(client.get(reverse(name)))


@pytest.mark.parametrize(
    "name",
    ["participants:profile", "account_email", "account_change_password", "account_logout",
     "account_reauthenticate", "mfa_index", "mfa_activate_totp"],
)  # fmt: skip
def test_pages_of_people(fresh, name):
    in_our_look(fresh.get(reverse(name)))


def _code(client):
    secret = client.session["mfa.totp.secret"]
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


def test_second_factor_is_set_up_used_and_turned_off(fresh, user):
    fresh.get(reverse("mfa_activate_totp"))
    done = fresh.post(reverse("mfa_activate_totp"), {"code": _code(fresh)}, follow=True)
    in_our_look(done)
    for name in ("mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
                 "mfa_deactivate_totp", "mfa_reauthenticate"):  # fmt: skip
        in_our_look(fresh.get(reverse(name)))
    codes = re.findall(r"\b\d{8}\b", fresh.get(reverse("mfa_view_recovery_codes")).content.decode())
    assert len(codes) == 10
    other = Client()
    asked = other.post("/accounts/login/", {"login": user.email, "password": PASSWORD}, follow=True)
    assert "second factor" in in_our_look(asked)
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert other.get("/profile/").status_code == 200
    fresh.post(reverse("mfa_deactivate_totp"))
    assert "Set up" in fresh.get(reverse("mfa_index")).content.decode()


def test_password_is_reset_by_the_link_in_the_mail(client, user):
    client.post(reverse("account_reset_password"), {"email": user.email})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[0].body)[1]
    form = client.get(link, follow=True)
    in_our_look(form)
    address = form.redirect_chain[-1][0]
    new = "another horse battery staple"
    in_our_look(client.post(address, {"password1": new, "password2": new}, follow=True))
    user.refresh_from_db()
    assert user.check_password(new)
    assert "does not work any more" in in_our_look(Client().get(link, follow=True))


def test_known_and_unknown_addresses_get_the_same_answer_on_reset(client, user):
    answers = [
        client.post(reverse("account_reset_password"), {"email": email}, follow=True)
        for email in (user.email, "nobody@example.org")
    ]
    texts = [re.sub(r'value="[^"]*"', "", one.content.decode()) for one in answers]
    assert texts[0] == texts[1]


def test_known_and_unknown_addresses_get_the_same_answer_on_sign_up(user, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    texts = []
    for email in (user.email, "new@example.org"):
        form = {"email": email, "password1": PASSWORD, "password2": PASSWORD}
        answer = Client().post(reverse("account_signup"), form, follow=True)
        texts.append(answer.content.decode().replace(email, "ADDRESS"))
    assert texts[0] == texts[1]
    assert User.objects.filter(email=user.email).count() == 1
    assert [message.to for message in mail.outbox] == [[user.email], ["new@example.org"]]


def test_address_is_confirmed_by_the_link_in_the_mail(client, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    form = {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), form)
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[0].body)[1]
    assert "new@example.org" in in_our_look(client.get(link))
    client.post(link)
    assert EmailAddress.objects.get(email="new@example.org").verified
    assert "does not work any more" in in_our_look(client.get("/accounts/confirm-email/nonsense/"))


def test_tries_are_limited(client, user, settings):
    settings.CACHES = LOCAL
    wrong = {"login": user.email, "password": "wrong"}
    statuses = [client.post("/accounts/login/", wrong).status_code for _ in range(12)]
    right = client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert right.status_code != 302
    assert statuses[0] == 200
    resets = [
        client.post(reverse("account_reset_password"), {"email": f"p{n}@example.org"}).status_code
        for n in range(22)
    ]
    assert resets[0] == 302
    assert resets[-1] == 429
    page = client.post(reverse("account_reset_password"), {"email": "p@example.org"})
    assert "Error 429" in page.content.decode()


def test_name_is_changed_and_odd_names_are_shown_as_text(fresh, user):
    fresh.post("/profile/", {"name": "  <b>Ada</b>\t'x'  "})
    user.refresh_from_db()
    assert user.name == "<b>Ada</b> 'x'"
    html = fresh.get("/profile/").content.decode()
    assert "<b>Ada</b>" not in html
    assert fresh.post("/profile/", {"name": "a\x07b"}).status_code == 422


def test_other_browsers_are_logged_out(fresh, user):
    other, stranger = Client(), Client()
    other.force_login(user)
    stranger.force_login(make.UserFactory())
    answer = fresh.post("/profile/log-out-elsewhere/", follow=True)
    assert "Logged out of 1 other browser." in answer.content.decode()
    assert other.get("/profile/").status_code == 302
    assert fresh.get("/profile/").status_code == 200
    assert stranger.get("/profile/").status_code == 200


def test_people_behind_a_proxy_have_limits_of_their_own(client, settings):
    settings.CACHES = LOCAL
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def ask(number, address):
        return client.post(
            reverse("account_reset_password"),
            {"email": f"q{number}@example.org"},
            headers={"X-Forwarded-For": address},
        ).status_code

    assert [ask(number, "203.0.113.7") for number in range(22)][-1] == 429
    assert ask(100, "203.0.113.8") == 302


def test_form_without_its_token_is_told_in_our_look(user):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user)
    response = strict.post("/profile/", {"name": "x"})
    assert response.status_code == 403
    html = response.content.decode()
    assert "This form is too old" in html
    assert "css/base.css" in html
    assert "<style" not in html


def test_new_account_is_led_to_the_campaigns_that_take_runs(client):
    task = make.TaskFactory(campaign__title="Takes runs")
    make.TaskFactory(campaign__title="Paused", is_paused=True)
    form = {"email": "new@example.org", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post(reverse("account_signup"), form, follow=True)
    assert answer.redirect_chain[-1][0] == "/teams/"
    assert answer.context["open_campaigns"] == [task.campaign]
    html = answer.content.decode()
    assert reverse("participants:new-team", args=[task.campaign.slug]) in html
    assert "A link that confirms your address is on its way to new@example.org." in html


def test_labels_are_ours_and_no_placeholder_repeats_them(client):
    html = in_our_look(client.get(reverse("account_signup")))
    assert "placeholder" not in html
    assert ">E-mail</label>" in html
    answer = client.post(reverse("account_signup"), {"email": "n@example.org", "password1": "1"})
    html = answer.content.decode()
    assert 'role="alert" tabindex="-1" autofocus' in html
    assert "Password: This password is too short" in html
    assert "At least 8 characters." in html


MAILS = {
    "account/email/email_confirmation": ["HTTP-LINK"],
    "account/email/email_confirmation_signup": ["HTTP-LINK"],
    "account/email/password_reset_key": ["HTTP-RESET"],
    "account/email/account_already_exists": ["HTTP-RESET", "a&b@example.org"],
    "account/email/unknown_account": ["HTTP-SIGNUP", "a&b@example.org"],
    "account/email/email_changed": ["old@example.org", "a&b@example.org"],
    "account/email/email_confirm": ["is confirmed"],
    "account/email/email_deleted": ["gone@example.org"],
    "account/email/password_changed": ["was changed"],
    "account/email/password_reset": ["was set anew"],
    "account/email/password_set": ["was set"],
    "mfa/email/recovery_codes_generated": ["no longer work"],
    "mfa/email/totp_activated": ["asks for its code"],
    "mfa/email/totp_deactivated": ["alone opens it"],
}


@pytest.mark.parametrize("name", MAILS)
def test_mail_says_what_happened_in_our_words(rf, name):
    context = {
        "activate_url": "HTTP-LINK", "password_reset_url": "HTTP-RESET",
        "signup_url": "HTTP-SIGNUP", "from_email": "old@example.org",
        "to_email": "a&b@example.org", "deleted_email": "gone@example.org",
        "ip": "192.0.2.1", "user_agent": "Browser <1>", "timestamp": timezone.now(),
    }  # fmt: skip
    request = rf.get("/")
    with allauth_context.request_context(request):
        get_adapter(request).send_mail(name, "a&b@example.org", context)
    sent = mail.outbox[0]
    assert sent.subject.startswith("[Centreboard] ")
    assert sent.body.startswith("Hello,\n\n")
    assert sent.body.endswith("Centreboard at testserver")
    for part in MAILS[name]:
        assert part in sent.body
    assert max(len(line) for line in sent.body.splitlines()) <= 100
    assert "\n\n\n" not in sent.body
    is_change = "The change came from" in sent.body
    assert is_change == ("HTTP" not in "".join(MAILS[name]))
    if is_change:
        assert "Browser <1>" in sent.body
        assert "http://testserver/accounts/password/reset/" in sent.body


def test_actions_on_addresses_are_offered_only_where_they_do_something(fresh, user):
    html = in_our_look(fresh.get(reverse("account_email")))
    for action in ("action_primary", "action_send", "action_remove"):
        assert action not in html
    EmailAddress.objects.create(user=user, email="second@example.org", verified=False)
    html = in_our_look(fresh.get(reverse("account_email")))
    for action in ("action_primary", "action_send", "action_remove"):
        assert action in html


@pytest.mark.parametrize("backend", ["filebased", "smtp"])
def test_waiting_for_a_mail_is_no_dead_end(client, settings, backend):
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
    html = in_our_look(client.get(reverse("account_reset_password_done")))
    assert reverse("account_reset_password") in html
    assert ("No mail server is configured here" in html) == (backend == "filebased")
