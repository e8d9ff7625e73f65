"""How alike two rankings of a topic are: Kendall's tau, rank-biased overlap, overlap.

A ranking is a sequence of document ids, best first, without repeats. ``depth`` cuts both lists
first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.agreement import kendall_tau_b

Ranking = Sequence[bytes]
UnionVariant = Literal["first_appearance", "sorted", "tied_below"]
OverlapVariant = Literal["ext", "min", "truncated", "normalised"]

UNION_VARIANTS: tuple[UnionVariant, ...] = ("first_appearance", "sorted", "tied_below")
OVERLAP_VARIANTS: tuple[OverlapVariant, ...] = ("ext", "min", "truncated", "normalised")


def kendall_tau_union(
    original: Ranking,
    submitted: Ranking,
    *,
    variant: UnionVariant = "first_appearance",
    depth: int | None = None,
) -> float:
    """Kendall's tau over the union of two rankings, in one of three forms.

    ``first_appearance`` (the paper's text) and ``sorted`` (its published tables, repro_eval): cut
    both to the shorter length, list the union in order of first appearance, or sorted by the
    bytes of the ids; tau between the places of the documents of one ranking and of the other,
    rank by rank. NaN for fewer than two ranks. Neither may rank anything: disjoint rankings reach
    +1, and ``sorted`` changes with the spelling of ids.
    ``tied_below``: every document of the union in both rankings, absent ones tied below the last,
    tau-b; symmetric, negative for disjoint rankings. NaN when a list is empty or nothing varies.
    Range [-1, 1]. Breuer et al., SIGIR 2020, section 3.1.

    >>> kendall_tau_union([b"1", b"2", b"3"], [b"1", b"2", b"4"])
    1.0
    >>> round(kendall_tau_union([b"1", b"2", b"3", b"4"], [b"2", b"5", b"3", b"6"]), 4)
    0.6667
    """
    first, second = original[:depth], submitted[:depth]
    if variant == "tied_below":
        return _tied_below(first, second)
    shorter = min(len(first), len(second))
    first, second = first[:shorter], second[:shorter]
    union = dict.fromkeys([*first, *second])
    ordered = sorted(union) if variant == "sorted" else list(union)
    place = {document: number for number, document in enumerate(ordered)}
    return kendall_tau_b(
        [place[document] for document in first], [place[document] for document in second]
    )


def _tied_below(first: Ranking, second: Ranking) -> float:
    if not first or not second:
        return math.nan
    here = {document: number for number, document in enumerate(first)}
    there = {document: number for number, document in enumerate(second)}
    union = list({**here, **there})
    return kendall_tau_b(
        [here.get(document, len(first)) for document in union],
        [there.get(document, len(second)) for document in union],
    )


def kendall_tau_intersection(
    original: Ranking, submitted: Ranking, *, depth: int | None = None
) -> float:
    """Kendall's tau between the ranks of the documents that both rankings hold.

    Range [-1, 1]; NaN for fewer than two shared documents. Symmetric. To be read with the
    overlap, since it says nothing about the documents that are not shared.

    >>> kendall_tau_intersection([b"1", b"2", b"3", b"4"], [b"2", b"5", b"3", b"6"])
    1.0
    """
    there = {document: number for number, document in enumerate(submitted[:depth])}
    ranks = [there[document] for document in original[:depth] if document in there]
    return kendall_tau_b(range(len(ranks)), ranks)


def shared_documents(original: Ranking, submitted: Ranking, *, depth: int | None = None) -> int:
    """Number of documents that both rankings hold.

    >>> shared_documents([b"1", b"2", b"3"], [b"3", b"4", b"1"], depth=2)
    0
    """
    return len(set(original[:depth]).intersection(submitted[:depth]))


def overlap(original: Ranking, submitted: Ranking, *, depth: int | None = None) -> float:
    """Share of the original's documents that the submitted ranking holds.

    Shared documents / documents of the original. Range [0, 1]; NaN for an empty original.

    >>> overlap([b"1", b"2", b"3", b"4"], [b"2", b"5", b"3", b"6"])
    0.5
    """
    wanted = len(original[:depth])
    return shared_documents(original, submitted, depth=depth) / wanted if wanted else math.nan


def length_coverage(original: Ranking, submitted: Ranking, *, depth: int | None = None) -> float:
    """Length of the submitted ranking as a share of the original's, 1 at most.

    Range [0, 1]; NaN for an empty original. Below 1 the union forms of tau compare a prefix only.

    >>> length_coverage([b"1", b"2", b"3", b"4"], [b"2", b"5"])
    0.5
    """
    wanted = len(original[:depth])
    return min(1.0, len(submitted[:depth]) / wanted) if wanted else math.nan


def rank_biased_overlap(
    original: Ranking,
    submitted: Ranking,
    *,
    p: float = 0.8,
    variant: OverlapVariant = "ext",
    depth: int | None = None,
) -> float:
    """Rank-biased overlap: agreement at each depth, weighted by a reader who goes on with p.

    RBO = (1 - p) sum over depths d of p^(d-1) A_d, with A_d = X_d / d and X_d the documents
    shared by the first d, 0 < p < 1. ``ext`` extrapolates the agreement beyond the lists (Webber
    et al. 2010, eq. 32); ``min`` is its lower bound (eq. 11); ``truncated`` sums to ``depth``
    (default: the longer length); ``normalised`` divides that sum by the same sum for A_d = 1.
    Range [0, 1]. One empty list gives 0, two give NaN. Webber, Moffat and Zobel, ACM TOIS 28(4),
    2010.

    >>> round(rank_biased_overlap([b"1", b"2", b"3"], [b"1", b"2", b"4"]), 4)
    0.7867
    """
    first, second = original[:depth], submitted[:depth]
    there = {document: number for number, document in enumerate(second)}
    places = np.array([there.get(document, -1) for document in first], dtype=np.int64)
    return overlap_of_places(places, len(second), p=p, variant=variant, depth=depth)


def overlap_of_places(
    places: NDArray[np.int64],
    length: int,
    *,
    p: float = 0.8,
    variant: OverlapVariant = "ext",
    depth: int | None = None,
) -> float:
    """Rank-biased overlap from the places, from 0, of one ranking's documents in the other.

    ``places`` holds -1 for a document that the other ranking lacks, ``length`` is the other's. Both
    were cut to ``depth``. Range and undefined cases as ``rank_biased_overlap``.

    >>> round(overlap_of_places(np.array([0, 1, -1]), 3), 4)
    0.7867
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"p lies between 0 and 1, not {p}.")
    if not len(places) and not length:
        return math.nan
    if not len(places) or not length:
        return 0.0
    shorter, longer = sorted((len(places), length))
    ranks = np.arange(len(places))
    if variant == "ext" and len(places) == length and (places == ranks).all():
        # The sum can miss 1 by rounding, and equal rankings must give exactly 1.
        return 1.0
    entered = np.maximum(places, ranks)[places >= 0]
    # X_d for d = 1 to the longer length.
    shared = np.cumsum(np.bincount(entered, minlength=longer)).astype(np.float64)
    if variant == "ext":
        return _extrapolated(shared, shorter, longer, p)
    if variant == "min":
        return _least(shared[:shorter], p)
    return _truncated(shared, longer if depth is None else depth, p, variant == "normalised")


