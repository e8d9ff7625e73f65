"""Every page in a browser: both themes, three widths, no console message, no axe violation."""

from __future__ import annotations

import pytest
from django.shortcuts import render
from django.urls import get_resolver, include, path, resolve

from campaigns.models import (
    ApiToken,
    BoardColumn,
    Campaign,
    Job,
    JobState,
    Original,
    Pair,
    Run,
    RunState,
    StoredFile,
    System,
    Task,
    Team,
    User,
)  # fmt: skip
from tests.browser import organizer_scene
from tests.browser.looking import (
    NARROW,
    SMALL,
    WIDE,
    faults_of_all,
    is_still_here,
    listen,
    log_in,
    scrolls_sideways,
    show,
    stay,
)
from tests.browser.scene import VISITOR_PAGES, account_pages, build, participant_pages

pytestmark = pytest.mark.django_db(transaction=True)

ERRORS = (400, 403, 404, 405, 413, 429, 500)
# Addresses that are no pages to look at.
NO_PAGES = {
    # answers of programs, files and fragments
    "healthz", "readyz", "robots", "favicon", "pages:deadlines", "pages:task-file",
    "api-task-file",
    "api-schema", "api-me", "api-receipts",
    "api-campaigns", "api-campaign", "api-task", "api-runs", "api-pairs", "api-leaderboard",
    "api-effects", "api-run", "api-run-topics", "api-run-file", "api-run-withdraw", "api-pair",
    "mfa_download_recovery_codes", "pages:run-live", "pages:run-file", "pages:run-receipt",
    "pages:pair-live", "organize:workers", "organize:upload-live", "organize:task-preview",
    "organize:plan-preview",
    # buttons, which lead to a page above
    "pages:run-withdraw", "pages:run-retry", "participants:contact",
    "participants:log-out-elsewhere", "participants:invitation", "organize:see-as-oneself",
    "organize:bring-campaign-back", "organize:bring-task-back", "organize:see-as",
    "organize:remove-person", "organize:upload-again",
    "organize:upload-to-collection", "organize:upload-to-task", "organize:original-run",
    "organize:own-team", "organize:remove-from-team", "organize:retry-failed",
    "organize:act-on-run",
    # where the link of a team leads
    "participants:join",
    # not switched on: they lead elsewhere
    "account_request_reauthentication_code", "account_confirm_reauthentication_code",
    "account_confirm_login_code", "account_set_password",
    # Swagger UI, which has a test of its own
    "api-docs",
}  # fmt: skip


def _names(resolver, space=""):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            if pattern.namespace != "admin":
                yield from _names(pattern, space + inner)
        elif pattern.name:
            yield space + pattern.name


def test_every_page_is_looked_at(rf):
    scene = build()
    looked = scene.pages | participant_pages(scene) | account_pages(scene.member)
    looked |= organizer_scene.build().pages
    seen = {resolve(one.partition("?")[0]).view_name for one in looked.values() if one != NOWHERE}
    names = set(_names(get_resolver()))
    assert names - NO_PAGES - seen == set()
    assert NO_PAGES - names == set()
    assert NO_PAGES & seen == set()


NOWHERE = "/nowhere/"


@pytest.mark.parametrize("who", ["visitor", "member"])
def test_pages_are_clean(browser, live_server, pictures, who):
    scene = build()
    pages = {name: scene.pages[name] for name in VISITOR_PAGES} if who == "visitor" else scene.pages
    context = browser.new_context()
    if who == "member":
        log_in(context, live_server, scene.member)
    faults = faults_of_all(context.new_page(), live_server.url, pages, pictures, f"-{who}")
    context.close()
    assert faults == []


def test_pages_of_errors_are_clean(browser, live_server, pictures, settings):
    settings.ROOT_URLCONF = __name__
    pages = {f"error-{status}": f"/errors/{status}/" for status in ERRORS}
    page = browser.new_page()
    assert faults_of_all(page, live_server.url, pages, pictures) == []
    page.close()


def _error(request, status):
    return render(request, f"{status}.html", status=status)


urlpatterns = [path("errors/<int:status>/", _error), path("", include("config.urls"))]


HOSTILE = "<img src=x onerror=alert(1)>\"'& مرحبا 🚀 " + "w" * 60
TOUCHED = (
    "home", "campaign", "task", "task-pairs", "pair", "compare", "submit", "my-runs",
    "run-scored", "run-rejected", "run-checking", "run-compared", "teams", "team", "team-leave",
    "team-remove", "tokens", "token-revoke", "profile", "search",
)  # fmt: skip


def test_hostile_names_stay_text_and_fit(browser, live_server, pictures):
    scene = build()
    pages = scene.pages | participant_pages(scene)
    Campaign.objects.update(title=HOSTILE, summary=HOSTILE)
    Task.objects.update(title=HOSTILE, summary=HOSTILE)
    Team.objects.update(name=HOSTILE, affiliation=HOSTILE)
    Original.objects.update(title=HOSTILE)
    Pair.objects.update(title=HOSTILE, family="f" * 60)
    Run.objects.exclude(tag="").update(tag="t" * 60)
    StoredFile.objects.update(name=HOSTILE + ".run")
    System.objects.update(name=HOSTILE)
    ApiToken.objects.update(name=HOSTILE)
    User.objects.update(name=HOSTILE)
    context = browser.new_context()
    log_in(context, live_server, scene.member)
    page = context.new_page()
    said = listen(page)
    wide = []
    for name in TOUCHED:
        page.goto(live_server.url + pages[name])
        assert page.locator("main img").count() == 0, name
        for size in (WIDE, SMALL, NARROW):
            show(page, size, "light")
            if scrolls_sideways(page):
                wide.append((name, size[0]))
            if pictures:
                picture = pictures / f"hostile-{name}-{size[0]}-light.png"
                page.screenshot(path=picture, full_page=True)
    assert wide == []
    assert said == []
    context.close()


def test_rank_run_and_value_are_visible_on_a_small_screen(browser, live_server):
    scene = build()
    longest = BoardColumn.objects.filter(is_primary=True, board__subject="runs")
    assert longest.update(label="nDCG(ideal='pool')@10")
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
    log_in(context, live_server, scene.member)
    page = context.new_page()
    said = listen(page)
    page.goto(live_server.url + scene.pages["run-checking"])
    stay(page)
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
    assert is_still_here(page)
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
    log_in(context, live_server, scene.member)
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
