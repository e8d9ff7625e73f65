"""Accounts in a browser: the pages of those who are not in yet, the second factor, and forms
without scripts and with the keyboard alone."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.urls import reverse

from campaigns.models import User
from tests.browser.looking import faults_of, faults_of_all, listen
from tests.browser.scene import account_pages
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = make.PASSWORD
# Pages that need somebody who has just given a password.
INSIDE = ("second-factor", "mfa_")


@pytest.fixture
def user():
    made = make.UserFactory(password=PASSWORD, email="ada@example.org")
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    return made


def log_in_by_form(page, base: str) -> None:
    page.goto(base + reverse("account_login"))
    page.get_by_label("E-mail").fill("ada@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda address: "/accounts/login/" not in address)


def test_pages_before_the_log_in_are_clean(browser, live_server, pictures, user):
    pages = account_pages(user)
    outside = {name: path for name, path in pages.items() if not name.startswith(INSIDE)}
    page = browser.new_page()
    faults = faults_of_all(page, live_server.url, outside, pictures)
    page.goto(live_server.url + pages["sign-up"])
    page.get_by_label("E-mail").fill("new@example.org")
    page.get_by_label("Password", exact=True).fill("123")
    page.get_by_label("Password (again)").fill("123")
    page.locator("main").get_by_role("button", name="Sign up").click()
    assert "too short" in page.locator("[role=alert]:focus").inner_text()
    faults += faults_of(page, "sign-up-errors", pictures)
    page.close()
    assert faults == []


def test_pages_of_the_second_factor_are_clean(browser, live_server, pictures, user):
    context = browser.new_context()
    page = context.new_page()
    said = listen(page)
    pages = account_pages(user)
    log_in_by_form(page, live_server.url)
    page.goto(live_server.url + pages["mfa_activate_totp"])
    faults = faults_of(page, "mfa-activate", pictures)
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    context.clear_cookies()
    log_in_by_form(page, live_server.url)
    faults += faults_of(page, "second-factor", pictures)
    code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
    page.get_by_label("Code").fill(code)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(live_server.url + "/")
    for name, path in pages.items():
        if name.startswith("mfa_") and name != "mfa_activate_totp":
            page.goto(live_server.url + path)
            faults += faults_of(page, name.replace("_", "-"), pictures)
    faults += said
    context.close()
    assert faults == []


def _typed(page, *texts: str) -> None:
    """Each text goes into the control that has the focus, then on with the tabulator."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Tab")


def test_account_team_and_log_out_with_the_keyboard_and_without_scripts(browser, live_server):
    task = make.TaskFactory(campaign__slug="open", campaign__title="Open track")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    base = live_server.url
    page.goto(base + reverse("account_signup"))
    page.locator("#id_email").focus()
    _typed(page, "keys@example.org", "1", "2")
    page.keyboard.press("Enter")  # the tabulator came to the button
    summary = page.get_by_role("alert")
    assert "too short" in summary.inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first link of the summary leads to its control
    page.locator("#id_password1:focus").wait_for()
    _typed(page, PASSWORD, PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(base + "/teams/")
    assert User.objects.filter(email="keys@example.org").exists()

    page.get_by_role("link", name="Start a team").press("Enter")
    page.get_by_label("Name of the team").focus()
    _typed(
        page,
        "Keyboard team",
        "",
    )
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Keyboard team").wait_for()
    page.get_by_role("button", name="Make a join link").press("Enter")
    page.get_by_label("Join link").wait_for()
    assert "/join/" in page.get_by_label("Join link").input_value()

    page.goto(base + reverse("account_logout"))
    page.locator("main").get_by_role("button", name="Log out").press("Enter")
    page.get_by_text("You are logged out.").wait_for()
    page.goto(base + reverse("account_reset_password"))
    page.locator("#id_email").focus()
    _typed(page, "keys@example.org")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Look into your mail").wait_for()
    link = re.search(r"http://\S+/password/reset/key/\S+", mail.outbox[-1].body)[0]
    page.goto(link)
    page.locator("#id_password1").focus()
    _typed(page, "another-Long-phrase-9", "another-Long-phrase-9")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="The password is changed").wait_for()
    assert task.campaign.teams.get().name == "Keyboard team"
    context.close()