@lru_cache(maxsize=64)
def _depths(longest: int) -> NDArray[np.float64]:
    return np.arange(1, longest + 1, dtype=np.float64)


@lru_cache(maxsize=64)
def _weights(longest: int, p: float) -> NDArray[np.float64]:
    """p^d / d for d = 1 to the longest depth."""
    return np.power(p, _depths(longest)) / _depths(longest)


@lru_cache(maxsize=64)
def _powers(longest: int, p: float) -> NDArray[np.float64]:
    """p^(d - 1) for d = 1 to the longest depth."""
    return np.power(p, _depths(longest) - 1.0)


def _extrapolated(shared: NDArray[np.float64], shorter: int, longer: int, p: float) -> float:
    depths, weights = _depths(longer), _weights(longer, p)
    at_shorter, at_longer = float(shared[shorter - 1]), float(shared[longer - 1])
    beyond = np.maximum(depths - shorter, 0.0) * (at_shorter / shorter)
    body = float(np.sum((shared + beyond) * weights))
    tail = ((at_longer - at_shorter) / longer + at_shorter / shorter) * p**longer
    return min(1.0, (1.0 - p) / p * body + tail)


def _least(shared: NDArray[np.float64], p: float) -> float:
    last = float(shared[-1])
    body = float(np.sum((shared - last) * _weights(len(shared), p)))
    return max(0.0, (1.0 - p) / p * (body - last * math.log1p(-p)))


def _truncated(shared: NDArray[np.float64], depth: int, p: float, is_normalised: bool) -> float:
    reached = np.concatenate((shared, np.full(max(0, depth - len(shared)), shared[-1])))
    weights = _powers(depth, p)
    total = float(np.sum(reached / _depths(depth) * weights))
    return total / float(np.sum(weights)) if is_normalised else (1.0 - p) * total
