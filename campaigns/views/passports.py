"""A measure passport: how a number was computed, and on what."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns import recipes
from campaigns.models import Precision, Qrels, Task
from evaluation.notation import UnknownMeasureError, parse

# In words and by the numbers of the retrieved list; docs have the full definitions.
FORMULAS = {
    "nDCG": "gain of each document divided by log2(rank + 1), summed, and divided by the same sum "
    "for the best possible order",
    "AP": "precision at the rank of each relevant document, averaged over all relevant documents",
    "P": "relevant documents among the first k, divided by k",
    "R": "relevant documents among the first k, divided by all relevant documents",
    "RR": "1 divided by the rank of the first relevant document",
    "Rprec": "precision at the rank that equals the number of relevant documents",
    "Bpref": "how rarely judged non-relevant documents stand above relevant ones",
    "RBP": "relevance weighted by (1 − p) p^(rank − 1), summed",
    "Judged": "judged documents among the first k, divided by k",
}


@dataclass(frozen=True, slots=True)
class MeasurePassport:
    """One measure."""

    name: str
    family: str
    title: str
    formula: str
    digest: str


@dataclass(frozen=True, slots=True)
class Passport:
    """What all measures of a page share, and each of them."""

    measures: list[MeasurePassport]
    qrels: Qrels
    topics: str
    depth: int
    order: str
    version: int


def passport_of(task: Task, qrels: Qrels | None) -> Passport | None:
    """The passport of a task's measures under a version of the qrels."""
    if qrels is None:
        return None
    measures = []
    for name in task.measures:
        try:
            measure = parse(name)
        except UnknownMeasureError:
            continue
        digest = recipes.evaluation_recipe(task, name).digest
        measures.append(
            MeasurePassport(
                name,
                measure.family,
                measure.title,
                FORMULAS.get(measure.family, ""),
                digest[:12],
            )
        )
    order = "score, then document id, both descending"
    if task.precision == Precision.SINGLE:
        order += "; scores compared in single precision"
    return Passport(
        measures, qrels, task.get_topics_averaged_display(), task.depth, order,
        recipes.RECIPE_VERSION,
    )  # fmt: skip
