"""What the library gives for the golden cases of the frozen bootstrap."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.averaging import averaged_topics
from evaluation.intervals import effect_ratio_interval, rmse_interval
from evaluation.judgments import read_qrels
from evaluation.resampling import Resampling


def bootstrap(case: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    del folder
    given, params = case["inputs"], case["params"]
    qrels = read_qrels(given["qrels_text"].encode()).sound()
    topics = averaged_topics(params["rule"], qrels)
    drawn = Resampling(qrels.sha256, params["rule"], len(topics), params["B"])
    places = drawn.indices().ravel()
    sides = ("original", "submitted")
    first, second = (
        [[given[side][topic][member] for topic in topics] for member in (0, 1)] for side in sides
    )
    rmse = rmse_interval(first[0], second[0], drawn, params["level"])
    ratio = effect_ratio_interval(*first, *second, drawn, level=params["level"])
    return {
        "qrels_sha256": qrels.sha256,
        "first_indices": places[: len(case["expected"]["first_indices"])].tolist(),
        "index_sum": int(places.sum()),
        "dropped": ratio.dropped + rmse.dropped,
        "rmse_baseline_interval": list(rmse.interval or ()),
        "effect_ratio_percentiles": list(ratio.percentiles or ()),
    }
