"""What the four commands compute, as the data that ``--json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from evaluation.averaging import averaged_topics, mean
from evaluation.comparison import compare, null
from evaluation.compiled import Cache, digest_of
from evaluation.data import Qrels, Run
from evaluation.effectiveness import evaluate, residuals
from evaluation.errors import EvaluationError, Message
from evaluation.judgments import CheckedQrels, read_pool, read_qrels
from evaluation.notation import Measure, parse
from evaluation.others import OtherMeasure, evaluate_others
from evaluation.pairs import Pair, compare_pairs
from evaluation.rules import CheckRules
from evaluation.significance import mean_interval
from evaluation.source import Text, chunks, opened
from evaluation.topics import read_document_ids, read_topics
from evaluation.trec import CheckedRun, read_run

Json = dict[str, Any]

POOL_COLUMNS = 3


class Refused(EvaluationError):
    """A file of a command was rejected."""

    def __init__(self, file: str, messages: Sequence[Message]) -> None:
        self.file, self.messages = file, tuple(messages)
        super().__init__(f"{file} is rejected")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found: the data of ``--json``, and messages by file for people."""

    data: Json
    messages: Sequence[tuple[str, Message]] = ()
    is_rejected: bool = False


class _Checked(Protocol):
    @property
    def messages(self) -> tuple[Message, ...]: ...

    @property
    def outcome(self) -> str: ...


def _accepted(file: str, checked: _Checked) -> None:
    if checked.outcome == "rejected":
        raise Refused(file, checked.messages)


def _qrels(file: str, graded: bool = True, cache: Cache | None = None) -> Qrels:
    def read() -> CheckedQrels:
        return read_qrels(file, graded=graded)

    form = "graded" if graded else "real"
    checked = read() if cache is None else cache.qrels(digest_of(file), form, CheckRules(), read)
    _accepted(file, checked)
    return checked.sound()


def _topics(file: str | None) -> tuple[str, ...] | None:
    if file is None:
        return None
    checked = read_topics(file)
    _accepted(file, checked)
    return tuple(checked.sound())


def _run(file: str, rules: CheckRules, cache: Cache | None = None) -> CheckedRun:
    def read() -> CheckedRun:
        return read_run(file, rules)

    checked = read() if cache is None else cache.run(digest_of(file), rules, read)
    _accepted(file, checked)
    return checked


def _pool(file: str | None) -> Run | Qrels | None:
    """An initial run to be reranked, or a pool of three columns."""
    if file is None:
        return None
    rules = CheckRules()
    with opened(file) as handle:
        text = Text(handle, rules.budgets)
        first = next(iter(chunks(text.blocks(), rules.budgets.line_bytes)), b"")
    if len(first.lstrip().partition(b"\n")[0].split()) != POOL_COLUMNS:
        return _run(file, rules).sound()
    checked = read_pool(file)
    _accepted(file, checked)
    return checked.sound()


def _with_file(file: str, messages: Sequence[Message]) -> list[tuple[str, Message]]:
    return [(file, message) for message in messages]


def check(
    run: str,
    rules: CheckRules,
    *,
    topics: str | None = None,
    qrels: str | None = None,
    pool: str | None = None,
    documents: str | None = None,
) -> Answer:
    """Check a run file against what is known of its task."""
    ids = None
    if documents is not None:
        checked_ids = read_document_ids(documents)
        _accepted(documents, checked_ids)
        ids = checked_ids.sound()
    checked = read_run(
        run,
        rules,
        topics=_topics(topics),
        documents=ids,
        pool=_pool(pool),
        qrels=None if qrels is None else _qrels(qrels),
    )
    data = {
        "outcome": checked.outcome,
        "messages": [message.as_dict() for message in checked.messages],
        "run": checked.summary.as_dict(),
    }
    messages = _with_file(run, checked.messages)
    return Answer(data, messages, is_rejected=checked.outcome == "rejected")


