"""One thing that needs the organizers, and the words it is told in."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from campaigns.models import Campaign, Qrels

NOW, DECIDE, REVIEW = "Now", "Decide", "Review"
TONES = {NOW: "bad", DECIDE: "warn", REVIEW: "soft"}
NAMED = 4


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to do, with the one place where it is done."""

    urgency: str
    title: str
    text: str
    href: str
    action: str

    @property
    def tone(self) -> str:
        """The colour of its badge."""
        return TONES[self.urgency]


def counted(count: int, word: str) -> str:
    """A number with its noun."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def named(names: list[str]) -> str:
    """A few names, and how many more."""
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if names[NAMED:] else "")


def qrels_href(campaign: Campaign, qrels: Qrels) -> str:
    """The page of a version."""
    if qrels.task is not None:
        return reverse("organize:pool", args=[campaign.slug, qrels.task.slug, qrels.number])
    return reverse("organize:qrels", args=[campaign.slug, qrels.collection.slug, qrels.number])
