"""Organizers' Markdown cannot carry anything that runs."""

import pytest

from campaigns.templatetags.markdown import rendered


def test_headings_stand_below_those_of_the_page():
    assert rendered("# One\n\n###### Six") == "<h2>One</h2>\n<h3>Six</h3>\n"
    assert rendered("### Three\n\n#### Four") == "<h2>Three</h2>\n<h3>Four</h3>\n"


def test_tables_and_lists_are_kept():
    html = rendered("|a|b|\n|-|-|\n|1|2|\n\n- x\n- y")
    assert "<td>1</td>" in html
    assert "<li>x</li>" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        '<img src=x onerror="alert(1)">',
        "![x](https://example.org/x.png)",
        '<a href="https://example.org" onclick="x()">y</a>',
        "<style>*{display:none}</style>",
    ],
)
def test_nothing_that_runs_or_loads_comes_through(text):
    html = rendered(text)
    for mark in (
        "<script",
        "<img",
        "<style",
        'href="javascript',
        'href="data',
        "<a href",
    ):
        assert mark not in html


def test_links_carry_no_trust():
    assert rendered("[x](https://example.org/)") == (
        '<p><a href="https://example.org/" rel="noopener nofollow ugc">x</a></p>\n'
    )
