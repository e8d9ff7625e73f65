"""Where the tokens of a chunk are: starts and ends of the columns of each line with six of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.number_columns import MARGIN
from evaluation.tokens import RUN_COLUMNS, is_plain
from evaluation.words import LONGEST, WORD, Bytes, Flags, Places, Words, loads

_FRONT = MARGIN + WORD
_INK = 0x78
_BREAK, _TAB, _RETURN, _BLANK, _DELETE = 10, 9, 13, 32, 127


@dataclass(slots=True)
class Layout:
    """A chunk in a padded buffer, and the tokens of its lines of six columns.

    ``lines`` are these lines, ``starts`` and ``ends`` (6 x lines) their tokens, ``view`` the
    words of the ``buffer``. ``odd`` marks, of all lines, those that a line reader has to see.
    ``offset`` is where the chunk begins in the buffer, ``breaks`` the ends of all its lines.
    """

    buffer: Bytes
    view: Words
    offset: int
    breaks: Places
    lines: Places
    starts: Places
    ends: Places
    odd: Flags
    has_odd: bool

    def bounds(self, lines: Places) -> tuple[list[int], list[int]]:
        """Where lines start and end within the chunk."""
        before = np.concatenate(([self.offset - 1], self.breaks))
        return (
            (before[lines] + 1 - self.offset).tolist(),
            (before[lines + 1] - self.offset).tolist(),
        )


def laid_out(chunk: bytes, line_bytes: int) -> Layout:
    """Find the tokens of a chunk; lines of ``line_bytes`` or more are odd."""
    size = len(chunk) + (not chunk.endswith(b"\n"))
    buffer = np.empty(_FRONT + size + LONGEST + WORD, dtype=np.uint8)
    # A line end before the first line stands for the line before it.
    buffer[: _FRONT - 1] = _INK
    buffer[_FRONT - 1] = _BREAK
    buffer[_FRONT : _FRONT + len(chunk)] = np.frombuffer(chunk, dtype=np.uint8)
    buffer[_FRONT + len(chunk) :] = _BREAK
    text = buffer[: _FRONT + size]
    return _regular(chunk, buffer, text, line_bytes) or _ragged(chunk, buffer, text, line_bytes)


def _regular(chunk: bytes, buffer: Bytes, text: Bytes, line_bytes: int) -> Layout | None:
    """The layout of lines of six columns with one blank between them and nothing unusual."""
    gaps = np.flatnonzero(text <= _BLANK)
    count = (len(gaps) - 1) // RUN_COLUMNS
    if len(gaps) != count * RUN_COLUMNS + 1 or int(text.max()) >= _DELETE:
        return None
    edges = gaps[::RUN_COLUMNS]
    # All bytes below the blank are the line ends, and these stand after each sixth token.
    if np.count_nonzero(text < _BLANK) != count + 1 or (text[edges] != _BREAK).any():
        return None
    ends = np.ascontiguousarray(gaps[1:].reshape(count, RUN_COLUMNS).T)
    starts = np.empty_like(ends)
    np.add(edges[:-1], 1, out=starts[0])
    np.add(ends[:-1], 1, out=starts[1:])
    if (starts >= ends).any() or int(np.diff(edges).max()) > line_bytes:
        return None
    odd = np.zeros(count, dtype=np.bool_)
    return Layout(
        buffer, loads(buffer), _FRONT, edges[1:], np.arange(count), starts, ends, odd, has_odd=False
    )


def _ragged(chunk: bytes, buffer: Bytes, text: Bytes, line_bytes: int) -> Layout:
    """The layout of any chunk."""
    has_ink = text > _BLANK
    edges = np.flatnonzero(has_ink[1:] != has_ink[:-1])
    edges += 1
    # The first edge is the end of the ink in front.
    starts, ends = edges[1::2], edges[2::2]
    breaks = np.flatnonzero(text[_FRONT:] == _BREAK) + _FRONT
    upto = np.searchsorted(starts, breaks)
    counts = np.diff(upto, prepend=0)
    odd = (counts != RUN_COLUMNS) & (counts != 0)
    odd |= np.diff(breaks, prepend=_FRONT - 1) > line_bytes
    _mark_characters(chunk, text, breaks, odd)
    lines = np.flatnonzero(counts == RUN_COLUMNS)
    if len(lines) == len(breaks):
        shape = (len(lines), RUN_COLUMNS)
        starts, ends = starts.reshape(shape).T, ends.reshape(shape).T
    else:
        tokens = (upto[lines] - RUN_COLUMNS) + np.arange(RUN_COLUMNS)[:, None]
        starts, ends = starts[tokens], ends[tokens]
    return Layout(
        buffer,
        loads(buffer),
        _FRONT,
        breaks,
        lines,
        np.ascontiguousarray(starts),
        np.ascontiguousarray(ends),
        odd,
        has_odd=True,
    )


def _mark_characters(chunk: bytes, text: Bytes, breaks: Places, odd: Flags) -> None:
    """Mark lines with control characters, a stray carriage return, or odd non-ASCII text."""
    low = text < _BLANK
    if np.count_nonzero(low) != len(breaks) + 1:
        places = np.flatnonzero(low)
        found = text[places]
        is_odd = (found != _BREAK) & (found != _TAB)
        # The text ends with a line end, so that there is a byte after each carriage return.
        is_odd &= (found != _RETURN) | (text[np.minimum(places + 1, len(text) - 1)] != _BREAK)
        odd[np.searchsorted(breaks, places[is_odd])] = True
    if int(text.max()) >= _DELETE:
        odd[np.searchsorted(breaks, np.flatnonzero(text == _DELETE))] = True
        if not chunk.isascii() and not is_plain(chunk):
            odd[np.searchsorted(breaks, np.flatnonzero(text > _DELETE))] = True
