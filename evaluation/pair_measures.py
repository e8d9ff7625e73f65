"""Measures that compare a submitted run or pair with the original: target, range, whether ranked.

Standard library only, like ``notation``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from evaluation.notation import RANK_DECIMALS

Level = Literal["run", "pair"]


@dataclass(frozen=True, slots=True)
class PairMeasure:
    """One measure of reproduction. ``target`` is its best value, None if it has none."""

    name: str
    label: str
    title: str
    target: float | None
    low: float | None
    high: float | None
    level: Level
    needs_qrels: bool
    is_rankable: bool
    decimals: int = 4

    def rank_key(self, value: float) -> float:
        """Distance to the target, rounded: smaller is better, equal for values that tie.

        >>> ratio = PAIR_MEASURES["effect_ratio"]
        >>> ratio.rank_key(0.9) < ratio.rank_key(1.4)
        True
        """
        if self.target is None:
            raise ValueError(f"{self.label} has no best value and is not ranked.")
        return round(abs(value - self.target), RANK_DECIMALS)


PAIR_MEASURES: Mapping[str, PairMeasure] = MappingProxyType(
    {
        one.name: one
        for one in (
            PairMeasure(
                "kendall_tau_union",
                "KTU",
                "Kendall's tau union, first appearance",
                None,
                -1,
                1,
                "run",
                False,
                False,
            ),
            PairMeasure(
                "kendall_tau_union_sorted",
                "KTU sorted",
                "Kendall's tau union, ids sorted",
                None,
                -1,
                1,
                "run",
                False,
                False,
            ),
            PairMeasure(
                "kendall_tau_union_tied_below",
                "KTU tied below",
                "Kendall's tau union, absent documents tied below",
                1,
                -1,
                1,
                "run",
                False,
                True,
            ),
            PairMeasure(
                "kendall_tau_intersection",
                "KT∩",
                "Kendall's tau on the shared documents",
                1,
                -1,
                1,
                "run",
                False,
                True,
            ),
            PairMeasure(
                "rank_biased_overlap", "RBO", "rank-biased overlap", 1, 0, 1, "run", False, True
            ),
            PairMeasure(
                "overlap",
                "Overlap",
                "share of the original's documents",
                1,
                0,
                1,
                "run",
                False,
                True,
            ),
            PairMeasure(
                "length_coverage",
                "Length",
                "length of the list against the original's",
                None,
                0,
                1,
                "run",
                False,
                False,
            ),
            PairMeasure(
                "arp", "ARP", "average retrieval performance", None, None, None, "run", True, False
            ),
            PairMeasure(
                "delta_arp", "ΔARP", "difference of the means", 0, 0, None, "run", True, True
            ),
            PairMeasure("rmse", "RMSE", "root mean square error", 0, 0, None, "run", True, True),
            PairMeasure("nrmse", "nRMSE", "normalised RMSE", 0, 0, 1, "run", True, True),
            PairMeasure("p_value", "p", "p-value of the t-test", None, 0, 1, "run", True, False, 3),
            PairMeasure("t", "t", "t statistic", None, None, None, "run", True, False, 3),
            PairMeasure("effect_ratio", "ER", "effect ratio", 1, None, None, "pair", True, True, 3),
            PairMeasure(
                "relative_improvement",
                "RI",
                "relative improvement",
                None,
                None,
                None,
                "pair",
                True,
                False,
                3,
            ),
            PairMeasure(
                "delta_ri",
                "ΔRI",
                "delta relative improvement",
                0,
                None,
                None,
                "pair",
                True,
                True,
                3,
            ),
            PairMeasure(
                "distance",
                "Distance",
                "distance to (ER 1, ΔRI 0)",
                0,
                0,
                None,
                "pair",
                True,
                True,
                3,
            ),
            PairMeasure(
                "region", "Region", "region of the ER–ΔRI plane", None, 1, 4, "pair", True, False, 0
            ),
        )
    }
)
