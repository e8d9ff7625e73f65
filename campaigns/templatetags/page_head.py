"""What a page says of itself to browsers, search engines and those who link to it."""

from __future__ import annotations

from typing import Any

from django import template
from django.templatetags.static import static
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
    """The address of the page without its query, and a picture for links to it.

    Nothing where an error has no request.
    """
    request: Any = context.get("request")
    if request is None:
        return ""
    address = request.build_absolute_uri(request.path)
    picture = request.build_absolute_uri(static("img/shared.png"))
    return format_html(
        '<link rel="canonical" href="{address}">\n'
        '    <meta property="og:url" content="{address}">\n'
        '    <meta property="og:image" content="{picture}">\n'
        '    <meta property="og:image:width" content="1200">\n'
        '    <meta property="og:image:height" content="630">\n'
        '    <meta name="twitter:card" content="summary_large_image">',
        address=address,
        picture=picture,
    )
