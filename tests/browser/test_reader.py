"""The story of a reader: home, chart, point, table, run, passport, and a board that stays put."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Run
from tests.browser.looking import is_still_here, listen, stay
from tests.browser.scene import build
from tests.browser.test_charts import drawn, open_page  # noqa: F401 (fixtures)

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_home_to_the_passport_of_a_run(open_page, drawn):  # noqa: F811
    page = open_page("/")
    page.get_by_role("link", name="Open the chart and the board").click()
    page.wait_for_url("**/tasks/**#effect")
    page.locator(".plot .scatterlayer").first.wait_for(state="attached")
    figure = page.locator("figure, .plotly-chart").first
    assert figure.evaluate("one => one.getBoundingClientRect().top < innerHeight")

    # A point says what it is, its row in the table the same, and a click opens the pair.
    mark = page.locator(".scatterlayer .trace").first.locator(".points path").first
    mark.hover(force=True)
    assert "1.250" in page.locator(".hovercard").inner_text()
    page.mouse.move(5, 5)
    page.get_by_text("Data of the chart").first.click()
    row = page.locator(".effect-table tr[data-point='0']")
    assert "1.250" in row.inner_text()
    mark.click(force=True)
    page.wait_for_url(f"**{reverse('pages:pair', args=[drawn.pairs[0].pk])}")
    assert "1.250" in page.locator("main").inner_text()

    # From the pair to its run, and to how its numbers were made.
    page.locator("main table").get_by_role("link").first.click()
    page.wait_for_url(f"**{drawn.run}")
    passport = page.locator("details").filter(has=page.get_by_text("Measure passport"))
    assert passport.get_attribute("open") is None
    page.get_by_text("Measure passport").press("Enter")
    said = passport.inner_text()
    for part in ("AP", "P@10", "qrels"):
        assert part in said, said


def test_row_that_is_touched_before_the_chart_is_drawn_is_marked_once_it_is(
    browser,
    live_server,
    drawn,  # noqa: F811
):
    page = browser.new_page()
    said = listen(page)
    held = []
    page.route("**/plotly*.js", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(live_server.url + drawn.board, wait_until="domcontentloaded")
    page.locator(".board tbody tr").first.hover()
    page.locator(".board tr.lit").first.wait_for()
    assert page.locator(".ring").count() == 0
    held[0].continue_()
    page.locator(".ring").first.wait_for()
    assert said == []
    page.close()


def test_board_sorts_and_filters_without_a_reload(browser, live_server):
    scene = build()
    page = browser.new_page()
    said = listen(page)
    page.goto(live_server.url + scene.pages["task"])
    stay(page)
    best = page.locator(".board tbody tr").first.inner_text()
    assert page.locator(".board th[aria-sort]").inner_text() == "nDCG@10"

    # The same link again turns the order round; the focus stays on it, and it is announced.
    link = page.locator(".board thead a").filter(has_text=re.compile("^AP$"))
    link.focus()
    for order, words in (
        ("descending", "sorted by AP."),
        ("ascending", "sorted by AP, turned round."),
    ):
        page.keyboard.press("Enter")
        page.locator(f".board th[aria-sort={order}]").filter(has_text="AP").wait_for()
        assert page.locator(".board th[aria-sort]").count() == 1
        assert page.evaluate("document.activeElement.textContent") == "AP"
        assert page.locator("#board-status").inner_text() == f"17 runs, {words}"
    assert page.locator(".board tbody tr").first.inner_text() != best
    assert "sort=" in page.url

    # A filter keeps the focus on its button and says how much is left.
    page.get_by_label("One run per team").check()
    page.get_by_role("button", name="Apply").press("Enter")
    page.get_by_text("left; ranks are those of the whole board").wait_for()
    assert page.evaluate("document.activeElement.id") == "filter-apply"
    rows = page.locator(".board tbody tr").count()
    assert 0 < rows < Run.objects.filter(task__slug="persian-adhoc").count()
    assert str(rows) in page.locator("#board-status").inner_text()
    page.get_by_role("link", name="Show all").click()
    page.get_by_text("left; ranks are those of the whole board").wait_for(state="detached")
    assert is_still_here(page)
    assert said == []
    page.close()


def test_export_menu_closes_by_escape_and_by_a_click_elsewhere(browser, live_server):
    scene = build()
    page = browser.new_page()
    said = listen(page)
    page.goto(live_server.url + scene.pages["task"])
    menu = page.locator("details.menu").filter(has=page.get_by_text("Export"))
    menu.locator("summary").press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    menu.locator("summary").click()
    page.locator("h1").click()
    expect(menu).not_to_have_attribute("open", "")
    assert said == []
    page.close()
