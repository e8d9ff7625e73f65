"""The tools that files are scored with beside ours, and their per-topic values."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.inputs import Files

MEASURES = ("nDCG@10", "AP", "P@10", "RR", "R@1000")
TREC_NAMES = ("ndcg_cut.10", "map", "P.10", "recip_rank", "recall.1000")

Values = dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class TrecEval:
    """A build of trec_eval, labelled by its file name and version."""

    path: str

    @property
    def label(self) -> str:
        """Its name in the table."""
        return Path(self.path).name

    @property
    def is_optimised(self) -> bool:
        """Whether it was built with -O3, by its name."""
        return "O3" in self.label

    def version(self) -> str:
        """What it says of itself."""
        found = subprocess.run(
            [self.path, "--version"], capture_output=True, text=True, check=False
        )
        return (found.stdout or found.stderr).strip()

    def command(self, given: Files) -> list[str]:
        """Per-topic values of the five measures."""
        asked = [part for name in TREC_NAMES for part in ("-m", name)]
        return [self.path, "-q", *asked, given.qrels, given.run()]


def trec_evals() -> list[TrecEval]:
    """The builds that TREC_EVAL names, separated by colons, else the one on PATH, if any."""
    named = [path for path in os.environ.get("TREC_EVAL", "").split(os.pathsep) if path]
    found = shutil.which("trec_eval")
    paths = named or ([] if found is None else [found])
    missing = [path for path in paths if not os.access(path, os.X_OK)]
    if missing:
        raise SystemExit(f"TREC_EVAL names {missing[0]}, which cannot be run.")
    return [TrecEval(path) for path in paths]


def ours(given: Files) -> list[str]:
    """Our command for the same values."""
    asked = [part for name in MEASURES for part in ("--measure", name)]
    files = ["--qrels", given.qrels, "--run", given.run()]
    shown = ["--per-topic", "--format", "trec"]
    return [sys.executable, "-m", "evaluation", "score", *files, *asked, *shown]


def pytrec_eval(given: Files) -> list[str]:
    """pytrec_eval-terrier with its own parser, for the same values."""
    return [sys.executable, "-m", "bench.pytrec_process", given.qrels, given.run()]


def printed(output: Path) -> Values:
    """Values by measure and topic that a command printed; what is no value is left out."""
    found: Values = {}
    with output.open() as lines:
        for line in lines:
            name, topic, value = line.split()
            if name not in ("runid", "num_q"):
                found[name, topic] = float(value)
    return found
