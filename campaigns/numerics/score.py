"""Scores a run, or takes over the scores that were given for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from campaigns.numerics.files import UnreadableError, opened, qrels_of, run_of
from campaigns.work import ScoreInput, ScoreResult, Scores
from evaluation import TopicScores, evaluate, read_topic_scores
from evaluation.averaging import averaged_topics, mean
from evaluation.notation import Measure, parse
from evaluation.significance import mean_interval

NOT_GIVEN = "only other scores of this run were given"


def packed(scores: TopicScores) -> bytes:
    """Values as little-endian doubles."""
    return scores.values.astype("<f8").tobytes()


def unpacked(measure: str, scores: Scores) -> TopicScores:
    """Stored values as topic scores."""
    return TopicScores(measure, scores.topics, np.frombuffer(scores.values, dtype="<f8"))


def _given(work: ScoreInput) -> dict[str, TopicScores]:
    found = {}
    for measure, stored in work.given.items():
        with opened(stored) as file:
            checked = read_topic_scores(file, measure)
        if checked.scores is None:
            raise UnreadableError(f"The stored scores of {measure} are not readable.")
        found[measure] = checked.scores
    return found


def _computed(work: ScoreInput) -> Mapping[str, TopicScores]:
    if work.run is None:
        return _given(work)
    run = run_of(work.run, work.rules)
    qrels = qrels_of(work.qrels, is_graded=work.is_graded)
    asked = {name: _under(parse(name), work.clip) for name in work.measures}
    found = evaluate(run, qrels, asked.values(), topics=work.topics, depth=work.depth)
    return {name: found[measure.name] for name, measure in asked.items()}


def _under(measure: Measure, clip: float | None) -> Measure:
    """The measure under the task's gains: utilities of a pool clipped, or as they are."""
    if clip is not None or measure.family != "nDCG" or measure["ideal"] != "pool":
        return measure
    return replace(measure, parameters=tuple({**dict(measure.parameters), "clip": None}.items()))


def score(work: ScoreInput) -> list[ScoreResult]:
    """One result a measure; undefined means have a reason and no value."""
    qrels = qrels_of(work.qrels, is_graded=work.is_graded)
    judged = averaged_topics("judged", qrels, topics=work.topics)
    averaged = averaged_topics(work.averaging, qrels, topics=work.topics)
    computed = _computed(work)
    results = []
    for measure, digest in work.measures.items():
        scores = computed.get(measure)
        if scores is None:
            blank = np.full(len(judged), math.nan, dtype="<f8").tobytes()
            results.append(ScoreResult(digest, None, NOT_GIVEN, None, 0, judged, blank))
            continue
        aligned = TopicScores(measure, judged, scores.over(judged))
        average = mean(aligned, averaged)
        values = [value for value in aligned.over(averaged).tolist() if not math.isnan(value)]
        is_defined = not math.isnan(average.value)
        results.append(
            ScoreResult(
                digest,
                average.value if is_defined else None,
                average.reason or "",
                mean_interval(values) if is_defined else None,
                average.count,
                judged,
                packed(aligned),
            )
        )
    return results
