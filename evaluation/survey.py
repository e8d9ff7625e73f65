"""Finds the topics of a run that need a closer look, all topics at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.arrangement import Keys as SortKeys
from evaluation.words import Flags, Keys, Places

_BLOCK = 1 << 17
_UPPER = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Survey:
    """For each topic: do the scores fall strictly, do the ranks count up by one from 0 or 1, and
    may a document be there twice (never false when one is)."""

    falls: Flags
    counts_up: Flags
    may_repeat: Flags


def survey(starts: Places, scores: SortKeys, ranks: NDArray[Any], keys: Keys) -> Survey:
    """Look at all topics; the rows of topic i are ``starts[i]:starts[i + 1]``."""
    size = len(starts) - 1
    found = Survey(
        np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    )
    first = 0
    while first < size:
        # As many whole topics as fit a block, and one at least.
        last = int(np.searchsorted(starts, starts[first] + _BLOCK, side="right")) - 1
        last = min(max(last, first + 1), size)
        _survey_block(first, starts[first : last + 1], scores, ranks, keys, found)
        first = last
    return found


def _survey_block(
    first: int,
    starts: Places,
    scores: SortKeys,
    ranks: NDArray[Any],
    keys: Keys,
    found: Survey,
) -> None:
    begin, end = int(starts[0]), int(starts[-1])
    edges = starts[1:-1] - begin - 1
    scores, ranks = scores[begin:end], ranks[begin:end]
    falls = scores[1:] < scores[:-1]
    falls[edges] = True
    counts_up = ranks[1:] - 1 == ranks[:-1]
    counts_up[edges] = True
    for flags, sound in ((found.falls, falls), (found.counts_up, counts_up)):
        rows = np.flatnonzero(~sound)
        flags[first + np.searchsorted(edges, rows, side="left")] = False
    heads = ranks[starts[:-1] - begin]
    found.counts_up[first : first + len(heads)] &= (heads == 0) | (heads == 1)
    topics = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
    named = (topics << _UPPER) | keys[begin:end]
    named.sort()
    twice = named[1:][named[1:] == named[:-1]] >> _UPPER
    found.may_repeat[first + twice.astype(np.int64)] = True
