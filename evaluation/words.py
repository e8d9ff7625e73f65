"""Ids as 64-bit words: unaligned loads from a buffer, comparison and a hash over whole columns."""

from __future__ import annotations

import secrets

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Places = NDArray[np.int64]
Integers = NDArray[np.integer]
Keys = NDArray[np.uint32]
Flags = NDArray[np.bool_]

WORD = 8
KEEP: Words = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""Masks of the first 0 to 8 bytes of a word, as it is loaded from memory."""

SHORT = 64
"""Bytes of the longest token that is compared or hashed as a row of words at once."""

LONGEST = 128
"""Bytes of the longest token that a tokeniser reads as words; longer ones go line by line."""

# Drawn anew in each process, so that nobody can prepare ids that share a key. A key is a hint:
# whoever finds two alike compares the bytes.
_FACTORS: Words = np.frombuffer(secrets.token_bytes(WORD << 10), dtype=np.uint64) | np.uint64(1)
_UPPER = np.uint64(32)


def loads(buffer: Bytes) -> Words:
    """The word that begins at each byte but the last seven; the buffer has at least eight."""
    return np.lib.stride_tricks.as_strided(
        buffer[:WORD].view("<u8"), (len(buffer) - WORD + 1,), (1,)
    )


def words_of(token: bytes) -> Words:
    """The words of one token, zero bytes after its end."""
    return np.frombuffer(token + bytes(-len(token) % WORD), dtype="<u8").astype(np.uint64)


def keys_of_words(columns: list[Words], size: int) -> Keys:
    """A 32-bit key for each row of a column of words; zero words change nothing."""
    total = np.zeros(size, dtype=np.uint64)
    for place, column in enumerate(columns):
        total += column * _FACTORS[place % len(_FACTORS)]
    return (total >> _UPPER).astype(np.uint32)


def packed(rows: Words, lengths: Places) -> Bytes:
    """The tokens of rows of words one after the other; tokens hold no zero byte."""
    flat = rows.astype("<u8", copy=False).view(np.uint8)
    longest = int(lengths.max(initial=0))
    if longest == int(lengths.min(initial=longest)):
        return np.ascontiguousarray(flat[:, :longest]).reshape(-1)
    kept: Bytes = flat[flat != 0]
    return kept


def words_in(blob: Bytes, starts: Integers, lengths: Places, at: int) -> Words:
    """The word at byte ``at`` of tokens in a blob that ends with the last token; 0 beyond ends."""
    if len(blob) < WORD:
        blob = np.concatenate((blob, np.zeros(WORD, dtype=np.uint8)))
    last = len(blob) - WORD
    places = np.asarray(starts, dtype=np.int64) + at
    late = np.flatnonzero(places > last)
    over = np.minimum(places[late] - last, WORD)
    places[late] = last
    found = np.asarray(loads(blob)[places])
    if len(late):
        # A shift by 64 bits is undefined; so many bytes beyond the end are masked to 0 anyway.
        shift = (8 * np.minimum(over, WORD - 1)).astype(np.uint64)
        found[late] >>= shift
    if len(lengths) and int(lengths.min()) < at + WORD:
        found &= KEEP.take(lengths - at, mode="clip")
    return found


def rows_in(blob: Bytes, starts: Places, lengths: Places) -> Words:
    """The words of tokens in a blob that ends with the last token: a row each, 0 beyond ends.

    As many columns as the longest token needs, so that it should not be much longer than others.
    """
    longest, shortest = int(lengths.max(initial=0)), int(lengths.min(initial=LONGEST))
    width = -(-longest // WORD) * WORD
    last = len(blob) - width
    late = np.flatnonzero(starts > last)
    if last < 0:
        found = _gathered(np.concatenate((blob, np.zeros(width, dtype=np.uint8))), starts, width)
    elif len(late):
        # The last tokens are read from a copy of the end that goes on for long enough.
        tail = max(0, len(blob) - 2 * width)
        end = np.concatenate((blob[tail:], np.zeros(width, dtype=np.uint8)))
        found = _gathered(blob, np.minimum(starts, last), width)
        found[late] = _gathered(end, starts[late] - tail, width)
    else:
        found = _gathered(blob, starts, width)
    for place in range(shortest // WORD, width // WORD):
        found[:, place] &= KEEP.take(lengths - place * WORD, mode="clip")
    return found


def _gathered(blob: Bytes, starts: Places, width: int) -> Words:
    # One copy of a whole token is quicker than one of each of its words.
    tokens = np.lib.stride_tricks.as_strided(
        blob[:width].view(np.dtype((np.void, width))), (len(blob) - width + 1,), (1,)
    )
    found: Words = tokens[starts].view("<u8").reshape(len(starts), width // WORD)
    return found


def same_tokens(one: Bytes, starts: Places, two: Bytes, others: Places, lengths: Places) -> Flags:
    """Whether tokens of the same lengths are the same, row by row."""
    different = rows_in(one, starts, lengths)
    different ^= rows_in(two, others, lengths)
    total = different[:, 0]
    for place in range(1, different.shape[1]):
        total |= different[:, place]
    return np.asarray(total == 0)


def keys_in(blob: Bytes, starts: Integers, lengths: Places) -> Keys:
    """Keys of tokens in a blob."""
    total = np.zeros(len(starts), dtype=np.uint64)
    if 0 < int(lengths.max(initial=0)) <= SHORT:
        words = rows_in(blob, np.asarray(starts, dtype=np.int64), lengths)
        return keys_of_words([*words.T], len(starts))
    rows = None
    for place, at in enumerate(range(0, int(lengths.max(initial=0)), WORD)):
        factor = _FACTORS[place % len(_FACTORS)]
        if rows is None and at and np.count_nonzero(lengths > at) * 4 < len(lengths):
            rows = np.flatnonzero(lengths > at)
        if rows is None:
            total += words_in(blob, starts, lengths, at) * factor
        else:
            rows = rows[lengths[rows] > at]
            total[rows] += words_in(blob, starts[rows], lengths[rows], at) * factor
    return (total >> _UPPER).astype(np.uint32)
