"""The organizers' pages in a browser: both themes, three widths, no message, no axe violation."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.models import Job, JobState, Run, RunState, Upload, UploadState
from tests.browser.looking import faults_of_all, is_still_here, listen, log_in, stay
from tests.browser.organizer_scene import build

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def answers(monkeypatch):
    """There is no worker beside these tests to be asked."""
    monkeypatch.setattr("campaigns.views.organize.campaigns.answering_workers", lambda: ["one"])


@pytest.mark.parametrize("half", [0, 1])
def test_pages_of_organizers_are_clean(browser, live_server, pictures, half):
    desk = build()
    pages = dict(list(desk.pages.items())[half::2])
    context = browser.new_context()
    log_in(context, live_server, desk.organizer)
    page = context.new_page()
    assert faults_of_all(page, live_server.url, pages, pictures) == []
    page.goto(live_server.url + desk.pages["org-desk"])
    page.get_by_text("1 worker answered just now").wait_for()
    context.close()


def _page(browser, live_server, user, **more):
    context = browser.new_context(**more)
    log_in(context, live_server, user)
    page = context.new_page()
    return context, page, listen(page)


def test_report_of_an_upload_appears_without_a_reload(browser, live_server):
    desk = build()
    context, page, said = _page(browser, live_server, desk.organizer)
    page.goto(live_server.url + desk.pages["org-upload-moving"])
    stay(page)
    assert page.get_by_text("Waiting for a worker").is_visible()
    upload = Upload.objects.get(state=UploadState.CHECKING)
    upload.state, upload.facts = UploadState.TAKEN, {"documents": 3}
    upload.checked_at = upload.created_at
    upload.save()
    Job.objects.filter(upload=upload).update(state=JobState.DONE)
    page.get_by_text("No errors: the file is in use now").wait_for()
    assert page.locator("#upload-status").inner_text() == "taken"
    assert page.locator("#live").get_attribute("hx-trigger") is None
    assert is_still_here(page)
    assert said == []
    context.close()


def test_check_of_an_original_appears_and_leaves_chosen_files_alone(browser, live_server, tmp_path):
    desk = build()
    run = Run.objects.get(origin="original", role="baseline")
    run.state = RunState.CHECKING
    run.save()
    context, page, said = _page(browser, live_server, desk.organizer)
    page.goto(live_server.url + desk.pages["org-originals"])
    chosen = tmp_path / "chosen.run"
    chosen.write_text("1 Q0 a 1 9 t\n")
    page.locator("#file-later-baseline").set_input_files(chosen)
    side = page.locator("#side-wcrobust-baseline")
    assert "Being checked" in side.inner_text()
    run.state = RunState.ACCEPTED
    run.save()
    side.get_by_text("Accepted").wait_for()
    assert page.evaluate("document.querySelector('#file-later-baseline').files.length") == 1
    assert said == []
    context.close()


def test_measures_and_tags_are_previewed_while_they_are_typed(browser, live_server):
    desk = build()
    context, page, said = _page(browser, live_server, desk.organizer)
    page.goto(live_server.url + desk.pages["org-task"])
    page.get_by_label("Measures").fill("map\nndcg_cut_20\nnonsense@x")
    page.get_by_text("Unknown measure 'nonsense@x'").wait_for()
    preview = page.locator("#preview")
    assert "nDCG@20" in preview.inner_text()
    page.get_by_label("Try a tag").fill("not allowed!")
    page.get_by_text("The tag not allowed! is not taken.").wait_for()
    assert page.get_by_label("Measures").input_value().startswith("map")
    assert said == []
    context.close()


def test_dates_are_previewed_in_three_zones_while_they_are_typed(browser, live_server):
    desk = build()
    context, page, said = _page(
        browser, live_server, desk.organizer, timezone_id="Asia/Tokyo", locale="en-GB"
    )
    page.goto(live_server.url + desk.pages["org-plan"])
    page.locator("#id_closes").fill("2027-01-10T23:59:59")
    page.locator("#id_closes").blur()
    page.get_by_text("As it would be, not saved yet").wait_for()
    text = page.locator("#preview").inner_text()
    for part in ("Sun 10 Jan 2027, 23:59", "Mon 11 Jan 2027, 11:59", "Mon 11 Jan 2027, 20:59"):
        assert part in text, text
    assert said == []
    context.close()


def test_pages_are_seen_as_a_visitor_until_it_ends(browser, live_server):
    desk = build()
    context, page, said = _page(browser, live_server, desk.organizer)
    task = live_server.url + reverse("pages:task", args=[desk.campaign.slug, "persian-adhoc"])
    page.goto(task)
    assert page.locator("table.board").count() == 1
    page.goto(live_server.url + desk.pages["org-desk"])
    page.get_by_text("See as …").click()
    page.get_by_role("button", name="See as a visitor").click()
    page.goto(task)
    assert page.get_by_text("You see pages as a visitor").is_visible()
    assert page.locator("table.board").count() == 0
    page.get_by_role("button", name="See as yourself again").click()
    page.goto(task)
    assert page.locator("table.board").count() == 1
    assert said == []
    context.close()
