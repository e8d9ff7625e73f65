"""What the library gives for our own worked cases, which follow the format of the golden files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.data import Qrels, Run
from evaluation.effectiveness import Joined, join
from evaluation.effectiveness.err import expected_reciprocal_rank
from evaluation.effectiveness.judged import judged
from evaluation.effectiveness.rbp import rank_biased_precision, residual
from evaluation.equivalence import equivalence
from evaluation.intervals import percentile_interval
from evaluation.letters import tukey_letters
from evaluation.multiple import holm
from evaluation.significance import difference_interval, mean_interval

Case = Mapping[str, Any]
Values = dict[str, Any]


def _joined(case: Case) -> Joined:
    ranking = {name: -float(place) for place, name in enumerate(case["inputs"]["ranking"])}
    return join(Run.of({"1": ranking}), Qrels.of({"1": case["inputs"]["qrels"]}))


def effectiveness(case: Case, folder: Path) -> Values:
    del folder
    joined, params = _joined(case), case["params"]
    cutoff, p = params["cutoff"], params.get("p", 0.8)
    found = {
        "rbp": rank_biased_precision(joined, cutoff, p=p),
        "rbp_residual": residual(joined, cutoff, p=p),
        "err": expected_reciprocal_rank(joined, cutoff, params.get("maxgrade")),
        "judged": judged(joined, cutoff or int(joined.retrieved().sum()) or 1),
    }
    return {name: float(values[0]) for name, values in found.items()}


def tost(case: Case, folder: Path) -> Values:
    del folder
    given = case["inputs"]
    found = equivalence(given["original"], given["submitted"], case["params"]["bound"])
    return {
        "smallest_bound": found.smallest_bound,
        "p_tost": found.p_value,
        "is_equivalent": found.is_equivalent,
    }


def corrected(case: Case, folder: Path) -> Values:
    del folder
    return {"corrected": holm(case["inputs"]["p_values"]).tolist()}


def letters(case: Case, folder: Path) -> Values:
    del folder
    found = tukey_letters(case["inputs"]["scores"], "0" * 64, "judged")
    return {"letters": list(found.letters)}


def interval(case: Case, folder: Path) -> Values:
    del folder
    given = case["inputs"]
    functions = {
        "mean": lambda: mean_interval(given["first"]),
        "difference": lambda: difference_interval(given["first"], given["second"]),
        "percentile": lambda: percentile_interval(given["first"]).interval,
    }
    found = functions[case["params"]["of"]]()
    return {"limits": None if found is None else list(found)}


OWN_KINDS = {
    "effectiveness": effectiveness,
    "tost": tost,
    "holm": corrected,
    "letters": letters,
    "interval": interval,
}
