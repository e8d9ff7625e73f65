"""Synthetic runs and judgments for a bench: a function of the seed alone under one NumPy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FAULTS = ("columns", "nonfinite", "badscore", "duplicate")


@dataclass(frozen=True, slots=True)
class Shape:
    """What the files of a folder look like.

    ``judged`` is the number of judged documents of a topic, ``faults`` of spoilt lines in a run.
    """

    topics: int
    depth: int = 1000
    judged: int = 300
    runs: int = 2
    score_format: str = ".6f"
    docid: str = "clueweb12-{a:04d}wb-{b:02d}-{c:05d}"
    faults: int = 0
    seed: int = 0


SHAPES = {
    "trec": Shape(50),
    "robust": Shape(250, judged=870, docid="FBIS{b}-{c:06d}"),
    "msmarco": Shape(6980, judged=1, runs=1, docid="{n}"),
    "msmarco-17g": Shape(6980, judged=1, runs=1, docid="{n}", score_format=".17g"),
    "robust-faults": Shape(250, judged=870, docid="FBIS{b}-{c:06d}", faults=1000),
}


def write(folder: Path, shape: Shape) -> None:
    """Write ``qrels.txt``, ``run-00.txt`` and so on, and ``faults.json`` where lines are spoilt."""
    folder.mkdir(parents=True, exist_ok=True)
    outs = [(folder / f"run-{number:02d}.txt").open("w") for number in range(shape.runs)]
    spoilt = _spoilt(shape)
    with (folder / "qrels.txt").open("w") as qrels:
        for topic in range(shape.topics):
            rng = np.random.default_rng([shape.seed, topic])
            ids = _ids(rng, shape)
            grades = np.zeros(len(ids), dtype=np.int64)
            grades[: shape.judged] = rng.choice(4, shape.judged, p=[0.7, 0.17, 0.09, 0.04])
            grades[0] = max(1, grades[0])
            qrels.writelines(f"{topic + 1} 0 {ids[i]} {grades[i]}\n" for i in range(shape.judged))
            appeal = rng.standard_normal(len(ids)) + grades
            for number, out in enumerate(outs):
                noise = (0.6 + 0.25 * number) * rng.standard_normal(len(ids))
                lines = _lines(topic, ids, appeal + noise, number, shape)
                out.writelines(_with_faults(lines, topic * shape.depth, spoilt))
    for out in outs:
        out.close()
    if shape.faults:
        found = [{"line": line + 1, "code": code} for line, code in sorted(spoilt.items())]
        (folder / "faults.json").write_text(json.dumps({"run-00.txt": found}))


def _ids(rng: np.random.Generator, shape: Shape) -> list[str]:
    number = 2 * shape.depth + shape.judged
    drawn = rng.permutation(np.unique(rng.integers(0, 8_000_000, number + number // 2)))[:number]
    return [
        shape.docid.format(n=n, a=n % 1912, b=n // 1912 % 99, c=n % 99991)
        if "{n}" in shape.docid
        else f"{shape.docid.format(a=n % 1912, b=n // 1912 % 99, c=n // 189288)}{n % 99991}"
        for n in drawn.tolist()
    ]


def _lines(topic: int, ids: list[str], scores: np.ndarray, number: int, shape: Shape) -> list[str]:
    best = np.argsort(-scores, kind="stable")[: shape.depth]
    return [
        f"{topic + 1} Q0 {ids[row]} {rank} {20 + 2 * score:{shape.score_format}} run{number:02d}\n"
        for rank, (row, score) in enumerate(
            zip(best.tolist(), scores[best].tolist(), strict=True), start=1
        )
    ]


def _spoilt(shape: Shape) -> dict[int, str]:
    rng = np.random.default_rng([shape.seed, 0, 1])
    # Never the first line of a topic: a duplicate needs a line before it.
    lines = [line for line in range(shape.topics * shape.depth) if line % shape.depth > 1]
    chosen = rng.choice(lines, shape.faults, replace=False) if shape.faults else np.zeros(0, int)
    return {line: FAULTS[place % len(FAULTS)] for place, line in enumerate(chosen.tolist())}


def _with_faults(lines: list[str], first: int, spoilt: dict[int, str]) -> list[str]:
    found = list(lines)
    for place, line in enumerate(lines):
        code = spoilt.get(first + place)
        if code is None:
            continue
        topic, second, document, rank, score, tag = line.split()
        if code == "duplicate":
            document = lines[0].split()[2]
        elif code != "columns":
            score = {"nonfinite": "nan", "badscore": "1,5"}[code]
        fields = [topic, second, document, rank, score, tag]
        found[place] = " ".join(fields[:5] if code == "columns" else fields) + "\n"
    return found
