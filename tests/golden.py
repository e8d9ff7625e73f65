"""Runs every golden case through the library: ``python -m tests.golden DIR``."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden_kinds import KINDS, Case
from tests.tally import Tally

TOLERANCE = 1e-9
P_VALUE_TOLERANCE = 1e-6
ABSENT = object()


def entries(expected: Any, got: Any, key: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Each expected value with what the library gives; ABSENT where it offers none."""
    if isinstance(expected, list) and any(isinstance(value, float) for value in expected):
        # Limits are compared with the tolerance, one by one.
        expected = {str(place): value for place, value in enumerate(expected)}
        got = dict(zip(expected, got, strict=False)) if isinstance(got, list) else got
    if not isinstance(expected, dict):
        yield key, expected, got
        return
    for name, value in expected.items():
        inner = got.get(name, ABSENT) if isinstance(got, dict) else ABSENT
        yield from entries(value, inner, f"{key}.{name}" if key else name)


def agrees(key: str, expected: Any, got: Any) -> bool:
    """Whether a value is the expected one; null stands for undefined."""
    if isinstance(got, float) and math.isnan(got):
        got = None
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return bool(expected == got)
    if isinstance(got, bool) or not isinstance(got, int | float):
        return False
    gap = abs(got - expected)
    is_p_value = key.startswith("p_")
    return gap <= TOLERANCE * max(1.0, abs(expected)) and (
        not is_p_value or gap <= P_VALUE_TOLERANCE * abs(expected)
    )


def run_case(case: Case, folder: Path, tally: Tally) -> None:
    """Compare one case, key by key."""
    function = KINDS.get(case["kind"])
    got = function(case, folder) if function else ABSENT
    for key, expected, value in entries(case["expected"], got):
        if value is ABSENT:
            tally.skip(f"{case['kind']}.{key}")
        else:
            is_good = agrees(key, expected, value)
            tally.record(case["id"], [(key, expected, value, is_good)])


def run(folder: Path) -> Tally:
    """Run all cases of all JSON files of a folder laid out like the golden files."""
    tally = Tally()
    for path in sorted(folder.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            try:
                run_case(case, folder, tally)
            except Exception as error:  # noqa: BLE001 - a case that breaks must not hide the rest
                tally.record(f"{path.name} {case['id']}", [("error", None, error, False)])
    return tally


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.golden DIR")
    sys.exit(run(Path(sys.argv[1])).report())
