"""Organizers' Markdown as safe HTML: no raw HTML, no scripts, no pictures from elsewhere."""

from __future__ import annotations

import nh3
from django import template
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

register = template.Library()

TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}

_parser = MarkdownIt("commonmark", {"html": False}).enable("table")


def rendered(text: str) -> str:
    """Sanitised HTML. Headings begin below the page's own and skip no level."""
    tokens = _parser.parse(text)
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    levels = {tag: level for level, tag in enumerate(sorted({t.tag for t in headings}), start=2)}
    for token in headings:
        token.tag = f"h{min(6, levels[token.tag])}"
    html = _parser.renderer.render(tokens, _parser.options, {})
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener nofollow ugc",
    )


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML that may stand in a page."""
    return SafeString(rendered(text))
