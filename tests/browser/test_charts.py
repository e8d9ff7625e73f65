"""Charts in a browser: card, linked rows, keyboard, themes, no message of the policy."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns import recipes
from campaigns.models import Effect, Evaluation, RunState
from tests.browser.looking import listen, scrolls_sideways, violations
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_pairs, recipe_row

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = ".scatterlayer .points path"
HOSTILE = "<img src=x onerror=alert(1)>“'&ראש😀"
# Pair -> measure -> ER, ΔRI. The third lies outside the window by AP.
VALUES = [
    {"AP": (1.25, -0.02), "P@10": (1.0, 0.01)},
    {"AP": (0.9, 0.05), "P@10": (0.8, 0.03)},
    {"AP": (0.6, -6.5), "P@10": (0.7, 0.04)},
]


@dataclass
class Drawn:
    """Addresses of pages with a chart."""

    board: str
    run: str
    pairs: list[Any]


@pytest.fixture
def drawn() -> Drawn:
    task = make.TaskFactory(same_collection=True, measures=["AP", "P@10"], primary="AP")
    original = make.original_pair(task)
    world = fill_pairs(task, original)
    team = world.rows[0].pair.team
    for step, (row, values) in enumerate(zip(world.rows, VALUES, strict=True), start=1):
        row.pair.team, row.pair.family_order = team, step
        row.pair.save()
        for measure, (ratio, delta) in values.items():
            _effect(row.pair, world.board, measure, ratio, delta)
    runs_board = make.BoardFactory(
        task=task, original=original, slug="runs", qrels=world.board.qrels, number=1
    )
    own, source = world.rows[0].pair.baseline, original.runs.get(role="baseline", team=None)
    own.state = RunState.SCORED
    own.save()
    for run, values in ((own, (0.75, 0.25)), (source, (0.5, 0.5))):
        for measure in task.measures:
            Evaluation.objects.create(
                run=run, qrels=runs_board.qrels, mean=0.5, topics_averaged=2,
                recipe=recipe_row(recipes.evaluation_recipe(task, measure)),
                topic_order=runs_board.qrels.topic_order, topic_values=make.packed(*values),
            )  # fmt: skip
    return Drawn(world.url, reverse("pages:run", args=[own.pk]), [r.pair for r in world.rows])


def _effect(pair: Any, board: Any, measure: str, ratio: float, delta: float) -> None:
    Effect.objects.create(
        pair=pair, qrels=board.qrels, original_qrels=board.qrels,
        recipe=recipe_row(recipes.effect_recipe(pair.task, measure)),
        effect_ratio=ratio, delta_ri=delta, region=1 if delta > 0 else 4,
        distance=((1 - ratio) ** 2 + delta**2) ** 0.5,
        relative_improvement_original=0.2, relative_improvement_submitted=0.2 - delta,
        original_effect_p=0.001,
    )  # fmt: skip


@pytest.fixture
def open_page(browser, live_server):
    """Opens a page and waits for its chart; nothing may have been said on the console."""
    contexts, said = [], []

    def open_(path: str, width: int = 1280, theme: str = "light", **more: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, **more
        )
        contexts.append(context)
        page = context.new_page()
        said.append(listen(page))
        page.goto(live_server.url + path)
        if more.get("java_script_enabled", True):
            page.locator(".plot .scatterlayer, .plot .barlayer").first.wait_for(state="attached")
        return page

    yield open_
    assert [text for one in said for text in one] == []
    for context in contexts:
        context.close()


def _to_point(page: Any, trace: int, place: int) -> None:
    mark = page.locator(".scatterlayer .trace").nth(trace).locator(".points path").nth(place)
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _card(page: Any) -> dict[str, str]:
    card = page.locator(".hovercard")
    card.wait_for()
    facts = card.locator("dl > div").all()
    return {one.locator("dt").inner_text(): one.locator("dd").inner_text() for one in facts}


def test_card_of_a_point_has_its_numbers(open_page, drawn):
    page = open_page(drawn.board)
    _to_point(page, 0, 0)
    card = _card(page)
    assert page.locator(".hovercard .head").inner_text().split("\n") == ["pair-0", "AP"]
    assert card["ER"] == "1.250"
    assert card["ΔRI"] == "−0.020"
    assert card["RI original"] == "+0.200"
    assert card["RI submitted"] == "+0.220"
    assert card["Region"] == "4"
    assert card["Distance"] == "0.251"
    # Its rows stand out: the one of the pair on the board, and its own in the chart's table.
    assert page.locator(".board tr.lit th a").all_inner_texts() == ["pair-0"]
    assert page.locator(".effect-table tr.lit").get_attribute("data-point") == "0"
    page.mouse.move(5, 5)
    page.locator(".hovercard").wait_for(state="detached")
    assert page.locator("tr.lit").count() == 0


def test_point_outside_the_window_is_an_arrowhead_with_its_true_values(open_page, drawn):
    page = open_page(drawn.board)
    _to_point(page, 1, 0)
    card = _card(page)
    assert (card["ER"], card["ΔRI"]) == ("0.600", "−6.500")
    assert "1 point, drawn as an arrowhead at the edge" in page.locator("figcaption").inner_text()


def test_row_marks_its_points(open_page, drawn):
    page = open_page(drawn.board)
    page.locator(".board tbody tr").nth(1).hover()
    page.locator(".ring").first.wait_for()
    assert page.locator(".ring").count() == 2  # one a measure
    assert page.locator(".hovercard").count() == 0
    page.get_by_text("Data of the chart").first.click()
    page.locator('.effect-table tr[data-point="1"] a').focus()
    assert page.locator(".ring").count() == 1
    assert _card(page)["ER"] == "0.900"
    page.locator("#theme").focus()
    assert page.locator(".ring").count() == 0


def test_keyboard_goes_from_point_to_point_and_opens_the_pair(open_page, drawn):
    page = open_page(drawn.board)
    plot = page.get_by_role("application")
    plot.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    status = page.locator(".plotly-chart [role=status]")
    assert status.inner_text().startswith("pair-1, AP: ER 0.900, ΔRI +0.050")
    page.keyboard.press("Home")
    assert status.inner_text().startswith("pair-0, AP")
    page.keyboard.press("ArrowLeft")
    assert status.inner_text().startswith("pair-2, P@10")
    page.keyboard.press("Escape")
    assert page.locator(".ring").count() == 0
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(str(drawn.pairs[0].pk)))


def test_filters_show_one_measure_and_highlight_one_family(open_page, drawn):
    page = open_page(drawn.board)
    page.get_by_role("button", name="P@10").click()
    expect(page.locator(".scatterlayer .trace")).to_have_count(1)
    assert page.locator(".effect-table tr[data-point]:not([hidden])").count() == 3
    page.get_by_role("button", name="tf", exact=True).click()
    expect(page.locator(".textpoint").first).to_be_attached()
    assert page.get_by_role("button", name="tf", exact=True).get_attribute("aria-pressed") == "true"
    assert "pair-2" in page.locator(".textpoint").all_text_contents()


def test_choice_of_the_chart_stands_in_the_address(open_page, drawn):
    page = open_page(drawn.board)
    page.get_by_role("button", name="P@10").click()
    page.get_by_role("button", name="tf", exact=True).click()
    assert "chart-measure=P%4010" in page.url
    assert "chart-family=tf" in page.url
    page.locator(".board thead a").nth(1).click()
    expect(page).to_have_url(re.compile(r"[?&]sort="))
    expect(page).to_have_url(re.compile(r"[?&]chart-family=tf"))
    again = open_page(page.url.partition("//")[2].partition("/")[1] + page.url.split("/", 3)[3])
    expect(again.locator(".scatterlayer .trace").first).to_be_attached()
    pressed = again.locator(".chart-filters button[aria-pressed=true]").all_inner_texts()
    assert pressed == ["P@10", "tf"]
    assert again.locator(".effect-table tr[data-point]:not([hidden])").count() == 3
    again.get_by_role("button", name="All", exact=True).click()
    assert "chart-measure" not in again.url


def test_unknown_choice_of_an_address_shows_everything(open_page, drawn):
    page = open_page(f"{drawn.board}?chart-measure=nothing&chart-family=none")
    pressed = page.locator(".chart-filters button[aria-pressed=true]").all_inner_texts()
    assert pressed == ["All", "All families"]


def test_many_families_are_chosen_from_a_list(open_page, drawn, monkeypatch):
    monkeypatch.setattr("campaigns.views.effect_chart.FEW_FAMILIES", 0)
    page = open_page(drawn.board)
    page.get_by_label("Highlight").select_option("tf")
    expect(page.locator(".textpoint").first).to_be_attached()


def test_theme_switch_draws_the_chart_anew(open_page, drawn):
    page = open_page(drawn.board)
    expect(page.locator(POINTS).first).to_have_css("fill", "rgb(181, 69, 0)")
    page.locator("#theme").click()  # light
    page.locator("#theme").click()  # dark
    expect(page.locator(POINTS).first).to_have_css("fill", "rgb(255, 148, 87)")
    ground = "document.querySelector('.plot').layout.paper_bgcolor"
    assert page.evaluate(ground) == "rgb(15, 22, 27)"


def test_paper_gets_the_light_colours(open_page, drawn):
    page = open_page(drawn.board, theme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(POINTS).first).to_have_css("fill", "rgb(181, 69, 0)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(POINTS).first).to_have_css("fill", "rgb(255, 148, 87)")


def test_paper_has_no_arrows_of_sorting_and_each_table_once(open_page, drawn):
    page = open_page(drawn.board)
    arrow = "getComputedStyle(document.querySelector('.board thead a'), '::after').content"
    assert page.evaluate(arrow) == '"↑"'
    page.emulate_media(media="print")
    assert page.evaluate(arrow) == "none"
    assert not page.locator("#chart-table").is_visible()
    assert page.locator(".board").is_visible()
    assert not page.locator(".modebar-container").is_visible()


def test_small_screen_folds_filters_and_names_narrow_regions_by_number(open_page, drawn):
    page = open_page(drawn.board)
    assert page.locator("#filter-apply").is_visible()
    assert not page.locator(".fold > summary").is_visible()
    page.set_viewport_size({"width": 320, "height": 800})
    assert not page.locator("#filter-apply").is_visible()
    expect(page.locator(".annotation-text", has_text=re.compile("^3$"))).to_be_visible()
    page.locator(".fold > summary").click()
    assert page.locator("#filter-apply").is_visible()


def test_mode_bar_saves_a_picture(open_page, drawn):
    page = open_page(drawn.board)
    page.locator(".plot").hover()
    assert page.locator(".modebar-btn").count() == 2
    with page.expect_download() as download:
        page.locator(".modebar-btn").first.click()
    assert download.value.suggested_filename == "centreboard-chart.svg"


@pytest.mark.parametrize(("width", "theme"), [(1280, "dark"), (390, "light"), (320, "dark")])
def test_pages_with_charts_are_clean(open_page, drawn, pictures, width, theme):
    for name, path in (("board", drawn.board), ("home", "/"), ("run", drawn.run)):
        page = open_page(path, width, theme)
        if pictures:
            page.screenshot(path=pictures / f"chart-{name}-{width}-{theme}.png", full_page=True)
        assert violations(page) == []
        assert not scrolls_sideways(page)


def test_bars_show_their_topic(open_page, drawn):
    page = open_page(drawn.run)
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    assert _card(page) == {"This run": ".7500", "Reference": ".5000", "Difference": "+.2500"}
    assert "Topic 101" in page.locator(".hovercard .head").inner_text()


def test_hostile_names_are_text_everywhere(open_page, drawn):
    pair = drawn.pairs[0]
    pair.title = pair.family = HOSTILE
    pair.save()
    page = open_page(drawn.board)
    page.get_by_role("button", name=HOSTILE, exact=True).click()
    page.get_by_role("application").focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.locator(".hovercard b").inner_text() == HOSTILE
    expect(page.locator(".textpoint").first).to_be_attached()
    assert page.locator(".textpoint").first.text_content().startswith("<img src=x onerror=")
    assert page.locator("main img").count() == 0


def test_without_scripts_the_table_says_it_all(open_page, drawn):
    page = open_page(drawn.board, java_script_enabled=False)
    assert not page.locator(".chart-filters").is_visible()
    page.get_by_text("Data of the chart").first.click()
    text = page.locator(".effect-table").inner_text()
    assert "−6.500" in text
    assert "1.250" in text


def test_many_pairs_stay_fluid(open_page, drawn, live_server, request):
    """500 pairs by three measures: all are drawn, and highlighting draws none of them again."""
    page = open_page(drawn.board)
    page.evaluate(_MANY)
    took = page.evaluate("window.took")
    print(json.dumps(took))
    assert took["points"] == 1500
    assert took["rings"] == 1
    assert took["redrawn"] == 0


_MANY = """
(async () => {
  const box = document.createElement("div");
  box.className = "plotly-chart plane";
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const line = data.data[0];
  const names = ["AP", "P@10", "nDCG"];
  data.points = [];
  data.data = names.map((measure) => {
    const x = [], y = [], customdata = [], text = [], colours = [];
    for (let n = 0; n < 500; n++) {
      x.push(1 + Math.sin(n * 7.1) / 3); y.push(Math.cos(n * 3.3) / 20);
      customdata.push(data.points.length); text.push(`tf_${n}`); colours.push("var(--c2)");
      data.points.push({ name: `tf_${n}`, family: `f${n % 100}`, measure, card: [["ER", "1"]],
        href: "#", pair: "p", at: [1, 1], note: "", css: "k2" });
      if (n % 5 === 4) {
        x.push(null); y.push(null); customdata.push(null); text.push(null);
        colours.push("var(--c2)");
      }
    }
    return { ...line, meta: { measure, part: "line" }, x, y, customdata, text,
      marker: { size: 10, symbol: "circle", color: colours } };
  });
  const script = document.createElement("script");
  script.type = "application/json";
  script.id = "many-data";
  script.textContent = JSON.stringify(data);
  box.dataset.figure = "many-data";
  box.dataset.label = "Many";
  document.querySelector("main").append(script, box);
  const begun = performance.now();
  document.dispatchEvent(new Event("htmx:afterSwap"));
  while (!box.querySelector(".scatterlayer .trace")) await new Promise(requestAnimationFrame);
  const draw = performance.now() - begun;
  const plot = box.querySelector(".plot");
  plot.focus();
  const observer = new MutationObserver(() => {});
  observer.observe(plot, { attributes: true, childList: true, subtree: true });
  const before = performance.now();
  for (let n = 0; n < 20; n++) {
    plot.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  }
  window.took = {
    draw, pick: (performance.now() - before) / 20,
    points: box.querySelectorAll(".points path").length,
    rings: box.querySelectorAll(".ring").length,
    redrawn: observer.takeRecords().length,
  };
})()
"""
