"""Links to the pages of a list: the first and the last, and those around the one that is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.paginator import Page


def page_links(page: Page[Any], address: Callable[[int], str]) -> list[dict[str, Any]]:
    """``number`` and ``href`` of each link; a gap between them has no address.

    Fifty links help nobody, and each would have to be made.
    """
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
    return [
        {"number": number, "href": address(number) if isinstance(number, int) else ""}
        for number in numbers
    ]
