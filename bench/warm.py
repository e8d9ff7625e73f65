"""What a worker does with an upload: a warm process, judgments that were prepared before."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import inputs, peers
from bench.large import LAST_DIGIT, topics_only
from bench.processes import command, inside
from bench.samples import Promise, Report, Row, Samples, alternate, close, faster
from evaluation import CheckRules, Qrels, TopicScores, evaluate, parse_measure, read_qrels, read_run

PROMISE = Promise(2, 4)
OURS = "evaluation, warm"


def warm(repeats: int) -> Report:
    """50 x 1000 and 250 x 1000 against processes of trec_eval, or of pytrec_eval without one."""
    sides: list[Samples] = []
    rows: list[Row] = []
    for name, size in (("trec", "50 x 1000"), ("robust", "250 x 1000")):
        given = inputs.files(name)
        found = _side_by_side(given, repeats)
        for side in found.values():
            sides.append(Samples(f"{size}: {side.side}", side.found))
            if side.side != OURS:
                work = f"{size}, warm, judgments prepared, {side.side}"
                rows.append(faster(work, found[OURS], side, PROMISE))
    return Report(tuple(sides), tuple(rows))


def scorer(given: inputs.Files, qrels: Qrels) -> Callable[[], dict[str, TopicScores]]:
    """Read a run, check it, score it."""

    def act() -> dict[str, TopicScores]:
        run = read_run(given.run(), CheckRules()).sound()
        return evaluate(run, qrels, peers.MEASURES)

    return act


def prepared(given: inputs.Files) -> Qrels:
    """Judgments that were read and made ready to be looked up."""
    qrels = read_qrels(given.qrels).sound()
    qrels.index()
    return qrels


def _side_by_side(given: inputs.Files, repeats: int) -> dict[str, Samples]:
    commands = {build.label: build.command(given) for build in peers.trec_evals()}
    commands = commands or {"pytrec_eval": peers.pytrec_eval(given)}
    act = scorer(given, prepared(given))
    scores = act()
    with tempfile.TemporaryDirectory() as folder:
        outputs = {side: Path(folder) / side for side in commands}
        sides = {side: command(asked, outputs[side]) for side, asked in commands.items()}
        found = alternate({OURS: inside(act), **sides}, repeats)
        for side, output in outputs.items():
            close(side, _named(scores), topics_only(peers.printed(output)), LAST_DIGIT)
    return found


def _named(scores: dict[str, TopicScores]) -> peers.Values:
    return {
        (_trec_name(name), topic): value
        for name, one in scores.items()
        for topic, value in zip(one.topics, one.values.tolist(), strict=True)
    }


def _trec_name(name: str) -> str:
    return (parse_measure(name).trec_eval_name or name).replace(".", "_")
