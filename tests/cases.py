"""Runs every case of a folder: ``python -m tests.cases DIR``.

What the library decides goes through the library, the rest through the services of the site.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from tests import cases_library, site_database
from tests.tally import Tally

TOLERANCE = 1e-6


def agrees(expected: Any, got: Any) -> bool:
    """Whether a value is the expected one; null stands for undefined."""
    if isinstance(got, float) and math.isnan(got):
        got = None
    are_numbers = not any(isinstance(one, bool) for one in (expected, got)) and all(
        isinstance(one, int | float) for one in (expected, got)
    )
    return abs(got - expected) <= TOLERANCE if are_numbers else bool(expected == got)


def run(folder: Path) -> Tally:
    """Run all cases of ``cases.json``; a case passes when all its values agree.

    Call it with Django and a test database at hand.
    """
    from tests import cases_site

    tally = Tally()
    areas = {**cases_library.AREAS, **cases_site.AREAS}
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["cases"]:
        function = areas.get(case["area"])
        if function is None:
            tally.skip(case["area"])
            continue
        try:
            compared = list(function(case, folder))
        except Exception as error:  # noqa: BLE001 - a case that breaks must not hide the rest
            tally.record(case["id"], [("error", None, error, False)])
            continue
        tally.record(
            case["id"], [(key, want, got, agrees(want, got)) for key, want, got in compared]
        )
    return tally


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.cases DIR")
    with site_database.site():
        found = run(Path(sys.argv[1]))
    sys.exit(found.report())
