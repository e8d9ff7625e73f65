"""What a list of the collection's document ids costs: a check against 4.6 million of them."""

from __future__ import annotations

import gzip
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.inputs import OWN
from bench.processes import command
from bench.samples import DifferentNumbersError, Promise, Report, Row, Samples, alternate

FOLDER = OWN / "ids"
IDS = 4_600_000
TOPICS, DEPTH = 50, 1000
SECONDS, MEGABYTES = 2.0, 300.0
WITHIN = Promise(1.0, 0.5, is_ceiling=True)
_PARTS = (8, 4, 4, 4, 12)  # hexadecimal digits of a UUID between its hyphens
_WIDTH = sum(_PARTS) + len(_PARTS)


def ids(repeats: int) -> Report:
    """A run of 50 x 1000 against a compressed list of as many ids as NeuCLIR's Russian part."""
    write()
    check = [sys.executable, "-m", "evaluation", "check", "--json"]
    asked = [*check, "--run", str(FOLDER / "run"), "--documents", str(FOLDER / "ids.gz")]
    with tempfile.TemporaryDirectory() as place:
        output = Path(place) / "out"
        side = f"check against {IDS:,} ids"
        found = alternate({side: command(asked, output)}, repeats)[side]
        if '"outcome": "accepted"' not in output.read_text():
            raise DifferentNumbersError("the sound run is not accepted")
    seconds = f"{side}, seconds over {SECONDS:g}"
    memory = f"{side}, peak memory over {MEGABYTES:g} MB"
    rows = (
        Row(seconds, found.wall / SECONDS, found.cpu / SECONDS, WITHIN),
        Row(memory, found.memory / 1e6 / MEGABYTES, None, WITHIN),
    )
    return Report((Samples(side, found.found),), rows, (f"peak {found.memory / 1e6:.0f} MB",))


def write() -> None:
    """Write the list and the run unless they are there."""
    if (FOLDER / "ids.gz").is_file():
        return
    print("writing ids ...", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = _uuids()
    (FOLDER / "run").write_bytes(_run(lines))
    with gzip.open(FOLDER / "partial", "wb", compresslevel=6) as file:
        file.write(lines.tobytes())
    (FOLDER / "partial").rename(FOLDER / "ids.gz")


def _uuids() -> np.ndarray:
    """Lines of UUIDs, a row each."""
    digits = np.random.default_rng(1).bytes(IDS * 16).hex().encode()
    given = np.frombuffer(digits, dtype=np.uint8).reshape(IDS, 32)
    lines = np.full((IDS, _WIDTH), ord("-"), dtype=np.uint8)
    at = start = 0
    for size in _PARTS:
        lines[:, at : at + size] = given[:, start : start + size]
        at, start = at + size + 1, start + size
    lines[:, -1] = ord("\n")
    return lines


def _run(lines: np.ndarray) -> bytes:
    chosen = np.random.default_rng(2).permutation(IDS)[: TOPICS * DEPTH].tolist()
    rows = []
    for place, row in enumerate(chosen):
        topic, rank = divmod(place, DEPTH)
        document = lines[row, :-1].tobytes().decode()
        rows.append(f"{topic} Q0 {document} {rank + 1} {DEPTH - rank} ids\n")
    return "".join(rows).encode()
