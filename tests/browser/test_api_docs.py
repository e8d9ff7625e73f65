"""Swagger UI in a browser: it draws, asks nobody else, and our policy refuses nothing."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.django_db(transaction=True)


def test_docs_draw_offline_under_the_policy(page, live_server):
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{live_server.url}/api/v1/docs/")
    page.wait_for_selector(".opblock", timeout=30_000)
    paths = page.locator(".opblock-summary-path").all_inner_texts()
    assert any("leaderboard" in path.replace("\u200b", "") for path in paths)
    page.locator(".opblock-post .opblock-summary-control").first.click()
    page.wait_for_selector(".opblock-body", timeout=10_000)
    assert said == []
    own = urlsplit(live_server.url).netloc
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {own}
