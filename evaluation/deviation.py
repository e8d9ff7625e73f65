"""How far a submitted run's scores are from the original's: ARP, RMSE, nRMSE."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.averaging import average


def _aligned(
    original: ArrayLike, submitted: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    first = np.asarray(original, dtype=np.float64)
    second = np.asarray(submitted, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError(f"Scores of {first.size} topics against scores of {second.size}.")
    return first, second


def arp(scores: ArrayLike) -> float:
    """Average retrieval performance: the mean of a measure over topics.

    ARP = (1/n) sum of M_j. NaN without topics. Breuer et al., SIGIR 2020.

    >>> arp([0.25, 0.75])
    0.5
    """
    return average(np.asarray(scores, dtype=np.float64).tolist())


def delta_arp(original: ArrayLike, submitted: ArrayLike) -> float:
    """Absolute difference of two means; the topics may differ.

    delta ARP = |ARP - ARP'|. At least 0; NaN when a side has no topics. Breuer et al., SIGIR 2020.

    >>> delta_arp([0.25, 0.75], [0.25, 0.25])
    0.25
    """
    return abs(arp(original) - arp(submitted))


def rmse(original: ArrayLike, submitted: ArrayLike) -> float:
    """Root mean square error between the scores of the same topics.

    RMSE = sqrt((1/n) sum of (M_j - M'_j)^2). At least 0, and 0 only for equal scores; NaN without
    topics. Breuer et al., SIGIR 2020.

    >>> round(rmse([0.2, 0.4], [0.25, 0.45]), 4)
    0.05
    """
    first, second = _aligned(original, submitted)
    return math.sqrt(average(((first - second) ** 2).tolist()))


def nrmse(original: ArrayLike, submitted: ArrayLike) -> float:
    """RMSE as a share of the largest RMSE possible against these original scores.

    nRMSE = RMSE / sqrt((1/n) sum of max(M_j, 1 - M_j)^2), for measures in [0, 1]. Range [0, 1];
    the denominator is at least 0.5. NaN without topics and for scores outside [0, 1]. As in
    repro_eval 0.5.

    >>> round(nrmse([0.0, 1.0], [0.5, 0.5]), 4)
    0.5
    """
    first, second = _aligned(original, submitted)
    if first.size and (min(first.min(), second.min()) < 0 or max(first.max(), second.max()) > 1):
        return math.nan
    return rmse(first, second) / math.sqrt(average((np.maximum(first, 1 - first) ** 2).tolist()))
