"""The files that a bench reads: from the folder named by BENCH_INPUTS, else generated once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bench.generate import SHAPES, write

OWN = Path(__file__).parent.parent / "var" / "bench"


@dataclass(frozen=True, slots=True)
class Files:
    """Judgments and runs of one folder."""

    folder: Path

    @property
    def qrels(self) -> str:
        """The judgments."""
        return str(self.folder / "qrels.txt")

    def run(self, number: int = 0) -> str:
        """A run."""
        return str(self.folder / f"run-{number:02d}.txt")


def files(name: str) -> Files:
    """The files of a name in ``SHAPES``, generated if they are not there."""
    given = Path(os.environ.get("BENCH_INPUTS", OWN)) / name
    if (given / "qrels.txt").is_file():
        return Files(given)
    own = OWN / name
    if not (own / "qrels.txt").is_file():
        print(f"writing {name} ...", flush=True)
        partial = own.with_name(f"{name}.partial")
        write(partial, SHAPES[name])
        partial.rename(own)
    return Files(own)
