"""``python docs/pictures.py [ADDRESS]``: takes the README's pictures again, from a running demo.

Start the site with ``make run`` first and wait until its example campaigns are scored. Pictures go
to ``docs/pictures/``, in both themes; the one that shared links show goes to ``static/img/``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
WIDTH = 1180


@dataclass(frozen=True)
class Picture:
    """A part of a page: from the top of one element, so many pixels high."""

    name: str
    place: str
    top: str
    height: int


PICTURES = (
    Picture("board", "/campaigns/neuclir-demo/tasks/zho-adhoc/", "#board", 752),
    Picture("chart", "/campaigns/centre-demo/tasks/same/?board=pairs-lantern", "#effect", 705),
)


def take(browser: Browser, base: str, picture: Picture, theme: str) -> None:
    """One picture in one theme."""
    page = browser.new_page(viewport={"width": WIDTH, "height": picture.height}, color_scheme=theme)
    page.goto(base + picture.place, wait_until="networkidle")
    page.locator(picture.top).first.scroll_into_view_if_needed()
    top = page.locator(picture.top).first.evaluate(
        "element => element.getBoundingClientRect().top + window.scrollY"
    )
    area = {"x": 0, "y": max(0, top - 16), "width": WIDTH, "height": picture.height}
    target = ROOT / "docs" / "pictures" / f"{picture.name}-{theme}.png"
    page.screenshot(path=str(target), full_page=True, clip=area)
    page.close()


def take_shared(browser: Browser, base: str) -> None:
    """What a link to the site looks like elsewhere: the first page, 1200 by 630."""
    page = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
    page.goto(base + "/", wait_until="networkidle")
    page.screenshot(path=str(ROOT / "static" / "img" / "shared.png"))
    page.close()


def main() -> int:
    """Take all of them."""
    base = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000").rstrip("/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for picture in PICTURES:
            for theme in ("light", "dark"):
                take(browser, base, picture, theme)
        take_shared(browser, base)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
