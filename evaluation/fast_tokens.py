"""The tokeniser on NumPy: a chunk becomes columns by a few passes over its bytes.

Lines that are not plain are picked out one by one for the line reader, in their place, so that a
faulty file costs little more than a sound one and gives the same messages as line by line.
"""

from __future__ import annotations

import numpy as np

from evaluation.errors import FileProblem
from evaluation.ids import Ids
from evaluation.layout import Layout, laid_out
from evaluation.number_columns import decimals, whole_numbers
from evaluation.tokens import Columns, Row, RunSink, integers, numbers, split_columns
from evaluation.words import (
    LONGEST,
    Flags,
    Places,
    Words,
    keys_of_words,
    packed,
    rows_in,
    words_of,
)

_TOPIC, _SECOND, _DOCUMENT, _RANK, _SCORE, _TAG = range(6)
_SECOND_COLUMN = b"Q0"
# Above this share of odd lines, picking them out costs more than reading all of them.
_MOST_ODD = 0.25


def fast_columns(chunk: bytes, first_line: int, sink: RunSink) -> Columns:
    """The rows of a chunk, as ``split_columns`` and the line reader find them."""
    early, at, line = _until_tag(chunk, first_line, sink)
    rest = chunk[at:] if at else chunk
    if not rest:
        return Columns.joined([]).merged(early)
    return _Chunk(rest, line, sink).columns().merged(early)


def _until_tag(chunk: bytes, line: int, sink: RunSink) -> tuple[list[Row], int, int]:
    """Read lines until one has shown the run's tag: rows, where the next line begins, its number.

    The first lines decide whether there is a header, too.
    """
    rows = []
    at = 0
    while sink.tag is None and at < len(chunk):
        end = chunk.find(b"\n", at)
        stop = len(chunk) if end < 0 else end
        row = sink.row(line, chunk[at:stop])
        if row is not None:
            rows.append(row)
        at, line = stop + 1, line + 1
    return rows, min(at, len(chunk)), line


