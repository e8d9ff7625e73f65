"""What a page says of itself to browsers, search engines and those who link to it."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag
def page_title(content: str) -> SafeString:
    """The title, and the same for previews of links; the content is escaped already."""
    return format_html(
        '<title>{} · Centreboard</title>\n    <meta property="og:title" content="{}">',
        content,
        content,
    )


@register.simple_tag(takes_context=True)
def own_address(context: template.Context) -> SafeString | str:
    """The address of the page without its query; nothing where an error has no request."""
    request: Any = context.get("request")
    if request is None:
        return ""
    address = request.build_absolute_uri(request.path)
    return format_html(
        '<link rel="canonical" href="{}">\n    <meta property="og:url" content="{}">',
        address,
        address,
    )
