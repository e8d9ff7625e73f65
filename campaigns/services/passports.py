"""How a number was made: measure, recipe, topics averaged, qrels, tie rule, precision, time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from campaigns.models import Qrels, Recipe, Task

TIES = "score descending, ties by document id descending in byte order"


def qrels_label(qrels: Qrels | None) -> dict[str, Any] | None:
    """Which judgments: collection, version, and the checksum of their text."""
    if qrels is None:
        return None
    return {
        "collection": qrels.collection.slug,
        "version": qrels.number,
        "sha256": qrels.file.text_sha256,
        "published_at": qrels.published_at,
    }


def passport_of(
    task: Task,
    recipe: Recipe,
    qrels: Qrels | None,
    *,
    topics: int | None = None,
    original_qrels: Qrels | None = None,
    at: datetime | None = None,
) -> dict[str, Any]:
    """Everything needed to compute the number again."""
    parameters = recipe.parameters
    reading = parameters.get("reading", parameters)
    return {
        "measure": parameters.get("measure", recipe.name),
        "recipe": {
            "name": recipe.name,
            "version": recipe.version,
            "digest": recipe.digest,
            "parameters": parameters,
        },
        "topics_averaged": {
            "rule": reading.get("topics_averaged", task.topics_averaged),
            "count": topics,
        },
        "qrels": qrels_label(qrels),
        "original_qrels": qrels_label(original_qrels),
        "ties": TIES,
        "precision": reading.get("precision", task.precision),
        "computed_at": at,
    }
