"""The frozen bootstrap: resamples of topics that anyone can draw again, bit for bit.

Key text: ``centreboard-bootstrap-1``, the SHA-256 of the decompressed qrels in lower-case hex, the
averaging rule and the number of resamples B, each ended by a line feed. The first 16 bytes of its
SHA-256, read as a little-endian integer, are the key of a Philox generator (Salmon et al., SC
2011), whose raw 64-bit words u give the places ((u >> 32) * n) >> 32. Resample b takes words b*n to
b*n + n - 1. Places count the topics of the averaging rule in byte order of their ids.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.averaging import RULES

RESAMPLES = 10_000
"""B of every interval that is shown."""

Purpose = Literal["bootstrap", "tukey"]

_SHA256 = re.compile(r"[0-9a-f]{64}")
_AT_ONCE = 4_000_000
"""Words drawn at a time, so that many topics need no more memory than few."""


def frozen_key(
    qrels_sha256: str, rule: str, resamples: int = RESAMPLES, purpose: Purpose = "bootstrap"
) -> int:
    """Key of the generator: the same everywhere for the same judgments, rule and B.

    First 16 bytes of SHA-256(``centreboard-<purpose>-1\\n<qrels SHA-256>\\n<rule>\\n<B>\\n``) as a
    little-endian integer, 0 to 2^128 - 1. ValueError for a text that is no SHA-256, an unknown
    rule, or B below 1.

    >>> f"{frozen_key('0' * 64, 'judged'):032x}"
    '8b80181f437870d03841d342cde23df0'
    """
    if not _SHA256.fullmatch(qrels_sha256):
        raise ValueError(
            f"Resamples are drawn from the SHA-256 of the decompressed qrels, 64 lower-case "
            f"hexadecimal digits, not {qrels_sha256[:80]!r}."
        )
    if rule not in RULES:
        raise ValueError(f"Unknown averaging rule {rule!r}. Accepted: {', '.join(RULES)}.")
    if resamples < 1:
        raise ValueError(f"At least 1 resample is drawn, not {resamples}.")
    text = f"centreboard-{purpose}-1\n{qrels_sha256}\n{rule}\n{resamples}\n"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "little")


def drawn_blocks(key: int, topics: int, resamples: int) -> Iterator[NDArray[np.int64]]:
    """Places drawn, some resamples (rows) at a time, one column for each topic drawn.

    ((u >> 32) * n) >> 32 of the raw Philox words u: 0 to n - 1.

    >>> [block.tolist() for block in drawn_blocks(1, 3, 2)]
    [[[0, 2, 0], [0, 2, 0]]]
    """
    if topics < 1:
        raise ValueError("There is no topic to draw.")
    generator = np.random.Philox(key=key)
    rows = max(1, _AT_ONCE // topics)
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        words = generator.random_raw(count * topics)
        places = ((words >> np.uint64(32)) * np.uint64(topics)) >> np.uint64(32)
        yield places.astype(np.int64).reshape(count, topics)


def _times_drawn(block: NDArray[np.int64], topics: int) -> NDArray[np.float64]:
    rows = np.arange(len(block), dtype=np.int64)[:, None] * topics
    counts = np.bincount((block + rows).ravel(), minlength=len(block) * topics)
    return counts.reshape(len(block), topics).astype(np.float64)


@lru_cache(maxsize=4)
def _kept_times(key: int, topics: int, resamples: int) -> NDArray[np.float64]:
    blocks = drawn_blocks(key, topics, resamples)
    counts = np.concatenate([_times_drawn(block, topics) for block in blocks])
    counts.flags.writeable = False
    return counts


class Resampling:
    """The resamples of a board: the same ones for all its runs, pairs and measures.

    >>> drawn = Resampling("0" * 64, "judged", topics=2, resamples=4)
    >>> drawn.means([0.0, 1.0]).tolist()
    [0.5, 0.0, 1.0, 0.5]
    """

    def __init__(
        self, qrels_sha256: str, rule: str, topics: int, resamples: int = RESAMPLES
    ) -> None:
        self.key = frozen_key(qrels_sha256, rule, resamples)
        self.topics = topics
        self.resamples = resamples
        if topics < 1:
            raise ValueError("There is no topic to draw.")

    def indices(self) -> NDArray[np.int64]:
        """All places drawn: a row for each resample."""
        return np.concatenate([*drawn_blocks(self.key, self.topics, self.resamples)])

    def means(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Mean of each resample: a matrix product of how often each topic was drawn.

        ``scores`` holds a value for each topic in byte order, or a column for each run or pair;
        NaN is left out of a resample's mean, which is NaN when it holds nothing else.
        """
        values = np.asarray(scores, dtype=np.float64)
        if len(values) != self.topics:
            raise ValueError(f"Scores of {len(values)} topics, resamples of {self.topics}.")
        undefined = np.isnan(values)
        if not undefined.any():
            return self._products(values) / self.topics
        counts = self._products((~undefined).astype(np.float64))
        sums = self._products(np.where(undefined, 0.0, values))
        found = np.full(sums.shape, np.nan)
        np.divide(sums, counts, out=found, where=counts > 0)
        return found

    def _products(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.topics * self.resamples <= _AT_ONCE:
            products = _kept_times(self.key, self.topics, self.resamples) @ values
            # What is asked of them next is the percentiles of each run: a column at a time.
            return np.asfortranarray(products)
        blocks = drawn_blocks(self.key, self.topics, self.resamples)
        return np.concatenate([_times_drawn(block, self.topics) @ values for block in blocks])
