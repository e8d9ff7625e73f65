"""``python -m bench.pytrec_process QRELS RUN``: per-topic values by pytrec_eval with its parser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval

MEASURES = {"ndcg_cut.10", "map", "P.10", "recip_rank", "recall.1000"}


def main(qrels: str, run: str) -> None:
    """Print values as trec_eval does."""
    with Path(qrels).open() as judged, Path(run).open() as ranked:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judged), MEASURES)
        found = evaluator.evaluate(pytrec_eval.parse_run(ranked))
    totals: dict[str, list[float]] = {}
    for topic, values in found.items():
        for name, value in values.items():
            print(f"{name:<22}\t{topic}\t{value:.4f}")
            totals.setdefault(name, []).append(value)
    for name, all_values in totals.items():
        print(f"{name:<22}\tall\t{sum(all_values) / len(all_values):.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