class _Chunk:
    def __init__(self, chunk: bytes, first_line: int, sink: RunSink) -> None:
        self.chunk, self.first_line, self.sink = chunk, first_line, sink
        self.layout: Layout = laid_out(chunk, sink.line_bytes)
        self.odd = self.layout.odd

    def columns(self) -> Columns:
        layout = self.layout
        starts = [layout.starts[column] for column in range(6)]
        ends = [layout.ends[column] for column in range(6)]
        lengths = [end - start for start, end in zip(starts, ends, strict=True)]
        bad = self.odd[layout.lines] if layout.has_odd else np.zeros(len(layout.lines), np.bool_)
        for column in (_TOPIC, _DOCUMENT):
            if int(lengths[column].max(initial=0)) > LONGEST:
                bad |= lengths[column] > LONGEST
                lengths[column] = np.minimum(lengths[column], LONGEST)
        view = layout.view
        bad |= ~self._is_tag(starts[_TAG], lengths[_TAG])
        ranks, is_rank = whole_numbers(view, ends[_RANK], lengths[_RANK])
        scores, is_score = decimals(view, starts[_SCORE], ends[_SCORE])
        bad |= self._reread_ranks(ranks, is_rank, starts[_RANK], ends[_RANK])
        bad |= self._reread_scores(scores, is_score, starts[_SCORE], ends[_SCORE])
        is_q0 = (lengths[_SECOND] == 2) & (
            (view[starts[_SECOND]] & np.uint64(0xFFFF)) == words_of(_SECOND_COLUMN)[0]
        )
        topic = rows_in(layout.buffer, starts[_TOPIC], lengths[_TOPIC])
        bad |= self._is_comment(topic)
        documents = rows_in(layout.buffer, starts[_DOCUMENT], lengths[_DOCUMENT])
        lines = layout.lines
        if bad.any():
            self.odd[lines[bad]] = True
            good = ~bad
            lines, ranks, scores, is_q0 = lines[good], ranks[good], scores[good], is_q0[good]
            topic, documents = topic[good], documents[good]
            starts[_TOPIC], ends[_TOPIC] = starts[_TOPIC][good], ends[_TOPIC][good]
            lengths[_DOCUMENT] = lengths[_DOCUMENT][good]
        odd = np.flatnonzero(self.odd)
        if len(odd) > _MOST_ODD * len(self.odd):
            return self._line_by_line()
        changes = _changes(topic, len(lines))
        codes, others = self._in_order(lines, changes, starts[_TOPIC], ends[_TOPIC], is_q0, odd)
        self._note_second(lines, is_q0, len(self.odd))
        sizes = np.diff(changes, append=len(lines))
        offsets = np.zeros(len(lines) + 1, dtype=np.int64)
        np.cumsum(lengths[_DOCUMENT], out=offsets[1:])
        return Columns(
            lines + self.first_line,
            np.repeat(np.array(codes, dtype=np.int32), sizes),
            Ids(
                packed(documents, lengths[_DOCUMENT]),
                offsets,
                [keys_of_words([*documents.T], len(lines))],
            ),
            ranks,
            scores,
        ).merged(others)

    def _line_by_line(self) -> Columns:
        split = split_columns(self.chunk, self.first_line, self.sink)
        if split is not None:
            return split
        lines = self.chunk.removesuffix(b"\n").split(b"\n")
        found = (self.sink.row(number, line) for number, line in enumerate(lines, self.first_line))
        return Columns.joined([]).merged([row for row in found if row is not None])

    def _in_order(
        self,
        lines: Places,
        changes: Places,
        starts: Places,
        ends: Places,
        is_q0: Flags,
        odd: Places,
    ) -> tuple[list[int], list[Row]]:
        """Number new topics and read odd lines in the order of the file: codes, odd rows."""
        sink, text, offset = self.sink, self.chunk, self.layout.offset
        names = [
            text[start - offset : end - offset]
            for start, end in zip(starts[changes].tolist(), ends[changes].tolist(), strict=True)
        ]
        if not len(odd):
            return [sink.topics[name] for name in names], []
        codes: list[int] = []
        rows: list[Row] = []
        firsts = [*lines[changes].tolist(), len(self.odd)]
        line_starts, line_ends = self.layout.bounds(odd)
        for line, start, end in zip(odd.tolist(), line_starts, line_ends, strict=True):
            while firsts[len(codes)] < line:
                codes.append(sink.topics[names[len(codes)]])
            try:
                row = sink.row(self.first_line + line, text[start:end])
            except FileProblem:
                self._note_second(lines, is_q0, line)
                raise
            if row is not None:
                rows.append(row)
        codes.extend(sink.topics[name] for name in names[len(codes) :])
        return codes, rows

    def _note_second(self, lines: Places, is_q0: Flags, before: int) -> None:
        if is_q0.all():
            return
        other = lines[~is_q0]
        count = int(np.searchsorted(other, before))
        if count:
            self.sink.note_second_column(self.first_line + int(other[0]), count)

    def _is_tag(self, starts: Places, lengths: Places) -> Flags:
        tag = self.sink.tag or b""
        same: Flags = lengths == len(tag)
        if len(tag) > LONGEST:
            return np.zeros(len(starts), dtype=np.bool_)
        for place, (word, kept) in enumerate(zip(words_of(tag), _masks(tag), strict=True)):
            same &= (self.layout.view[starts + 8 * place] & kept) == word
        return same

    def _is_comment(self, topic: Words) -> Flags:
        if not len(topic):
            return np.zeros(0, dtype=np.bool_)
        is_comment: Flags = topic[:, 0].astype(np.uint8) == ord("#")
        return is_comment

    def _tokens(self, rows: Places, starts: Places, ends: Places) -> list[bytes]:
        offset = self.layout.offset
        return [
            self.chunk[start - offset : end - offset]
            for start, end in zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
        ]

    def _reread_ranks(self, ranks: Places, sound: Flags, starts: Places, ends: Places) -> Flags:
        """Read long ranks as Python does; the rows that hold none."""
        bad = ~sound
        rows = np.flatnonzero(bad)
        for row, token in zip(rows.tolist(), self._tokens(rows, starts, ends), strict=True):
            found = integers([token])
            if found is not None:
                ranks[row], bad[row] = found[0], False
        return bad

    def _reread_scores(
        self, scores: np.ndarray, sound: Flags, starts: Places, ends: Places
    ) -> Flags:
        """Read scores of other forms with float(); the rows that hold none."""
        bad = ~sound
        rows = np.flatnonzero(bad)
        if not len(rows):
            return bad
        tokens = self._tokens(rows, starts, ends)
        found = numbers(tokens)
        if found is not None:
            scores[rows] = found
            bad[rows] = False
            return bad
        for row, token in zip(rows.tolist(), tokens, strict=True):
            one = numbers([token])
            if one is not None:
                scores[row], bad[row] = one[0], False
        return bad


def _masks(token: bytes) -> Words:
    return words_of(b"\xff" * len(token))


def _changes(topic: Words, size: int) -> Places:
    """The rows at which another topic starts."""
    if not size:
        return np.zeros(0, dtype=np.int64)
    is_new = np.zeros(size, dtype=np.bool_)
    is_new[0] = True
    for column in topic.T:
        is_new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(is_new)
