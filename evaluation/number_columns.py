"""Columns of decimal numbers from their bytes, eight digits at a time, exactly as float() reads.

Digits become an integer that is divided by a power of ten. Below 2**53 one division rounds once
and is exact in that sense; above it the quotient is computed in two doubles, and the few numbers
that lie too close to the middle between two doubles are given back to float().
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluation.words import KEEP, WORD, Places, Words

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MARGIN = 3 * WORD
"""Bytes that a buffer has to have before the first token."""

_ZEROS = np.uint64(0x3030303030303030)
_NINES = np.uint64(0x7676767676767676)
_HIGH = np.uint64(0x8080808080808080)
_LOW = np.uint64(0x0101010101010101)
_POINTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_PAIRS, _FOURS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
# Times 10, 100, 10,000 and shifted, both halves of each pair in one multiplication.
_TENS, _HUNDREDS, _THOUSANDS = np.uint64(2561), np.uint64(6553601), np.uint64(42949672960001)
_LAST: Words = ~KEEP[::-1]
"""Masks of the last 0 to 8 bytes of a word."""

_MOST_DIGITS = 18
_POWERS: Floats = np.array([float(10**power) for power in range(_MOST_DIGITS + 1)])
_WHOLE_POWERS: Integers = np.array([10**power for power in range(_MOST_DIGITS + 1)])
_EXACT = 1 << 53
_SPLITTER = 134217729.0
_DOUBT = 2.0**-30


def _value(digits: Words) -> Words:
    """The number in each word of digit values, the first byte the highest."""
    digits = ((digits * _TENS) >> np.uint64(8)) & _PAIRS
    digits = ((digits * _HUNDREDS) >> np.uint64(16)) & _FOURS
    return (digits * _THOUSANDS) >> np.uint64(32)


def _strays(digits: Words) -> Words:
    """High bits of bytes that are not the value of a digit."""
    return (digits | (digits + _NINES)) & _HIGH


def whole_numbers(view: Words, ends: Places, lengths: Places) -> tuple[Integers, Flags]:
    """Numbers of at most eight digits, and which rows are such numbers."""
    digits = (view[ends - WORD] ^ _ZEROS) & _LAST.take(lengths, mode="clip")
    sound = _strays(digits) == 0
    if int(lengths.max(initial=0)) > WORD:
        sound &= lengths <= WORD
    return _value(digits).view(np.int64), sound


def decimals(view: Words, starts: Places, ends: Places) -> tuple[Floats, Flags]:
    """Numbers of the form -12.5, and which rows are such numbers, read as float() does.

    At most eight digits before the point and 18 in all; other rows are for float() itself.
    """
    first = view[starts]
    lead = first.astype(np.uint8)
    is_minus = lead == ord("-")
    is_signed = is_minus | (lead == ord("+"))
    has_signs = bool(is_signed.any())
    if has_signs:
        starts = starts + is_signed
        first = view[starts]
    lengths = ends - starts
    whole = np.minimum(_first_point(first), lengths)
    places = np.maximum(lengths - whole - 1, 0)
    digits = (first ^ _ZEROS) << (64 - 8 * np.clip(whole, 1, WORD)).astype(np.uint64)
    strays = _strays(digits)
    units = _value(digits).view(np.int64)
    fraction = _fraction(view, ends, places, strays)
    has_point = lengths > whole
    sound = (strays == 0) & (whole >= 1) & (places + whole <= _MOST_DIGITS)
    sound &= np.where(has_point, (places >= 1) & (whole < WORD), whole <= WORD)
    places = np.minimum(places, _MOST_DIGITS)
    mantissa = units * _WHOLE_POWERS.take(places) + fraction
    values = mantissa / _POWERS.take(places)
    if int(mantissa.max(initial=0)) >= _EXACT:
        large = np.flatnonzero(sound & (mantissa >= _EXACT))
        values[large], is_sure = _quotients(mantissa[large], _POWERS.take(places[large]))
        sound[large[~is_sure]] = False
    if has_signs:
        np.negative(values, out=values, where=is_minus)
    return values, sound


def _first_point(words: Words) -> Integers:
    """Place of the first point in each word, 8 without one."""
    other = words ^ _POINTS
    # The lowest mark is exact; a borrow can only set false ones above it.
    marks = (other - _LOW) & ~other & _HIGH
    return np.bitwise_count((marks & (~marks + np.uint64(1))) - np.uint64(1)).astype(np.int64) >> 3


def _fraction(view: Words, ends: Places, places: Integers, strays: Words) -> Integers:
    """The digits after the point as a number; notes strays."""
    total = None
    scale = 1
    for back in range(0, min(int(places.max(initial=0)), MARGIN), WORD):
        kept = _LAST.take(places - back, mode="clip")
        digits = (view[ends - (WORD + back)] ^ _ZEROS) & kept
        strays |= _strays(digits)
        part = _value(digits).view(np.int64)
        # The third word has two digits at most in what is sound; others may overflow.
        total = part if total is None else total + part * scale
        scale *= 10**WORD
    return np.zeros(len(ends), dtype=np.int64) if total is None else total


def _quotients(mantissa: Integers, power: Floats) -> tuple[Floats, Flags]:
    """mantissa / power rounded once, and where that is sure; below 10**18, powers to 10**18.

    The first quotient's remainder is exact (Dekker's product), so the second one gives the true
    quotient to some 100 bits.
    """
    high = mantissa.astype(np.float64)
    low = (mantissa - high.astype(np.int64)).astype(np.float64)
    quotient = high / power
    product, slip = _product(quotient, power)
    rest = ((high - product) - slip + low) / power
    values = quotient + rest
    left = np.abs((quotient - values) + rest) / np.spacing(values)
    # Halfway to a neighbour; the one below a power of two is at half the distance.
    is_sure = (np.abs(left - 0.5) > _DOUBT) & (np.abs(left - 0.25) > _DOUBT)
    return values, is_sure


def _product(one: Floats, two: Floats) -> tuple[Floats, Floats]:
    """A product of doubles, and what its rounding left out."""
    product = one * two
    first, second = _halves(one), _halves(two)
    slip = first[0] * second[0] - product
    slip = ((slip + first[0] * second[1]) + first[1] * second[0]) + first[1] * second[1]
    return product, slip


def _halves(values: Floats) -> tuple[Floats, Floats]:
    scaled = values * _SPLITTER
    upper = scaled - (scaled - values)
    return upper, values - upper
