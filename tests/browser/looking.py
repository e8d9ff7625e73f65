"""How a page is looked at: what its console says, what axe finds, whether it fits the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, SMALL, NARROW = (1280, 900), (390, 844), (320, 700)
# What axe finds in the markup does not change with the screen; these rules do.
SEEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
PICTURED = (
    (WIDE, "light"), (WIDE, "dark"), (SMALL, "light"), (SMALL, "dark"), (NARROW, "light"),
)  # fmt: skip
AXE = Axe().axe_script
SETTLED = 3000  # milliseconds that a chart may take to follow a new width


_SIDEWAYS = """async (limit) => {
  const root = document.documentElement;
  const end = performance.now() + limit;
  const isWide = () => root.scrollWidth > root.clientWidth;
  while (isWide() && performance.now() < end) await new Promise(requestAnimationFrame);
  return isWide();
}"""


def log_in(context: Any, live_server: Any, user: Any) -> None:
    """Give a browser the session of somebody."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": cookie.value, "url": live_server.url}]
    )


def listen(page: Any) -> list[str]:
    """Everything the console says, and every error of a script."""
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def stay(page: Any) -> None:
    """From here on a reload would be noticed; the scripts, which spare it, have been loaded."""
    page.wait_for_load_state()
    page.evaluate("window.stillHere = true")


def is_still_here(page: Any) -> bool:
    """Whether the page was not loaded again since."""
    return bool(page.evaluate("window.stillHere === true"))


def violations(page: Any, rules: list[str] | None = None) -> list[str]:
    """What axe finds on the page as it is now, by all rules or by those named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
    # Answers by the thousand that nobody reads would have to pass through the pipe.
    run = "only => axe.run({ runOnly: only, resultTypes: ['violations'] })"
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['target']})"
        for one in page.evaluate(f"async only => (await ({run})(only)).violations", only)
    ]


def scrolls_sideways(page: Any) -> bool:
    """Whether the page is wider than the screen."""
    return bool(page.evaluate(_SIDEWAYS, SETTLED))


def show(page: Any, size: tuple[int, int], theme: str) -> None:
    """The same page on another screen, without loading it again."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme)


def faults_of(page: Any, name: str, pictures: Path | None = None) -> list[str]:
    """Faults of a loaded page: axe in both themes, three widths; it is wide and light after."""
    faults = []
    for size, theme in ((WIDE, "light"), (SMALL, "dark"), (NARROW, "dark")):
        show(page, size, theme)
        if scrolls_sideways(page):
            faults.append(f"{name}: scrolls sideways at {size[0]} px")
        if size != NARROW:
            found = violations(page, None if size == WIDE else SEEN)
            faults += [f"{name}, {theme}: {text}" for text in found]
    if pictures:
        for size, theme in PICTURED:
            show(page, size, theme)
            page.screenshot(path=pictures / f"{name}-{size[0]}-{theme}.png", full_page=True)
    show(page, WIDE, "light")
    return faults


def faults_of_all(
    page: Any, base: str, pages: dict[str, str], pictures: Path | None = None, suffix: str = ""
) -> list[str]:
    """Faults of pages by name, and what the console said on each."""
    said = listen(page)
    faults = []
    for name, path in pages.items():
        answer = page.goto(base + path)
        if answer.status >= 400:
            said.clear()  # the browser reports the status itself
        faults += [f"{name}: {text}" for text in said]
        said.clear()
        faults += faults_of(page, name + suffix, pictures)
        faults += [f"{name}: {text}" for text in said]
        said.clear()
    return faults
