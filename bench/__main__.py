"""``python -m bench [SUBSET ...]``: how fast, side by side in one sitting, and at which memory.

Prints what was compared, every sample, medians, and a table with what was promised and its misses.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from bench import checking, collections, comparing, large, peers, uncertainty, warm
from bench.samples import REPEATS, Report
from bench.table import markdown, samples_lines
from evaluation.memory import keep_freed_memory

SUBSETS = {
    "lines": large.lines,
    "digits": large.digits,
    "warm": warm.warm,
    "check": checking.check,
    "faults": checking.faults,
    "ids": collections.ids,
    "alike": comparing.alike,
    "bootstrap": uncertainty.bootstrap,
    "pairs": uncertainty.pairs,
}
LIBRARIES = ("numpy", "scipy", "pytrec_eval-terrier", "repro_eval")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subsets", nargs="*", metavar="SUBSET", help=f"of {', '.join(SUBSETS)}")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="samples of each side")
    parser.add_argument("--table", type=Path, help="also write the table and samples, Markdown")
    options = parser.parse_args()
    wrong = [name for name in options.subsets if name not in SUBSETS]
    if wrong or options.repeats < 1:
        parser.error(f"no subset is called {wrong[0]}" if wrong else "at least one sample")
    return options


def _setting() -> list[str]:
    builds = [f"{build.label}: {build.version()}" for build in peers.trec_evals()]
    found = builds or ["no trec_eval on PATH or in TREC_EVAL: pytrec_eval-terrier in its place"]
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return [f"{os.cpu_count()} cores, Python {platform.python_version()}, {libraries}", *found]


def main() -> int:
    """Measure; 1 when something that must be reached was missed."""
    options = _arguments()
    keep_freed_memory()  # as the command and the workers do
    said = _setting()
    print("\n".join(said), flush=True)
    reports: list[Report] = []
    for name in options.subsets or SUBSETS:
        print(f"\n{name}", flush=True)
        report = SUBSETS[name](options.repeats)
        print("\n".join([*report.notes, *samples_lines(report)]), flush=True)
        reports.append(report)
    table = markdown(reports)
    print(f"\n{table}")
    if options.table is not None:
        samples = [line for report in reports for line in samples_lines(report)]
        text = "\n".join([*said, "", table, "", "```", *samples, "```", ""])
        options.table.write_text(text)
    return int(any(row.verdict == "missed" for report in reports for row in report.rows))


if __name__ == "__main__":
    sys.exit(main())
