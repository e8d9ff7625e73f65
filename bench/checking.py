"""What checks cost: of a sound file over scoring alone, of a faulty file over a sound one."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable

from bench import inputs
from bench.peers import MEASURES
from bench.processes import inside
from bench.samples import DifferentNumbersError, Promise, Report, alternate, close, longer
from bench.warm import prepared, scorer
from evaluation import CheckedRun, CheckRules, Message, evaluate, read_run

CHECK, FAULTS = Promise(1.15, 1.05, is_ceiling=True), Promise(2, 1.3, is_ceiling=True)

KINDS = {
    "columns": "wrong_column_count",
    "nonfinite": "score_not_finite",
    "badscore": "bad_score",
    "duplicate": "duplicate_document",
    "unknown": "unknown_topic",
}
_IN_ALL = re.compile(r"(\d+) in all$")


def check(repeats: int) -> Report:
    """250 x 1000: every check of a task that is strict, over reading and scoring without one.

    The reader itself finds malformed lines and duplicates, so that scoring alone has them too.
    """
    given = inputs.files("robust")
    qrels = prepared(given)
    alone = scorer(given, qrels)
    rules = CheckRules(depth=1000, tag_pattern=r"run\d\d")

    def full() -> object:
        checked = read_run(given.run(), rules, topics=qrels.topics, qrels=qrels)
        return evaluate(checked.sound(), qrels, MEASURES)

    alone(), full()
    found = alternate({"full check and scores": inside(full), "scores": inside(alone)}, repeats)
    both = [*found.values()]
    rows = (longer("full check of a sound file over scoring alone", *both, CHECK),)
    return Report(tuple(both), rows)


def faults(repeats: int) -> Report:
    """250 x 1000: a file with 1,000 faults over a sound one; each kind must be counted right."""
    sound, faulty = inputs.files("robust"), inputs.files("robust-faults")
    qrels = prepared(sound)

    def read(given: inputs.Files) -> CheckedRun:
        return read_run(given.run(), topics=qrels.topics)

    planted = json.loads((faulty.folder / "faults.json").read_text())["run-00.txt"]
    expected = Counter(KINDS[one["code"]] for one in planted)
    lines = {one["line"] for one in planted}
    found = read(faulty).messages
    close("faults", dict(expected), {kind: _counted(found, kind) for kind in expected}, 0)
    if any(one.kind in expected and one.line and one.line not in lines for one in found):
        raise DifferentNumbersError("a fault is named at a line that has none")
    if read(sound).outcome == "rejected":
        raise DifferentNumbersError("the sound file is rejected")
    sides = {"1,000 faults": inside(lambda: read(faulty)), "sound": inside(lambda: read(sound))}
    both = [*alternate(sides, repeats).values()]
    rows = (longer("a file with 1,000 faults over a sound one", *both, FAULTS),)
    return Report(tuple(both), rows)


def _counted(messages: Iterable[Message], kind: str) -> int:
    """Faults of a kind: those listed, or as many as the message that counts the rest says."""
    own = [one for one in messages if one.kind == kind]
    in_all = [found for one in own if (found := _IN_ALL.search(one.text))]
    return int(in_all[0][1]) if in_all else len(own)
