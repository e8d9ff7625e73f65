"""Participants in a browser: from an account to a score, and their pages in both themes."""

from __future__ import annotations

import re

import pytest

from campaigns.models import Membership, Run, Team
from campaigns.services.tokens import use_token
from tests.browser.looking import (
    faults_of,
    faults_of_all,
    is_still_here,
    listen,
    log_in,
    stay,
)
from tests.browser.scene import build, participant_pages
from tests.campaigns import factories as make
from tests.campaigns import pipeline

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = make.PASSWORD
TOPICS = ["101", "102"]
# Name of the team, name of the file, tag of the run.
HOSTILE = [
    ("<script>alert('t')</script>", "<img src=x onerror=alert(1)>.run", '<b>"x"\'&amp;</b>'),
    ('فريق 🚀 "البحث"', "عربي 🚀.run", "w" * 60),
]


@pytest.fixture
def task():
    made = make.TaskFactory(
        campaign__slug="open", campaign__title="Open <track> 2026", title="Rank \"all\" <b>",
        measures=["P@1"], primary="P@1", tag_pattern=r"^\S{1,60}$", rules={},
    )  # fmt: skip
    for position, topic in enumerate(TOPICS):
        make.TopicFactory(collection=made.collection, identifier=topic, position=position)
    pipeline.publish(made.collection, pipeline.qrels_text({"101": {"a": 1}, "102": {"b": 1}}))
    return made


class Person:
    """Somebody with a browser; what its console says is kept."""

    def __init__(self, browser, live_server) -> None:
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.said = listen(self.page)
        self.base = live_server.url
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def click(self, name: str, role: str = "button") -> None:
        self.page.locator("main").get_by_role(role, name=name).first.click()

    def sign_up(self, email: str) -> None:
        self.page.get_by_label("E-mail").fill(email)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_label(re.compile(r"Password \(again\)")).fill(PASSWORD)
        self.click("Sign up")

    def text(self) -> str:
        return self.page.locator("main").inner_text()

    def stay(self) -> None:
        """From here on a reload would be noticed."""
        stay(self.page)

    def is_still_here(self) -> bool:
        return is_still_here(self.page)


def upload(person: Person, name: str, content: bytes) -> None:
    person.page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content}
    )
    person.click("Upload and check")


@pytest.mark.parametrize(("team", "file", "tag"), HOSTILE, ids=["markup", "script"])
def test_from_an_account_to_a_score(browser, live_server, task, team, file, tag):
    first, second = Person(browser, live_server), Person(browser, live_server)
    page, other = first.page, second.page

    # The first person finds the campaign, gets an account and starts a team.
    first.go("/campaigns/open/")
    first.click("Take part", "link")
    first.click("Sign up", "link")
    first.sign_up("first@example.org")
    page.get_by_label("Name of the team").fill(team)
    first.click("Start the team")
    assert page.locator("h1").inner_text() == team
    first.click("Make a join link")
    link = page.get_by_label("Join link").input_value()
    page.get_by_role("button", name="Copy").wait_for()

    # The second one comes by the link.
    other.goto(link)
    assert other.url == live_server.url + "/join/"
    assert team in second.text()
    second.click("Sign up and join", "link")
    second.sign_up("second@example.org")
    second.click("Join the team")
    assert "You are in the team." in second.text()
    assert "first@example.org" in second.text()
    assert Membership.objects.filter(team=Team.objects.get(), left_at=None).count() == 2

    # A file that is refused at the door keeps the form and the chosen file, on the same page.
    second.go(f"/campaigns/open/tasks/{task.slug}/")
    second.click("Submit a run", "link")
    second.stay()
    upload(second, file, b"")
    other.get_by_role("alert").wait_for()
    assert "empty" in other.get_by_role("alert").inner_text()
    assert second.is_still_here()
    assert other.evaluate("document.querySelector('input[type=file]').files.length") == 1
    assert other.evaluate("document.activeElement.getAttribute('role')") == "alert"
    assert all("422" in text for text in second.said)  # the browser reports the status itself
    second.said.clear()

    # A bad run: its page tells of the check by itself.
    upload(second, file, f"101 Q0 a 1 high {tag}\n".encode())
    other.wait_for_url("**/runs/*/")
    assert other.locator("h1").inner_text() == file
    second.stay()
    pipeline.drain()
    other.get_by_text("Not accepted").first.wait_for()
    assert other.locator(".quote").inner_text().endswith(f"101 Q0 a 1 high {tag}")
    assert "Give the score as a decimal number" in second.text()
    assert second.is_still_here()

    # The mended run: checked, scored, on the board.
    second.go(f"/campaigns/open/tasks/{task.slug}/submit/")
    upload(second, file, pipeline.run_text({"101": ["a", "c"], "102": ["c", "b"]}, tag))
    other.wait_for_url("**/runs/*/")
    second.stay()
    pipeline.drain()
    other.get_by_text("Scored").first.wait_for()
    other.get_by_text(".5000").first.wait_for()
    assert other.locator("h1").inner_text() == tag
    assert second.is_still_here()
    assert Run.objects.get(state="scored").tag == tag

    # The first person sees it too, without having been told.
    first.go("/runs/")
    assert page.locator("tbody tr").filter(has_text=tag).count() == 2
    first.go("/runs/?state=scored")
    assert page.locator("tbody tr").filter(has_text=tag).count() == 1
    first.go(f"/campaigns/open/tasks/{task.slug}/")
    row = page.locator(".board tbody tr").filter(has_text=tag).first
    assert ".5000" in row.inner_text()
    first.go("/search/")
    page.get_by_role("searchbox").fill(tag)
    first.click("Search")
    assert page.get_by_role("link", name=tag, exact=True).count() == 2
    assert (first.said, second.said) == ([], [])
    first.context.close()
    second.context.close()


