"""Links to pages: few however many pages there are."""

from django.core.paginator import Paginator

from campaigns.views.paging import page_links


def links(pages: int, here: int) -> list[tuple[object, str]]:
    page = Paginator(range(pages), 1).get_page(here)
    return [(one["number"], one["href"]) for one in page_links(page, lambda n: f"?page={n}")]


def test_few_pages_are_all_listed():
    assert links(3, 2) == [(1, "?page=1"), (2, "?page=2"), (3, "?page=3")]


def test_of_many_pages_the_ends_and_the_neighbours_are_listed():
    assert [number for number, _ in links(50, 25)] == [1, "…", 23, 24, 25, 26, 27, "…", 50]
    assert [href for number, href in links(50, 1) if number == "…"] == [""]
    assert links(50, 50)[-1] == (50, "?page=50")
