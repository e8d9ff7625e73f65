"""Scores of a run against judgments, for every family of measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from evaluation.data import Qrels, Run, TopicScores
from evaluation.effectiveness.average_precision import average_precision
from evaluation.effectiveness.bpref import bpref
from evaluation.effectiveness.err import expected_reciprocal_rank
from evaluation.effectiveness.joining import Floats, Joined, join
from evaluation.effectiveness.judged import judged
from evaluation.effectiveness.ndcg import ndcg
from evaluation.effectiveness.precision import precision, r_precision, recall
from evaluation.effectiveness.rbp import rank_biased_precision, residual
from evaluation.effectiveness.reciprocal_rank import reciprocal_rank
from evaluation.errors import EvaluationError
from evaluation.notation import Measure, parse_all

_FUNCTIONS: dict[str, Callable[..., Floats]] = {
    "nDCG": ndcg,
    "AP": average_precision,
    "P": precision,
    "R": recall,
    "RR": reciprocal_rank,
    "Rprec": r_precision,
    "Bpref": bpref,
    "RBP": rank_biased_precision,
    "Judged": judged,
    "ERR": expected_reciprocal_rank,
}


def score(joined: Joined, measure: Measure) -> TopicScores:
    """Values of one measure for all topics of a run joined with its judgments."""
    given: dict[str, Any] = dict(measure.parameters)
    if measure.cutoff is not None:
        given["cutoff"] = measure.cutoff
    with np.errstate(over="ignore", invalid="ignore"):
        values = _FUNCTIONS[measure.family](joined, **given)
    if not np.isfinite(values).all():
        raise EvaluationError(f"{measure.name}: the grades are too large to compute it.")
    return TopicScores(measure.name, joined.topics, values)


def evaluate(
    run: Run,
    qrels: Qrels,
    measures: Iterable[str | Measure],
    *,
    topics: Sequence[str] | None = None,
    depth: int | None = None,
) -> dict[str, TopicScores]:
    """Topic scores of a run, by canonical measure name.

    Every judged topic has a value (of ``topics``, when given); one that the run lacks scores 0,
    and topics of the run that are not judged are left out. ``depth`` cuts each list first.

    >>> run = Run.of({"1": {"a": 2.0, "b": 1.0}})
    >>> scores = evaluate(run, Qrels.of({"1": {"b": 1}, "2": {"c": 1}}), ["MAP", "P@2"])
    >>> {name: found.values.tolist() for name, found in scores.items()}
    {'AP': [0.5, 0.0], 'P@2': [0.5, 0.0]}
    """
    joined = join(run, qrels, topics, depth)
    return {measure.name: score(joined, measure) for measure in parse_all(measures)}


def residuals(
    run: Run,
    qrels: Qrels,
    measure: Measure,
    *,
    topics: Sequence[str] | None = None,
    depth: int | None = None,
) -> TopicScores:
    """How much RBP could still grow in each topic; topics as ``evaluate`` takes them.

    >>> from evaluation.notation import parse
    >>> run = Run.of({"1": {"a": 2.0, "b": 1.0}})
    >>> residuals(run, Qrels.of({"1": {"b": 1}}), parse("RBP(p=0.5)")).values.tolist()
    [0.75]
    """
    if measure.family != "RBP":
        raise ValueError(f"Only RBP has a residual, not {measure.name}.")
    joined = join(run, qrels, topics, depth)
    p = float(str(measure["p"]))
    values = residual(joined, measure.cutoff, p)
    return TopicScores(f"residual of {measure.name}", joined.topics, values)
