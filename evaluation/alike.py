"""How alike two runs are, all topics at once: the measures of ``ordering`` from a matching.

Every function gives a value for each topic of the matching, the same as its namesake there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.byte_order import in_byte_order
from evaluation.inversions import inversions
from evaluation.matching import Matching
from evaluation.ordering import OverlapVariant, UnionVariant, overlap_of_places

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def kendall_tau_union(matching: Matching, variant: UnionVariant = "first_appearance") -> Floats:
    """Kendall's tau over the union of the rankings of each topic, in one of three forms.

    >>> from evaluation.data import Run
    >>> one = Run.of({"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    >>> two = Run.of({"1": {"b": 4.0, "x": 3.0, "c": 2.0, "y": 1.0}})
    >>> kendall_tau_union(Matching.of(one, two, ["1"])).round(4).tolist()
    [0.6667]
    """
    if variant == "tied_below":
        return _tied_below(matching)
    coded = _sorted_places if variant == "sorted" else _first_places
    parts = [(cut.sizes, coded(part, cut)) for part in matching.parts() for cut in [_Cut.of(part)]]
    if not parts:
        return np.zeros(0)
    sizes, places = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _untied(places, sizes)


def kendall_tau_intersection(matching: Matching) -> Floats:
    """Kendall's tau between the ranks of the documents that both rankings of a topic hold."""
    places = matching.first.places
    return _untied(places[places >= 0], shared_documents(matching))


def shared_documents(matching: Matching) -> Integers:
    """Number of documents of each topic that both rankings hold."""
    return _sums(matching.first.places >= 0, matching.first.starts)


def overlap(matching: Matching) -> Floats:
    """Share of the original's documents that the submitted ranking holds, for each topic."""
    return _shares(shared_documents(matching), matching.first.sizes())


def length_coverage(matching: Matching) -> Floats:
    """Length of each submitted ranking as a share of the original's, 1 at most."""
    return np.minimum(1.0, _shares(matching.second.sizes(), matching.first.sizes()))


def rank_biased_overlap(
    matching: Matching,
    *,
    p: float = 0.8,
    variant: OverlapVariant = "ext",
    depth: int | None = None,
) -> Floats:
    """Rank-biased overlap of each topic; ``depth`` is the one that the matching was cut to.

    >>> from evaluation.data import Run
    >>> one = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> two = Run.of({"1": {"a": 3.0, "b": 2.0, "d": 1.0}})
    >>> rank_biased_overlap(Matching.of(one, two, ["1"])).round(4).tolist()
    [0.7867]
    """
    there = matching.second.sizes().tolist()
    return np.array(
        [
            overlap_of_places(
                matching.first.topic(number), there[number], p=p, variant=variant, depth=depth
            )
            for number in range(len(matching))
        ],
        dtype=np.float64,
    )


def _sums(values: NDArray[np.generic], starts: Integers) -> Integers:
    running = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return np.asarray(running[starts[1:]] - running[starts[:-1]], dtype=np.int64)


def _shares(counts: Integers, wanted: Integers) -> Floats:
    found = np.full(len(counts), math.nan)
    np.divide(counts, wanted, out=found, where=wanted > 0)
    return found


def _starts_of(sizes: Integers) -> Integers:
    return np.concatenate(([0], np.cumsum(sizes)))


def _untied(values: Integers, sizes: Integers) -> Floats:
    """Tau between 0, 1, 2, ... and the values of each topic, which all differ."""
    every = sizes * (sizes - 1) // 2
    return _shares(every - 2 * inversions(values, _starts_of(sizes)), every)


def _tied_below(matching: Matching) -> Floats:
    here, there = matching.first, matching.second
    first, second, shared = here.sizes(), there.sizes(), shared_documents(matching)
    only_first, only_second = first - shared, second - shared
    parts = []
    for number, last in enumerate(second.tolist()):
        places, others = here.topic(number), there.topic(number)
        parts += [np.where(places < 0, last, places), np.flatnonzero(others < 0)]
    values = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    sizes = first + only_second
    every = sizes * (sizes - 1) // 2
    varied_first = every - only_second * (only_second - 1) // 2
    varied_second = every - only_first * (only_first - 1) // 2
    difference = varied_first + varied_second - every
    difference -= 2 * inversions(values, _starts_of(sizes))
    return np.array(
        [
            _tau_b(*one)
            for one in zip(
                difference.tolist(),
                np.where(second > 0, varied_first, 0).tolist(),
                np.where(first > 0, varied_second, 0).tolist(),
                strict=True,
            )
        ],
        dtype=np.float64,
    )


def _tau_b(difference: int, varied_first: int, varied_second: int) -> float:
    if not varied_first or not varied_second:
        return math.nan
    # The root of an exact square may be off by one bit, and equal rankings must give 1.
    if varied_first == varied_second:
        return difference / varied_first
    return difference / math.sqrt(varied_first * varied_second)


def _first_places(_matching: Matching, cut: _Cut) -> Integers:
    """Places in the union by first appearance of the second ranking's documents."""
    return cut.places


def _sorted_places(matching: Matching, cut: _Cut) -> Integers:
    """Places in the sorted union: the second ranking's documents in byte order of the first's."""
    first, second = matching.first, matching.second
    union = _starts_of(cut.sizes + _sums(cut.is_new, cut.starts))
    before = np.repeat(union[:-1], cut.sizes)
    ranks = np.arange(cut.starts[-1]) - np.repeat(cut.starts[:-1], cut.sizes)
    # The first ranking's documents of a topic stand at the head of its stretch of the union.
    heads, news = before + ranks, (before + cut.places)[cut.is_new]
    rows = np.empty(union[-1], dtype=np.int64)
    rows[heads] = ranks + np.repeat(first.starts[:-1], cut.sizes)
    rows[news] = (ranks + np.repeat(second.starts[:-1], cut.sizes))[cut.is_new] + len(first.rows)
    order = in_byte_order(first, second, rows, union)
    place = np.empty(len(rows), dtype=np.int64)
    place[order] = np.arange(len(rows))
    partner = np.full(len(rows), -1)
    partner[heads] = place[before + cut.places]
    ordered = partner[order]
    return ordered[ordered >= 0]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Rankings cut to the shorter length of each topic.

    ``places`` are those of the second ranking's documents in the union by first appearance,
    ``is_new`` tells which the first ranking lacks.
    """

    sizes: Integers
    starts: Integers
    places: Integers
    is_new: NDArray[np.bool_]

    @classmethod
    def of(cls, matching: Matching) -> _Cut:
        sizes = np.minimum(matching.first.sizes(), matching.second.sizes())
        starts = _starts_of(sizes)
        shift = np.repeat(matching.second.starts[:-1] - starts[:-1], sizes)
        places = matching.second.places[np.arange(starts[-1]) + shift]
        limits = np.repeat(sizes, sizes)
        is_new = (places < 0) | (places >= limits)
        running = np.cumsum(is_new)
        earlier = np.concatenate(([0], running))[starts[:-1]]
        appeared = limits + running - 1 - np.repeat(earlier, sizes)
        return cls(sizes, starts, np.where(is_new, appeared, places), is_new)
