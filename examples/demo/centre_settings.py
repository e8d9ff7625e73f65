"""What the CENTRE-style campaign says of itself: texts, tasks, teams and dates."""

from __future__ import annotations

from typing import Any

from examples.demo.days import Days
from examples.demo.families import TEAMS

SLUG = "centre-demo"
ORIGINAL = "lantern"
AFTER = "to-submit"
MEASURES = ["AP", "P@10", "nDCG"]

DESCRIPTION = f"""\
> **Example data.** Everything here is made up by a seeded model: documents, topics, judgments,
> teams and runs. The scores are not: the site computed them from the run files, as it would for
> yours.

An imaginary paper reported that *Lantern*, a ranker that learns from feedback, gains when it also
learns from a second collection. Four teams tried to get that gain again: from the same documents
(**same collection**) and from other ones (**new collection**).

### What to look at
- Each family (`tf`, `df`, `tol`, `C`) leaves the original in five steps. Follow its line in the
  chart of effect ratio and ΔRI.
- `df_1` is nearly perfect. `df_5` keeps only part of the effect. The baseline of `tol_5` collapses,
  so its ΔRI lies far outside any usual window.
- `swapped` has the effect the wrong way round, `empty-field` has a baseline that scores 0, so that
  its ΔRI is undefined, and `half-done` still lacks its advanced run.

### Try it
Log in as `participant@example.org`, choose the task *Same collection*, and hand in the pair in
`{AFTER}/`, which lies beside this campaign's other files in `var/demo/{SLUG}/`. The third file
there has mistakes, to see what a report looks like.

### How the data are made
Each document has a hidden worth for each topic. The judges see it coarsely, as grades 0 to 2; the
two originals see it through noise, the advanced one through less. A reproduction sees what its
original saw, mixed with noise of its own, more of it with each step. The code is in
`examples/demo/`.
"""


def settings(days: Days) -> dict[str, Any]:
    """The campaign without its runs."""
    return {
        "campaign": {
            "slug": SLUG,
            "title": "Example: reproducing Lantern",
            "summary": (
                "Four teams reproduce a published gain, on the same and on a new collection. "
                "Made-up data."
            ),
            "description": DESCRIPTION,
            "vocabulary": "centre",
            "contact": "organizer@example.org",
            "citation": "Made-up data from the examples of Centreboard.",
            "timezone": "AoE",
            "example": True,
        },
        "collections": [
            _collection("gazette", "Gazette", "The made-up newspaper of the original, 50 topics."),
            _collection("courier", "Courier", "Another made-up newspaper, 25 of the topics."),
        ],
        "tasks": [_same(days), _new(days)],
        "teams": TEAMS,
    }


def _collection(slug: str, title: str, text: str) -> dict[str, Any]:
    return {
        "slug": slug,
        "title": title,
        "description": text,
        "languages": ["eng"],
        "document_ids": f"{slug}/documents.txt",
        "topics": f"{slug}/topics.tsv",
        "qrels": f"{slug}/qrels.txt",
        "topic_forms": [
            {
                "form": "question",
                "language": "eng",
                "translation": "none",
                "file": f"{slug}/questions.tsv",
            }
        ],
    }


def _task(days: Days, slug: str, kind: str, title: str, summary: str) -> dict[str, Any]:
    return {
        "slug": slug,
        "title": title,
        "summary": summary,
        "kind": kind,
        "measures": MEASURES,
        "primary": "AP",
        "depth": 100,
        "originals": [
            {
                "slug": ORIGINAL,
                "title": "Lantern",
                "paper": "Made up: a ranker trained on feedback from one and from two collections.",
                "baseline": "originals/baseline.run",
                "advanced": "originals/advanced.run",
            }
        ],
        "opens": days.after(-40),
        "closes": days.ends(120),
        "visible_from": {"submitted_runs": "always", "original_runs": "always", "qrels": "always"},
        "limits": {"runs_per_team": 60, "per_day": 20},
        "fields": [
            {"name": "toolkit", "type": "text", "public": True, "label": "Toolkit"},
            {"name": "code", "type": "url", "public": True, "label": "Code repository"},
        ],
    }


def _same(days: Days) -> dict[str, Any]:
    task = _task(
        days,
        "same",
        "same_collection",
        "Same collection",
        "Get both Lantern runs again from the original's own documents and topics.",
    )
    cutoffs = [5, 10, 20, 50, 100]
    comparison = {"rbo_p": 0.8, "depth": 100, "cutoffs": cutoffs, "tost_bound": 0.05}
    return {**task, "collection": "gazette", "order_by": "rmse", "comparison": comparison}


def _new(days: Days) -> dict[str, Any]:
    task = _task(
        days,
        "new",
        "new_collection",
        "New collection",
        "Do the two systems keep their distance on documents they were not made for?",
    )
    sides = {"collection": "courier", "original_collection": "gazette"}
    return {**task, **sides, "order_by": "distance"}
