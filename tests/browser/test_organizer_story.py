"""An organizer in a browser: a campaign from nothing to released results, live where it moves."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.models import Role, Task
from tests.browser.looking import NARROW, SMALL, WIDE, is_still_here, scrolls_sideways, show, stay
from tests.browser.organizer_scene import build
from tests.browser.test_organizer_pages import _page
from tests.campaigns import factories as make
from tests.campaigns.pipeline import drain

pytestmark = pytest.mark.django_db(transaction=True)

TOPICS = "1\tone\n2\ttwo\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
RUN = "1 Q0 a 1 9 base\n2 Q0 x 1 9 base\n2 Q0 c 2 8 base\n"


@pytest.fixture
def files(tmp_path):
    made = {"topics": TOPICS, "qrels": QRELS, "bad": "1 0 a\n2 0 c x\n", "run": RUN}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(autouse=True)
def answers(monkeypatch):
    """There is no worker beside these tests to be asked."""
    monkeypatch.setattr("campaigns.views.organize.campaigns.answering_workers", list)


def _send(page, name, file):
    page.locator(f"#{name}-file").set_input_files(file)
    page.wait_for_load_state()  # the script that shows the progress has been loaded
    page.locator(f"form:has(#{name}-file) button[type=submit]").click()
    page.wait_for_url("**/uploads/**")
    stay(page)


def _arrives(page, text):
    """What a worker finds out appears without a reload."""
    drain()
    page.get_by_text(text).wait_for(timeout=10_000)
    assert is_still_here(page)


def test_campaign_from_nothing_to_released_results(browser, live_server, files):
    user = make.UserFactory(name="Olive", is_active=True)
    context, page, said = _page(browser, live_server, user)
    page.goto(f"{live_server.url}/")
    page.get_by_role("link", name="Organize").click()
    page.get_by_role("link", name="Create a campaign").click()
    page.get_by_label("Title").fill("Example track")
    page.get_by_label("Short name").fill("track")
    page.get_by_role("button", name="Create the campaign").click()
    page.get_by_role("link", name="Create a collection").click()
    page.get_by_label("Title").fill("News")
    page.get_by_label("Short name").fill("news")
    page.get_by_role("button", name="Create the collection").click()
    collection = page.url
    _send(page, "topics", files / "topics")
    _arrives(page, "No errors: the file is in use now")
    page.goto(collection)
    _send(page, "qrels", files / "bad")
    _arrives(page, "Not taken: 2 kinds of error")
    assert page.get_by_text("Remedy.").count() == 2
    page.get_by_role("link", name="Tasks").click()
    page.locator("a[href*='kind=ranking']").click()
    page.get_by_label("Title").fill("Ad hoc")
    page.get_by_label("Short name").fill("adhoc")
    page.get_by_label("Measures").fill("map\nP@10")
    page.get_by_role("button", name="Create the task").click()
    page.get_by_label("Paused").uncheck()
    page.locator("#id_closes").fill("2031-01-01T23:59:59")
    page.get_by_role("button", name="Save dates and switches").click()
    page.get_by_text("Dates and switches are saved.").wait_for()
    page.get_by_label("Organizer’s pages").get_by_role("link", name="Teams").click()
    page.get_by_role("button", name="Make the organizers’ own team").click()
    task = reverse("pages:task", args=["track", "adhoc"])
    page.goto(live_server.url + task + "submit/")
    page.locator("input[type=file]").set_input_files(files / "run")
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/runs/**")
    drain()
    page.goto(collection)
    _send(page, "qrels", files / "qrels")
    _arrives(page, "No errors: this is version 1 now")
    page.get_by_role("link", name="Look and publish").click()
    page.get_by_role("button", name="Publish v1").click()
    stay(page)
    assert page.get_by_text("0 of 1").is_visible()
    _arrives(page, "Nothing is under way.")
    assert page.get_by_text("1 of 1").is_visible()
    visitor = browser.new_page()
    visitor.goto(live_server.url + task)
    assert visitor.locator("table.board").count() == 0
    page.goto(live_server.url + reverse("organize:plan", args=["track", "adhoc"]))
    page.locator("#id_scores").select_option("always")
    page.get_by_role("button", name="Save dates and switches").click()
    page.get_by_text("Dates and switches are saved.").wait_for()
    visitor.goto(live_server.url + task)
    row = visitor.locator("table.board tbody tr").inner_text()
    assert "base" in row
    assert ".7500" in row  # AP of topic 1 is 1, of topic 2 one half
    visitor.close()
    assert said == []
    context.close()


def test_campaign_is_made_with_the_keyboard_and_without_scripts(browser, live_server, files):
    user = make.UserFactory(name="Olive", is_active=True)
    context, page, said = _page(browser, live_server, user, java_script_enabled=False)

    def press(name: str) -> None:
        page.locator("main").get_by_role("button", name=name).press("Enter")

    page.goto(live_server.url + reverse("organize:new-campaign"))
    press("Create the campaign")
    page.get_by_role("alert").get_by_text("Title: This field is required.").wait_for()
    said.clear()  # the browser reports the status itself
    page.get_by_label("Title").fill("Example track")
    page.get_by_label("Short name").fill("track")
    press("Create the campaign")
    page.get_by_role("link", name="Create a collection").press("Enter")
    page.get_by_label("Title").fill("News")
    page.get_by_label("Short name").fill("news")
    press("Create the collection")
    page.locator("#qrels-file").set_input_files(files / "qrels")
    page.locator("form:has(#qrels-file) button[type=submit]").press("Enter")
    page.get_by_text("Waiting for a worker").wait_for()
    drain()
    page.get_by_role("link", name="Look and publish").press("Enter")  # the page looks by itself
    press("Publish v1")
    page.get_by_text("Version 1 is published.").wait_for()

    page.goto(live_server.url + reverse("organize:new-task", args=["track"]) + "?kind=ranking")
    page.get_by_label("Title").fill("Ad hoc")
    page.get_by_label("Short name").fill("adhoc")
    page.get_by_label("Measures").fill("nonsense@x")
    press("Preview without saving")
    page.locator("#preview").get_by_text("Unknown measure 'nonsense@x'").wait_for()
    assert not Task.objects.exists()
    page.get_by_label("Measures").fill("map")
    press("Create the task")
    page.get_by_label("Paused").uncheck()
    page.locator("#id_scores").select_option("always")
    press("Save dates and switches")
    page.get_by_text("Dates and switches are saved.").wait_for()
    task = Task.objects.get()
    assert (task.measures, task.is_paused) == (["AP"], False)

    page.goto(live_server.url + reverse("organize:delete-task", args=["track", "adhoc"]))
    page.get_by_label("Type adhoc to confirm").fill("adhoc")
    press("Delete the task")
    press("Bring back Ad hoc")
    page.get_by_text("Ad hoc is back as it was.").wait_for()
    assert said == []
    context.close()


HOSTILE = "<img src=x onerror=alert(1)>\"'\u202eevil\U0001f600 مرحبا"


def test_hostile_names_stay_text_and_fit(browser, live_server, pictures):
    desk = build()
    campaign = desk.campaign
    campaign.title = HOSTILE
    campaign.save()
    for rows in (campaign.tasks.all(), campaign.collections.all()):
        rows.update(title=HOSTILE)
    campaign.teams.update(name=HOSTILE, affiliation=HOSTILE)
    Task.objects.update(fields=[{"name": "q", "type": "text", "label": HOSTILE, "help": HOSTILE}])
    desk.organizer.name = HOSTILE
    desk.organizer.save()
    for task in campaign.tasks.all():
        task.runs.update(tag="a" * 60, disqualified_reason=HOSTILE)
        task.originals.update(title=HOSTILE, paper=HOSTILE)
    campaign.uploads.update(reason=HOSTILE)
    for upload in campaign.uploads.all():
        upload.file.name = HOSTILE
        upload.file.save()
    campaign.audit.update(reason=HOSTILE, target=HOSTILE)
    assert campaign.roles.filter(role=Role.OWNER).exists()
    context, page, said = _page(browser, live_server, desk.organizer)
    wide = []
    for name, path in desk.pages.items():
        page.goto(live_server.url + path)
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
