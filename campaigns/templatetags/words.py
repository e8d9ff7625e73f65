"""Words as pages set them."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def breakable(text: object) -> SafeString:
    """A measure's name that may break after its brackets, commas and signs, and nowhere else.

    >>> breakable("nDCG(ideal='pool')@10")
    'nDCG(<wbr>ideal=<wbr>&#x27;pool&#x27;)<wbr>@10'
    >>> breakable("distance to (1, 0), AP")
    'distance to (1, 0), AP'
    """
    # Escaped first: what is added is ours, and entities hold none of these marks.
    return SafeString(
        re.sub(r"([,=)]|\((?=[^\W\d]))(?=[^\s,])", r"\1<wbr>", conditional_escape(text))
    )
