"""Other measures of ir_measures, computed by the tools behind it: an optional extra.

Never for a measure that this library defines, so that one name always means one computation.
Each result is named with the tool that gave it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.data import Qrels, Run, TopicScores
from evaluation.errors import EvaluationError
from evaluation.notation import ACCEPTED, UnknownMeasureError, is_own

INSTALL = "pip install 'centreboard[ir-measures]'"
ONLY_NEGATIVE = "only negative judgments, on which the other tool does not end"
NO_VALUE = "the other tool gives no value"
_LONGEST_NAME = 100
_UNREADABLE = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError)


@dataclass(frozen=True, slots=True)
class OtherMeasure:
    """A measure of ir_measures: its name there, and the tool that computes it."""

    name: str
    provider: str

    def __str__(self) -> str:
        return self.name


def _library() -> Any:
    try:
        import ir_measures  # noqa: PLC0415 - an optional extra
    except ImportError:
        return None
    return ir_measures


def _parsed(library: Any, text: str) -> Any:
    if len(text) <= _LONGEST_NAME:
        try:
            measure = library.parse_measure(text)
            measure.validate_params()
        except (*_UNREADABLE, TypeError, ValueError, SyntaxError):
            pass
        else:
            return measure
    raise UnknownMeasureError(
        f"Unknown measure {text!r}, here and in ir_measures. Accepted: {ACCEPTED}."
    )


def _tool(library: Any, measure: Any) -> Any:
    for provider in library.DefaultPipeline.providers:
        if provider.is_available() and provider.supports(measure):
            return provider
    raise UnknownMeasureError(f"No tool installed beside ir_measures computes {measure}.")


def parse_other(text: str) -> OtherMeasure:
    """Read the name of a measure that this library does not define.

    Raises UnknownMeasureError when the name is one of ours, unknown to ir_measures, or when
    ir_measures (or the tool behind the measure) is not installed; the text says what to do.

    >>> parse_other("Success@5")
    OtherMeasure(name='Success@5', provider='ir_measures: pytrec_eval')
    """
    if is_own(text):
        raise UnknownMeasureError(f"{text!r} is computed here, not by ir_measures.")
    library = _library()
    if library is None:
        raise UnknownMeasureError(
            f"Unknown measure {text!r}. Accepted: {ACCEPTED}. "
            f"Other measures of ir_measures come with {INSTALL}."
        )
    measure = _parsed(library, text.strip())
    if is_own(str(measure)):
        raise UnknownMeasureError(f"{text!r} is computed here, as {measure}.")
    return OtherMeasure(str(measure), f"ir_measures: {_tool(library, measure).NAME}")


def _ranked(run: Run, topics: Iterable[str]) -> dict[str, dict[str, float]]:
    """Runs whose scores are whole numbers: single precision and equal scores change nothing.

    Ids are written in hexadecimal digits, because the tools take no bytes.
    """
    rankings = ((topic, run.ranking(topic)) for topic in topics)
    return {
        topic: {document.hex(): float(len(ids) - place) for place, document in enumerate(ids)}
        for topic, ids in rankings
    }


def _judged(qrels: Qrels, topics: Iterable[str]) -> dict[str, dict[str, int]]:
    return {
        topic: {document.hex(): int(grade) for document, grade in qrels.judged(topic).items()}
        for topic in topics
    }


def evaluate_others(
    run: Run,
    qrels: Qrels,
    measures: Iterable[str | OtherMeasure],
    *,
    topics: Sequence[str] | None = None,
) -> dict[str, TopicScores]:
    """Topic scores of measures that this library does not define, by their names.

    Topics as in ``evaluate``: all judged ones (of ``topics``, when given), 0 where the run lacks
    one. NaN with a reason where all judgments are negative or the tool gives no value. The order
    of documents is ours. Raises EvaluationError for qrels that are no whole grades, and
    UnknownMeasureError as ``parse_other`` does.

    >>> run = Run.of({"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}})
    >>> qrels = Qrels.of({"1": {"b": 1}, "2": {"c": 0}, "3": {"d": 1}})
    >>> evaluate_others(run, qrels, ["Success@2"])["Success@2"].values.tolist()
    [1.0, 0.0, 0.0]
    """
    chosen = [one if isinstance(one, OtherMeasure) else parse_other(one) for one in measures]
    if not np.equal(np.mod(qrels.grades, 1), 0).all():
        raise EvaluationError("Other tools take whole grades only.")
    wanted = qrels.topics if topics is None else tuple(topics)
    known = set(qrels.topics)
    grades = _judged(qrels, [topic for topic in wanted if topic in known])
    negative = {topic for topic, judged in grades.items() if max(judged.values()) < 0}
    ranked = _ranked(run, [topic for topic in grades if topic not in negative])
    common = {topic: ranking for topic, ranking in ranked.items() if ranking}
    judged = {topic: grades[topic] for topic in common}
    return {
        one.name: _scores(one, wanted, negative, common, judged) for one in dict.fromkeys(chosen)
    }


def _scores(
    measure: OtherMeasure,
    topics: Sequence[str],
    negative: set[str],
    ranked: dict[str, dict[str, float]],
    judged: dict[str, dict[str, int]],
) -> TopicScores:
    library = _library()
    parsed = _parsed(library, measure.name)
    found: dict[str, float] = {}
    if ranked:
        calculated = _tool(library, parsed).iter_calc([parsed], judged, ranked)
        found = {one.query_id: float(one.value) for one in calculated}
    reasons = dict.fromkeys((topic for topic in topics if topic in negative), ONLY_NEGATIVE)
    reasons |= dict.fromkeys((topic for topic in ranked if topic not in found), NO_VALUE)
    values = [math.nan if topic in reasons else found.get(topic, 0.0) for topic in topics]
    return TopicScores(measure.name, tuple(topics), np.array(values, dtype=np.float64), reasons)
