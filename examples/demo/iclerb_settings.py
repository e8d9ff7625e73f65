"""What the ICLERB-style campaign says of itself: texts, data sets, form and dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from examples.demo.days import Days
from examples.demo.iclerb_systems import TEAMS

SLUG = "iclerb-demo"
TO_TRY = "to-submit"
# The recipe with the list's own ideal is shown beside: it forgives what was not retrieved.
MEASURES = ["nDCG(ideal='pool')@10", "nDCG(ideal='pool')@5", "nDCG(ideal='run')@10"]

DESCRIPTION = f"""\
> **Example data.** Data sets, utilities, teams and systems are made up by a seeded model. The
> scores are not: the site computed them from the run files.

A language model answers better when its prompt holds the right examples. Here a system ranks a
fixed **pool** of {{pool}} examples for each query, and the gain of an example is its *utility*: how
much it helps the model. Utilities are real numbers, may be below 0, and are kept secret.

### What to look at
- The measure takes its ideal from the whole pool and counts negative utilities as 0. Beside it
  stands nDCG with the ideal of the submitted list alone, which cannot see what a short list left
  out: compare the two for *Willow Mini*, which ranks only 12 of the candidates.
- *Willow ICL* is missing in the third data set.

### Try it
Log in as `participant@example.org` and hand in `my-first.run` for *Questions*: it is in
`var/demo/{SLUG}/{TO_TRY}/`, beside a file with mistakes.

### How the data are made
Each example has a hidden worth for each query. Its utility grows with it, with a long upper end and
a mood of the query that can pull all of them below 0; a system sees the worth through noise of its
own and of its kind. The code is in `examples/demo/`.
"""

FIELDS: list[dict[str, Any]] = [
    {"name": "model", "label": "Model", "type": "text", "required": True, "public": True},
    {
        "name": "kind",
        "label": "Kind",
        "type": "choice",
        "choices": ["embedding", "reranker", "lexical"],
        "required": True,
        "public": True,
    },
    {"name": "parameters", "label": "Parameters", "type": "text", "public": True},
    {"name": "dimension", "label": "Dimension", "type": "number", "public": True},
    {"name": "licence", "label": "Licence", "type": "text", "public": True},
    {"name": "link", "label": "Link", "type": "url", "public": True},
    {
        "name": "overlap",
        "label": "Training data overlap",
        "type": "choice",
        "choices": ["none", "partly", "unknown"],
        "public": True,
    },
]


@dataclass(frozen=True)
class DataSet:
    """A data set; ``shift`` moves all utilities."""

    title: str
    summary: str
    query: str
    topics: int
    shift: float


SETS: Mapping[str, DataSet] = {
    "questions": DataSet(
        "Questions", "Examples that help to answer questions.", "Made-up question {}", 60, 0.3
    ),
    "feelings": DataSet(
        "Feelings", "Examples that help to name a feeling.", "Made-up remark {}", 50, 0.0
    ),
    "products": DataSet(
        "Products", "Examples that help to match products.", "Made-up product {}", 40, -0.3
    ),
}


def settings(days: Days) -> dict[str, Any]:
    """The campaign without its runs."""
    return {
        "campaign": {
            "slug": SLUG,
            "title": "Example: examples that help a language model",
            "summary": "Embedding models and rerankers over pools, three data sets. Made-up data.",
            "description": DESCRIPTION.format(pool=40),
            "vocabulary": "acm",
            "contact": "organizer@example.org",
            "citation": "Made-up data from the examples of Centreboard.",
            "timezone": "UTC",
            "example": True,
        },
        "collections": [
            {
                "slug": name,
                "title": one.title,
                "description": "Made-up queries, each with a pool of examples.",
                "languages": ["eng"],
                "topics": f"{name}/queries.tsv",
            }
            for name, one in SETS.items()
        ],
        "tasks": [_task(days, name, one) for name, one in SETS.items()],
        "teams": TEAMS,
    }


def _task(days: Days, name: str, one: DataSet) -> dict[str, Any]:
    return {
        "slug": name,
        "title": one.title,
        "summary": one.summary,
        "kind": "pool",
        "collection": name,
        "pool": f"{name}/pool.tsv",
        "gains": {"clip": 0},
        "measures": MEASURES,
        "primary": MEASURES[0],
        "depth": 100,
        "opens": days.after(-30),
        "closes": days.after(2, "23:59:59"),
        "visible_from": {"submitted_runs": days.after(14)},
        "limits": {"runs_per_team": 20, "per_day": 10},
        "fields": FIELDS,
    }
