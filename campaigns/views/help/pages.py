"""The help: what a participant or a reader looks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.models import Vocabulary
from campaigns.services import pair_summary
from campaigns.views.help import examples
from campaigns.views.help.effectiveness_texts import EFFECTIVENESS
from campaigns.views.help.message_groups import groups
from campaigns.views.help.reproduction_texts import EFFECTS, RANKINGS, SCORES


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page in the list of the help."""

    name: str
    title: str
    summary: str

    @property
    def address(self) -> str:
        """Its name among the addresses."""
        return f"help:{self.name}"


PAGES = (
    HelpPage("taking-part", "Taking part", "From an account to the first score, step by step."),
    HelpPage("formats", "File formats", "Runs, qrels and topics, with examples."),
    HelpPage("messages", "Check report", "Every kind of message, and what to do about it."),
    HelpPage("measures", "Measures", "Formula, variants, reading, range and source of each."),
    HelpPage("ranks", "How ranks are made", "Ties, missing topics, intervals, order of pairs."),
    HelpPage("terms", "Terms", "Same and new collection, in the words of CENTRE and of the ACM."),
    HelpPage("deadlines", "Deadlines", "AoE, what counts as in time, limits and the next try."),
    HelpPage("visibility", "Who sees what", "Scores, names, files and judgments, and when."),
    HelpPage("privacy", "What is stored", "Personal data, files, logs, and how long."),
    HelpPage("citing", "Citing", "A campaign, a board, a run, a number."),
)


def _shown(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    page = next((one for one in PAGES if one.name == name), None)
    common = {"section": "help", "pages": PAGES, "here": page}
    return render(request, f"help/{name}.html", {**common, **context})


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All pages of the help."""
    return _shown(request, "index")


@require_safe
def plain(request: HttpRequest, name: str) -> HttpResponse:
    """A page of text."""
    return _shown(request, name)


@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Files, with examples."""
    return _shown(
        request, "formats", run=examples.RUN, qrels=examples.QRELS,
        pool=examples.POOL, topics=examples.TOPICS,
        topics_jsonl=examples.TOPICS_JSONL, topics_sgml=examples.TOPICS_SGML,
        topics_xml=examples.TOPICS_XML,
    )  # fmt: skip


@require_safe
def messages(request: HttpRequest) -> HttpResponse:
    """Kinds of message."""
    return _shown(request, "messages", groups=groups())


@require_safe
def measures(request: HttpRequest) -> HttpResponse:
    """All measures."""
    sections = (
        ("Effectiveness of a run", "effectiveness", EFFECTIVENESS),
        ("Likeness of two rankings", "rankings", RANKINGS),
        ("Likeness of scores", "scores", SCORES),
        ("Likeness of effects", "effects", EFFECTS),
    )
    return _shown(request, "measures", sections=sections, rules=pair_summary.HELP)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Words, in both vocabularies."""
    return _shown(request, "terms", vocabularies=Vocabulary)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored."""
    return _shown(request, "privacy", contact=settings.DEFAULT_FROM_EMAIL)
