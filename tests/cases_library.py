"""Cases that the library alone decides: files, ids, scores, content, scoring, reproducibility."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.averaging import averaged_topics, mean
from evaluation.comparison import compare_rankings
from evaluation.data import Qrels, Run
from evaluation.deviation import rmse
from evaluation.effectiveness import evaluate
from evaluation.effects import effects
from evaluation.errors import Message
from evaluation.judgments import read_qrels
from evaluation.ordering import rank_biased_overlap
from evaluation.rules import Budgets, CheckRules
from evaluation.significance import paired_t
from evaluation.topics import read_topics
from evaluation.trec import read_run

Case = Mapping[str, Any]
Compared = Iterator[tuple[str, Any, Any]]

AVERAGED = {"all_topics_in_qrels": "judged"}
MISSING = {"warn_and_score_zero": "warning", "reject": "error"}
NORMALISED = re.compile(r"rbo_truncated_normalised\(p=([0-9.]+),depth=([0-9]+)\)")
EXTRAPOLATED = re.compile(r"rbo_ext\(p=([0-9.]+)\)")


def rules_of(case: Case) -> CheckRules:
    """The rules of the case's task."""
    limits = case["task"]["limits"]
    return CheckRules(
        levels={"missing_topic": MISSING[limits["missing_topics"]]},
        depth=limits["max_docs_per_topic"],
        tag_pattern=limits["tag_pattern"],
        budgets=Budgets(upload_bytes=limits["max_file_bytes"]),
    )


def topics_of(case: Case, folder: Path) -> tuple[str, ...]:
    return tuple(read_topics(folder / case["task"]["topics"]).sound())


def messages_of(case: Case, messages: tuple[Message, ...]) -> Compared:
    """Each expected message with the one of the same level, line and kind."""
    found = {(message.level, message.line, message.kind) for message in messages}
    for expected in case["expect"]["messages"]:
        wanted = (expected["level"], expected["line"], expected["kind"])
        yield "message", wanted, wanted if wanted in found else sorted(found, key=str)


def run_case(case: Case, folder: Path) -> Compared:
    """A run file: its outcome, its messages, its scores."""
    topics = topics_of(case, folder)
    qrels = read_qrels(folder / case["task"]["qrels"]).sound()
    checked = read_run(folder / case["input"], rules_of(case), topics=topics, qrels=qrels)
    yield "outcome", case["expect"]["outcome"], checked.outcome
    yield from messages_of(case, checked.messages)
    if "scores" in case["expect"]:
        yield from scores_of(case, checked.sound(), qrels, topics)


def scores_of(case: Case, run: Run, qrels: Qrels, topics: tuple[str, ...]) -> Compared:
    expected = case["expect"]["scores"]
    rule = AVERAGED[case["task"]["limits"]["topics_averaged"]]
    chosen = averaged_topics(rule, qrels, [run], topics=topics)
    yield "topics_averaged", expected["topics_averaged"], len(chosen)
    found = evaluate(run, qrels, case["task"]["measures"], topics=chosen)
    for name, value in expected["mean"].items():
        yield f"mean {name}", value, mean(found[name], chosen).value
    for topic, values in expected["per_topic"].items():
        for name, value in values.items():
            yield f"{topic} {name}", value, float(found[name].over([topic])[0])


def qrels_case(case: Case, folder: Path) -> Compared:
    """A qrels file: its outcome and messages, and a score where one is given."""
    checked = read_qrels(
        folder / case["input"],
        graded=case["task"]["limits"].get("gains") != "real",
        topics=topics_of(case, folder),
    )
    yield "outcome", case["expect"]["outcome"], checked.outcome
    yield from messages_of(case, checked.messages)
    wanted = dict(case["expect"].get("score_check", {}))
    order = wanted.pop("run_order", [])
    for name, value in wanted.items():
        qrels = checked.sound()
        ranked = {document: float(-place) for place, document in enumerate(order)}
        topic = next(t for t in qrels.topics if set(order) <= {*map(bytes.decode, qrels.judged(t))})
        found = evaluate(Run.of({topic: ranked}), qrels, [name])
        yield name, value, float(found[name].over([topic])[0])


def reproducibility_case(case: Case, folder: Path) -> Compared:
    """Two runs, or scores of two runs or pairs."""
    expect, scenario = case["expect"], case.get("scenario", {})
    if "pair" in expect:
        yield from ranking_case(case, folder)
    if "p_value" in expect:
        pair = scenario["paired"]
        test = paired_t(pair["original"], pair["reproduced"])
        yield "p_value", expect["p_value"], test.p_value
    if "effect_ratio" in expect:
        first, second = scenario["original"], scenario["reproduced"]
        found = effects(
            first["baseline"], first["advanced"], second["baseline"], second["advanced"]
        )
        yield "effect_ratio", expect["effect_ratio"], found.effect_ratio
        yield "delta_ri", expect["delta_relative_improvement"], found.delta_ri
    if "rmse_advanced" in expect:
        first, second = scenario["original"], scenario["reproduced"]
        yield "rmse", expect["rmse_advanced"], rmse(first["advanced"], second["advanced"])


def ranking_case(case: Case, folder: Path) -> Compared:
    pair = {
        side: read_run(folder / case["id"] / name).sound()
        for side, name in case["expect"]["pair"].items()
    }
    original, submitted = pair["original"], pair["reproduced"]
    for key, value in case["expect"]["expected"].items():
        if normalised := NORMALISED.fullmatch(key):
            p, depth = float(normalised[1]), int(normalised[2])
            values = [
                rank_biased_overlap(
                    original.ranking(topic),
                    submitted.ranking(topic),
                    p=p,
                    depth=depth,
                    variant="normalised",
                )
                for topic in original.topics
            ]
            yield key, value, sum(values) / len(values)
        elif extrapolated := EXTRAPOLATED.fullmatch(key):
            found = compare_rankings(original, submitted, rbo_p=float(extrapolated[1]))
            yield key, value, found["rank_biased_overlap"].mean.value
        else:
            yield key, value, compare_rankings(original, submitted)[key].mean.value


AREAS: Mapping[str, Callable[[Case, Path], Compared]] = {
    **dict.fromkeys(("run-format", "ids", "scores", "content", "scoring"), run_case),
    "qrels": qrels_case,
    "reproducibility": reproducibility_case,
}