def score(
    run: str,
    qrels: str,
    measures: Sequence[Measure],
    rules: CheckRules,
    *,
    topics: str | None = None,
    averaging: str = "judged",
    graded: bool = True,
    with_intervals: bool = True,
    others: Sequence[OtherMeasure] = (),
    cache: Cache | None = None,
) -> Answer:
    """Score a run against judgments; without intervals where nobody sees them.

    ``others`` are measures that ir_measures computes; their values name the tool.
    """
    judgments = _qrels(qrels, graded, cache)
    checked = _run(run, rules, cache)
    chosen = averaged_topics(averaging, judgments, [checked.sound()], topics=_topics(topics))
    residual_of = {
        measure.name: residuals(checked.sound(), judgments, measure, topics=chosen)
        for measure in measures
        if measure.family == "RBP"
    }
    found: Json = {}
    provider_of = {one.name: one.provider for one in others}
    scores_of = evaluate(checked.sound(), judgments, measures, topics=chosen)
    if others:
        scores_of |= evaluate_others(checked.sound(), judgments, others, topics=chosen)
    for name, scores in scores_of.items():
        average = mean(scores, chosen)
        values = scores.over(chosen)
        defined = values[~np.isnan(values)]
        interval = mean_interval(defined) if with_intervals else None
        found[name] = {"mean": null(average.value)}
        if average.reason is not None:
            found[name]["reason"] = average.reason
        if name in provider_of:
            found[name]["provider"] = provider_of[name]
        if name in residual_of:
            # An RBP says little where much of its weight is on unjudged ranks.
            found[name]["residual"] = null(mean(residual_of[name], chosen, missing=1.0).value)
        if name not in provider_of and name.startswith("ERR"):
            found[name]["max_grade"] = _max_grade(name, judgments)
        found[name] |= {
            "interval": None if interval is None else list(interval),
            "topics": dict(zip(scores.topics, map(null, scores.values.tolist()), strict=True)),
        }
    data: Json = {
        "run": checked.summary.as_dict(),
        "topics_averaged": {"rule": averaging, "count": len(chosen)},
        "measures": found,
        "messages": [message.as_dict() for message in checked.messages],
    }
    return Answer(data, _with_file(run, checked.messages))


def _max_grade(name: str, judgments: Qrels) -> float:
    """The highest grade that ERR is computed with: the one named, or that of the qrels."""
    named = parse(name)["maxgrade"]
    highest = float(judgments.grades.max()) if len(judgments.grades) else 0.0
    return highest if named is None else float(named)


def compare_runs(
    original: str,
    submitted: str,
    qrels: str | None,
    measures: Sequence[Measure],
    rules: CheckRules,
    *,
    depth: int | None = None,
    rbo_p: float = 0.8,
    averaging: str = "judged",
    cache: Cache | None = None,
) -> Answer:
    """Compare a submitted run with the original."""
    judgments = None if qrels is None else _qrels(qrels, cache=cache)
    first, second = _run(original, rules, cache), _run(submitted, rules, cache)
    found = compare(
        first.sound(),
        second.sound(),
        judgments,
        measures,
        depth=depth,
        rbo_p=rbo_p,
        rule=averaging,
    )
    data = found.to_json()
    data |= {"original": first.summary.as_dict(), "submitted": second.summary.as_dict()}
    if judgments is not None:
        data["topics_averaged"] = _averaged(averaging, judgments, (first, second))
    messages = [*_with_file(original, first.messages), *_with_file(submitted, second.messages)]
    return Answer(data, messages)


def _averaged(averaging: str, qrels: Qrels, runs: Sequence[CheckedRun]) -> Json:
    topics = averaged_topics(averaging, qrels, [run.sound() for run in runs])
    return {"rule": averaging, "count": len(topics)}


def effects(
    original: Pair[str],
    submitted: Pair[str],
    qrels: str,
    new_qrels: str | None,
    measures: Sequence[Measure],
    rules: CheckRules,
    *,
    averaging: str = "judged",
    cache: Cache | None = None,
) -> Answer:
    """Compare the effects of a submitted pair of runs with the original's."""
    judgments = _qrels(qrels, cache=cache)
    theirs = None if new_qrels is None else _qrels(new_qrels, cache=cache)
    files = (original.baseline, original.advanced, submitted.baseline, submitted.advanced)
    runs = [_run(file, rules, cache) for file in files]
    found = compare_pairs(
        Pair(runs[0].sound(), runs[1].sound()),
        Pair(runs[2].sound(), runs[3].sound()),
        judgments,
        measures,
        new_qrels=theirs,
        rule=averaging,
    )
    data: Json = {"measures": {name: one.to_json() for name, one in found.items()}}
    data["topics_averaged"] = _averaged(averaging, judgments, runs if theirs is None else runs[:2])
    if theirs is not None:
        data["new_topics_averaged"] = _averaged(averaging, theirs, runs[2:])
    data["collection"] = "same" if theirs is None else "new"
    messages = [
        pair
        for file, run in zip(files, runs, strict=True)
        for pair in _with_file(file, run.messages)
    ]
    return Answer(data, messages)
