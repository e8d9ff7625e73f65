"""Every page in a browser: both themes, two widths, no console message, no axe violation."""

from __future__ import annotations

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client

from campaigns.models import Job, JobState, RunState
from tests.browser.scene import ENTRANCE, VISITOR_PAGES, build

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = {"wide": (1280, 900), "small": (390, 844)}
# Each width and each theme once; pictures are taken of all four.
LOOKS = [("wide", "light"), ("small", "dark")]
if os.environ.get("SCREENS"):
    LOOKS += [("wide", "dark"), ("small", "light")]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def _log_in(context, live_server, user) -> None:
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "url": live_server.url}]
    )


def _listen(page) -> list[str]:
    """Everything the console says, and every error of a script."""
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def _violations(page) -> list[str]:
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['target']})"
        for one in found.response["violations"]
    ]


def _scrolls_sideways(page) -> bool:
    return page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_pages_are_clean(browser, live_server, pictures, theme, size):
    width, height = SIZES[size]
    scene = build()
    faults: list[str] = []
    addresses = [("visitor", name, scene.pages[name]) for name in VISITOR_PAGES]
    addresses += [("visitor", name, path) for name, path in ENTRANCE.items()]
    addresses += [("member", name, path) for name, path in scene.pages.items()]
    for who in ("visitor", "member"):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme
        )
        if who == "member":
            _log_in(context, live_server, scene.member)
        page = context.new_page()
        said = _listen(page)
        for owner, name, path in addresses:
            if owner != who:
                continue
            page.goto(live_server.url + path)
            if pictures:
                page.screenshot(path=pictures / f"{name}-{who}-{width}-{theme}.png", full_page=True)
            if name == "not-found":
                said.clear()  # the browser reports the status itself
            place = f"{name} as {who}"
            faults += [f"{place}: {text}" for text in [*said, *_violations(page)]]
            if _scrolls_sideways(page):
                faults.append(f"{place}: scrolls sideways at {width} px")
            said.clear()
        context.close()
    assert faults == []


def test_rank_run_and_value_are_visible_on_a_small_screen(browser, live_server):
    scene = build()
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for name in ("task", "task-pairs"):
        page.goto(live_server.url + scene.pages[name])
        for row in page.locator(".board tbody tr").all():
            box = row.locator("td.lead, td.undef").first.bounding_box()
            last = row.locator("td").nth(1).bounding_box()
            assert box["x"] >= 0
            assert last["x"] + last["width"] <= 390, name
    page.close()


def test_run_page_tells_of_its_check_without_a_reload(browser, live_server):
    scene = build()
    context = browser.new_context()
    _log_in(context, live_server, scene.member)
    page = context.new_page()
    said = _listen(page)
    page.goto(live_server.url + scene.pages["run-checking"])
    page.evaluate("window.stillHere = true")
    assert page.locator("#live .badge").first.inner_text() == "Being checked"
    run = scene.checking
    Job.objects.filter(run=run).update(state=JobState.DONE)
    run.state, run.outcome, run.tag = RunState.REJECTED, "rejected", "tag-now-known"
    run.messages = [
        {"level": "error", "line": 3, "kind": "bad_score", "text": "Not a number.",
         "remedy": "Give a number.", "quoted": "101 Q0 d1 1 x demo"}
    ]  # fmt: skip
    run.save()
    page.get_by_text("Not a number.").wait_for()
    assert page.locator("#live .badge").first.inner_text() == "Not accepted"
    assert page.locator("h1").inner_text() == "tag-now-known"
    assert page.locator("#live-status").inner_text() == "Not accepted"
    assert page.locator("#live").get_attribute("hx-trigger") is None
    assert page.evaluate("window.stillHere") is True
    assert said == []
    context.close()


def test_theme_switch_is_kept_from_page_to_page(browser, live_server):
    scene = build()
    page = browser.new_page(color_scheme="light")
    page.goto(live_server.url + scene.pages["home"])
    button = page.get_by_role("button", name="Theme: system. Change theme")
    button.click()
    page.get_by_role("button", name="Theme: light. Change theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto(live_server.url + scene.pages["campaign"])
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 22, 27)"
    page.close()


def test_run_is_submitted_with_the_keyboard_and_without_scripts(browser, live_server, tmp_path):
    scene = build()
    context = browser.new_context(java_script_enabled=False)
    _log_in(context, live_server, scene.member)
    page = context.new_page()
    page.goto(live_server.url + scene.pages["submit"])
    page.get_by_role("button", name="Upload and check").press("Enter")
    assert "There is a problem" in page.get_by_role("alert").inner_text()
    file = tmp_path / "mine.run"
    file.write_bytes(b"101 Q0 d1 1 9.5 keyboard\n")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_label("Language of the queries").select_option("eng")
    page.get_by_role("button", name="Upload and check").press("Enter")
    assert "The run is stored." in page.locator("main").inner_text()
    assert page.locator("h1").inner_text() == "mine.run"
    context.close()
