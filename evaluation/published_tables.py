"""The tables of the SIGIR 2020 paper, computed again from its published per-topic scores.

Breuer, Ferro, Fuhr, Maistro, Sakai, Schaer and Soboroff: How to Measure the Reproducibility of
System-oriented IR Experiments. SIGIR 2020.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluation.agreement import agreement_matrix
from evaluation.averaging import average
from evaluation.deviation import arp, delta_arp, nrmse, rmse
from evaluation.effects import effects
from evaluation.published_series import (
    ADVANCED,
    BASELINE,
    CONSTELLATIONS,
    CUTOFFS,
    MEASURES,
    NAME_OF,
    NAMED,
    ORIGINALS,
    RUNS,
    Folder,
    column,
)
from evaluation.significance import paired_t, pooled_t, welch_t

Json = dict[str, Any]


class PaperTables:
    """Everything that the paper derives from per-topic scores, under the names of its layout."""

    def __init__(self, folder: Path) -> None:
        self.folder = Folder(folder)

    @cached_property
    def replicability(self) -> Json:
        """All 50 constellations on the same collection, run by run."""
        return {run: self._replicability(run) for run in RUNS}

    @cached_property
    def reproducibility(self) -> Json:
        """All 50 constellations on the new collection, run by run."""
        return {run: self._reproducibility(run) for run in RUNS}

    @cached_property
    def effects(self) -> Json:
        """ER, RI, ΔRI and region of all 50 pairs on either collection."""
        return {
            "replicability": self._effects("rpl"),
            "reproducibility": self._effects("rpd"),
        }

    @cached_property
    def tables(self) -> Json:
        """Tables 1 to 3 and the appendix: the 20 named constellations, in the paper's order."""
        return {
            "table1": self._similarity_table(BASELINE),
            "appendix_table1": self._similarity_table(ADVANCED),
            "table2": {
                name: {
                    f"er_{kind}": {m: found[str(number)][m]["er"] for m in MEASURES}
                    for kind, found in self.effects.items()
                }
                for name, number in NAMED.items()
            },
            "table3": self._new_collection_table(BASELINE),
            "appendix_table2": self._new_collection_table(ADVANCED),
            "appendix_table3": {
                f"rpd_{name}": {
                    run: found["runs"][str(number)]["p_unpaired_rpl_vs_rpd"]
                    for run, found in self.reproducibility.items()
                }
                for name, number in NAMED.items()
            },
        }

    @cached_property
    def table4_correlations(self) -> Json:
        """Agreement of the measures on the same collection."""
        series = {run: self._same_collection_series(run) for run in RUNS}
        return {"order": [*series[BASELINE]], **_matrices(series)}

    @cached_property
    def table5_correlations(self) -> Json:
        """Agreement of p-values and ER on the new collection.

        Its p-values go down to 1e-34, so they are rounded to 12 digits, not to 12 decimals.
        """
        series = {
            run: self._of_runs(self.reproducibility[run], {"p_value": "p_unpaired"})
            | self._effect_ratios("reproducibility")
            for run in RUNS
        }
        return {"order": [*series[BASELINE]], **_matrices(series, by_digits="p_value")}

    def _replicability(self, run: str) -> Json:
        scores = {m: self.folder.replicated(run, m) for m in MEASURES}
        original = {m: one.of(ORIGINALS[run]) for m, one in scores.items()}
        taus = {k: self.folder.replicated(run, f"tau_union_{k}") for k in CUTOFFS}
        overlaps = {k: self.folder.replicated(run, f"rbo_ext_{k}_p08") for k in CUTOFFS}
        curve = {k: self.folder.replicated(run, f"ndcg{k}") for k in CUTOFFS}
        found: Json = {}
        for number in CONSTELLATIONS:
            name = column("rpl", run, number)
            replicated = {m: one.of(name) for m, one in scores.items()}
            pairs = {m: (original[m], replicated[m]) for m in MEASURES}
            tests = {m: paired_t(*pair) for m, pair in pairs.items()}
            found[str(number)] = {
                "constellation": number,
                "name": NAME_OF.get(number),
                "arp": {m: arp(one) for m, one in replicated.items()},
                "delta_arp": {m: delta_arp(*pair) for m, pair in pairs.items()},
                "tau_union": {str(k): average(one.of(name).tolist()) for k, one in taus.items()},
                "rbo_ext_p08": {
                    str(k): average(one.of(name).tolist()) for k, one in overlaps.items()
                },
                "rmse": {m: rmse(*pair) for m, pair in pairs.items()},
                "rmse_ndcg": {
                    str(k): rmse(one.of(ORIGINALS[run]), one.of(name)) for k, one in curve.items()
                },
                "nrmse": {m: nrmse(*pair) for m, pair in pairs.items()},
                "t_paired": {m: test.t for m, test in tests.items()},
                "p_paired": {m: test.p_value for m, test in tests.items()},
            }
        return {"original": _original(original), "runs": found}

    def _reproducibility(self, run: str) -> Json:
        original = {m: self.folder.original(run, m).of(ORIGINALS[run]) for m in MEASURES}
        scores = {m: self.folder.reproduced(run, m) for m in MEASURES}
        same = {m: self.folder.replicated(run, m) for m in MEASURES}
        found: Json = {}
        for number in CONSTELLATIONS:
            new = {m: one.of(column("rpd", run, number)) for m, one in scores.items()}
            tests = {m: pooled_t(original[m], new[m]) for m in MEASURES}
            found[str(number)] = {
                "constellation": number,
                "name": NAME_OF.get(number),
                "arp": {m: arp(one) for m, one in new.items()},
                "t_unpaired": {m: test.t for m, test in tests.items()},
                "p_unpaired": {m: test.p_value for m, test in tests.items()},
                "p_welch": {m: welch_t(original[m], new[m]).p_value for m in MEASURES},
                "p_unpaired_rpl_vs_rpd": {
                    m: pooled_t(same[m].of(column("rpl", run, number)), new[m]).p_value
                    for m in MEASURES
                },
            }
        topics = len(scores[MEASURES[0]].topics)
        return {"original": _original(original), "n_topics": topics, "runs": found}

    def _effects(self, kind: str) -> Json:
        read = self.folder.replicated if kind == "rpl" else self.folder.reproduced
        original = {
            m: [self.folder.original(run, m).of(ORIGINALS[run]) for run in RUNS] for m in MEASURES
        }
        scores = {m: {run: read(run, m) for run in RUNS} for m in MEASURES}
        found: Json = {}
        for number in CONSTELLATIONS:
            found[str(number)] = {"constellation": number, "name": NAME_OF.get(number)}
            for m in MEASURES:
                pair = [scores[m][run].of(column(kind, run, number)) for run in RUNS]
                one = effects(*original[m], *pair)
                found[str(number)][m] = {
                    "er": one.effect_ratio,
                    "ri_original": one.relative_improvement_original,
                    "ri_prime": one.relative_improvement_submitted,
                    "delta_ri": one.delta_ri,
                    "region": one.region,
                }
        return found

    def _similarity_table(self, run: str) -> Json:
        found = self.replicability[run]
        deepest = str(CUTOFFS[-1])
        rows = {}
        for name, number in NAMED.items():
            one = found["runs"][str(number)]
            rows[f"rpl_{name}"] = {
                "arp": one["arp"],
                "tau": one["tau_union"][deepest],
                "rbo": one["rbo_ext_p08"][deepest],
                "rmse": one["rmse"],
                "p": one["p_paired"],
            }
        return {"original": found["original"]["arp"], "runs": rows}

    def _new_collection_table(self, run: str) -> Json:
        runs = self.reproducibility[run]["runs"]
        return {
            f"rpd_{name}": {
                "arp": runs[str(number)]["arp"],
                "p": runs[str(number)]["p_unpaired"],
            }
            for name, number in NAMED.items()
        }

    def _same_collection_series(self, run: str) -> dict[str, list[float]]:
        found = self.replicability[run]
        runs, deepest = found["runs"].values(), str(CUTOFFS[-1])
        return (
            self._of_runs(found, {"delta_arp": "delta_arp"})
            | {"tau": [one["tau_union"][deepest] for one in runs]}
            | {"rbo": [one["rbo_ext_p08"][deepest] for one in runs]}
            | self._of_runs(found, {"rmse": "rmse", "p_value": "p_paired"})
            | self._effect_ratios("replicability")
        )

    @staticmethod
    def _of_runs(found: Json, keys: dict[str, str]) -> dict[str, list[float]]:
        return {
            f"{name}_{m}": [one[key][m] for one in found["runs"].values()]
            for name, key in keys.items()
            for m in MEASURES
        }

    def _effect_ratios(self, kind: str) -> dict[str, list[float]]:
        found = self.effects[kind].values()
        return {f"er_{m}": [one[m]["er"] for one in found] for m in MEASURES}


def _original(scores: Json) -> Json:
    return {
        "arp": {m: arp(one) for m, one in scores.items()},
        "n_topics": len(scores[MEASURES[0]]),
    }


def _matrices(series: dict[str, dict[str, list[float]]], by_digits: str | None = None) -> Json:
    """For each run: from values as they are, rounded to 12, and of the 20 named ones."""
    found: Json = {}
    named = [number - CONSTELLATIONS.start for number in NAMED.values()]
    for run, measures in series.items():
        few = {name: _picked(values, named) for name, values in measures.items()}
        found[run] = agreement_matrix(measures, decimals=None)
        found[f"{run}_rounded12"] = agreement_matrix(measures, by_digits=by_digits)
        found[f"{run}_named20"] = agreement_matrix(few, decimals=None)
    return found


def _picked(values: list[float], places: Iterable[int]) -> list[float]:
    return [values[place] for place in places]