# Hand-worked on two topics with P@1: b scores 1/2 and a 1, as do b′ and a′, so ER is 1 and ΔRI 0.
WEAK, STRONG = {"101": ["a", "c"], "102": ["c", "b"]}, {"101": ["a", "c"], "102": ["b", "c"]}


def test_pair_goes_from_two_files_to_the_board_and_its_chart(browser, live_server):
    task = make.TaskFactory(
        campaign__slug="open", slug="again", same_collection=True, measures=["P@1"],
        primary="P@1", rules={},
    )  # fmt: skip
    for position, topic in enumerate(TOPICS):
        make.TopicFactory(collection=task.collection, identifier=topic, position=position)
    original = make.OriginalFactory(task=task, title="Lamp", slug="lamp")
    pipeline.add_original(original, "baseline", pipeline.run_text(WEAK, "old-b"))
    pipeline.add_original(original, "advanced", pipeline.run_text(STRONG, "old-a"))
    pipeline.publish(
        task.collection, pipeline.qrels_text({"101": {"a": 1}, "102": {"b": 1, "c": 0}})
    )
    pipeline.drain()
    person = Person(browser, live_server)
    page = person.page
    log_in(person.context, live_server, make.member_of(make.TeamFactory(campaign=task.campaign)))
    person.go("/campaigns/open/tasks/again/submit/")
    files = {"#id_baseline": (WEAK, "new-b"), "#id_advanced": (STRONG, "new-a")}
    for control, (rankings, tag) in files.items():
        page.locator(control).set_input_files(
            {
                "name": f"{tag}.run",
                "mimeType": "text/plain",
                "buffer": pipeline.run_text(rankings, tag),
            }
        )
    person.click("Upload and check")
    page.wait_for_url("**/pairs/*/")
    person.stay()
    assert page.locator("h1").inner_text() == "new-b.run / new-a.run"
    assert "Not compared yet" in person.text()
    pipeline.drain()
    page.get_by_text("Region").first.wait_for()
    assert page.locator("h1").inner_text() == "new-b / new-a"
    assert page.locator("#live-here").inner_text() == "new-b / new-a"
    effects = page.locator("table").filter(has_text="Original effect")
    assert "1.000" in effects.inner_text()
    assert person.is_still_here()

    person.click(task.title, "link")
    row = page.locator(".board tbody tr").filter(has_text="new-b / new-a")
    row.wait_for()
    page.get_by_text("Data of the chart").first.click()
    row.first.hover()
    page.locator(".ring").first.wait_for()
    assert "1.000" in page.locator(".effect-table tr[data-point]").first.inner_text()
    assert person.said == []
    person.context.close()


def test_token_is_made_copied_and_revoked(browser, live_server, task):
    person = Person(browser, live_server)
    page = person.page
    person.go("/accounts/signup/?next=/tokens/")
    person.sign_up("first@example.org")
    page.get_by_label("Name").fill("<b>lab</b>")
    person.click("Create token")
    if "/reauthenticate/" in page.url:
        page.get_by_label("Password").fill(PASSWORD)
        person.click("Go on")
    secret = page.get_by_label("Secret of the token")
    assert use_token(secret.input_value()).name == "<b>lab</b>"
    secret.focus()
    selected = "el => el.value.substring(el.selectionStart, el.selectionEnd)"
    assert secret.evaluate(selected) == secret.input_value()
    person.click("Copy")
    page.get_by_role("status").filter(has_text=re.compile("Copied|Selected")).wait_for()
    person.click("Revoke", "link")
    person.click("Revoke the token")
    assert "No active token" in person.text()
    assert person.said == []
    person.context.close()


def test_file_that_is_too_large_is_told_before_it_is_sent(browser, live_server, task):
    task.file_bytes = 100
    task.save()
    person = Person(browser, live_server)
    user = make.member_of(make.TeamFactory(campaign=task.campaign))
    log_in(person.context, live_server, user)
    person.go(f"/campaigns/open/tasks/{task.slug}/submit/")
    upload(person, "large.run", b"x" * 2000)
    person.page.get_by_text("Compress it with gzip").wait_for()
    assert person.page.get_by_role("button", name="Upload and check").is_enabled()
    assert person.said == []
    person.context.close()


def test_pages_of_participants_are_clean(browser, live_server, pictures):
    scene = build()
    pages = participant_pages(scene)
    context = browser.new_context()
    log_in(context, live_server, scene.member)
    page = context.new_page()
    faults = faults_of_all(page, live_server.url, pages, pictures)
    page.goto(live_server.url + pages["team"])
    page.get_by_role("button", name="Make a new link").click()
    page.get_by_label("Join link").wait_for()
    faults += faults_of(page, "team-link", pictures)
    context.close()
    assert faults == []
