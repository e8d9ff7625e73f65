"""What only a whole run shows: duplicates, order, depth, topics, pool, collection."""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise

import numpy as np

from evaluation.against import Against, other_form
from evaluation.arrangement import Rows, evaluation_order, first_copies, sort_keys, suspects
from evaluation.data import Run, byte_order
from evaluation.document_ids import DocumentIds
from evaluation.pieces import LazyRows, Piece, is_whole, joined
from evaluation.runlines import RunReader
from evaluation.survey import survey
from evaluation.table import Table


def arrange(table: Table, reader: RunReader, against: Against, sha256: str) -> Run | None:
    """Check a run as a whole and put it into evaluation order; None when an error was found.

    The table gives up its arrays.
    """
    return _Arranger(table, reader, against).run(sha256)


class _Arranger:
    def __init__(self, table: Table, reader: RunReader, against: Against) -> None:
        self.table = table
        self.reader = reader
        self.against = against
        self.report = reader.report
        self.rules = reader.report.rules
        self.lost_elsewhere = False
        self.has_other_scripts = not table.is_ascii

    def run(self, sha256: str) -> Run | None:
        table = self.table
        if not self._is_contiguous():
            table.group()
        self._check_missing()
        known = None if self.against.topics is None else frozenset(self.against.topics)
        names = list(self.reader.topics)
        codes = table.topic_codes.tolist()
        starts = np.append(table.topic_starts, len(table))
        # A lost line whose topic has no sound one may have belonged anywhere.
        self.lost_elsewhere = not self.reader.damaged <= {names[code] for code in codes}
        self.keys = sort_keys(table.scores, self.rules.precision)
        self.found = survey(starts, self.keys, table.ranks, table.documents.keys())
        ranked: dict[str, Piece] = {}
        for index, (start, stop) in enumerate(pairwise(starts.tolist())):
            name = names[codes[index]]
            if known is not None and name not in known:
                self._note_unknown(name, start, stop)
            else:
                ranked[name.decode()] = self._topic(name, index, start, stop)
        self._check_judged(ranked)
        return None if self.report.has_errors else self._assembled(ranked, sha256)

    def _assembled(self, ranked: dict[str, Piece], sha256: str) -> Run:
        table = self.table
        topics = tuple(sorted(ranked, key=byte_order))
        # Large runs are put in order where they lie, and moved only if the topics have to be.
        table.ranks = self.keys = np.zeros(0)
        pieces = [self._in_place(ranked[topic]) for topic in topics]
        starts = np.zeros(len(topics) + 1, dtype=np.int64)
        np.cumsum([len(piece) for piece in pieces], out=starts[1:])
        parts = joined(pieces)
        if not is_whole(parts, len(table)):
            table.move(parts)
        tag = self.reader.tag or b""
        return Run(tag.decode(), topics, starts, table.documents, table.scores, sha256)

    def _in_place(self, piece: Piece) -> Piece:
        if piece.order is None:
            return piece
        self.table.reorder(piece.start, piece.order)
        return Piece(piece.start, piece.start + len(piece))

    def _line(self, row: int | np.int64) -> int:
        return self.table.line(int(row))

    def _topic(self, name: bytes, index: int, start: int, stop: int) -> Piece:
        """Check one topic; its rows in evaluation order, as far as they count."""
        found = self.found
        falls, counts_up = bool(found.falls[index]), bool(found.counts_up[index])
        rows = Piece(start, stop)
        if not (falls and counts_up) and not self._may_lack_lines(name):
            self._check_sequence(name, start, stop)
            self._check_ranks(name, start, stop)
        documents = LazyRows(self.table.documents, start, stop)
        doubtful = np.zeros(0, dtype=np.int64)
        if found.may_repeat[index]:
            doubtful = suspects(self.table.documents.keys()[start:stop])
        repeats = self._note_duplicates(name, start, documents, doubtful)
        self._check_members(name, start, documents)
        if repeats or not falls:
            order, ties = evaluation_order(self.keys[start:stop], documents)
            if ties:
                self._note_ties(name, start, order, ties)
            if repeats:
                order = first_copies(order, documents, doubtful)
            rows = Piece(start, stop, order + start)
        return self._within_depth(name, documents, rows, doubtful)

    def _note_ties(self, name: bytes, start: int, order: Rows, ties: list[tuple[int, int]]) -> None:
        tied = min(int(order[first:last].min()) for first, last in ties)
        self.report.add(
            "tied_scores", self._line(start + tied), "documents of topic {} have equal scores",
            name, topic=name, count=len(ties),
        )  # fmt: skip

    def _may_lack_lines(self, name: bytes) -> bool:
        """Whether a lost line may have been one of the topic."""
        return self.lost_elsewhere or self.reader.is_damaged(name)

    def _within_depth(self, name: bytes, documents: LazyRows, rows: Piece, doubtful: Rows) -> Piece:
        depth = self.rules.depth
        if depth is None or len(rows) <= depth:
            return rows
        level = self.rules.level("too_many_documents")
        if self.rules.depth_rule == "truncate" and level == "error":
            level = "warning"
        # The line that is one too many, copies of a document not counted.
        firsts = first_copies(np.arange(len(documents)), documents, doubtful)
        self.report.add(
            "too_many_documents",
            self._line(rows.start + firsts[depth]),
            "topic {} has {} documents, {} are allowed" if level == "error" else
            "topic {} has {} documents, the best {} were kept",
            name,
            len(rows),
            depth,
            topic=name,
            level=level,
        )  # fmt: skip
        return rows.best(depth)

    def _check_sequence(self, name: bytes, start: int, stop: int) -> None:
        ranks = self.table.ranks[start:stop]
        if ranks[0] not in (0, 1) or (np.diff(ranks) != 1).any():
            self.report.add(
                "rank_not_sequential", self._line(start),
                "the ranks of topic {} do not count up by one from 0 or 1", name, topic=name,
            )  # fmt: skip

    def _check_ranks(self, name: bytes, start: int, stop: int) -> None:
        keys = self.keys[start:stop]
        by_rank = np.lexsort((-keys, self.table.ranks[start:stop]))
        ranked = keys[by_rank]
        rising = np.flatnonzero(ranked[1:] > ranked[:-1])
        if len(rising):
            self.report.add(
                "rank_disagrees_with_score", self._line(start + by_rank[rising + 1].min()),
                "topic {}: a document has a higher score than one ranked before it", name,
                topic=name,
            )  # fmt: skip

    def _note_duplicates(
        self, name: bytes, start: int, documents: LazyRows, doubtful: Rows
    ) -> bool:
        """Note documents that stand there twice; whether there are any."""
        first: dict[bytes, int] = {}
        for position in doubtful.tolist():
            document, row = documents[position], start + position
            before = first.setdefault(document, row)
            if before != row:
                self.report.add(
                    "duplicate_document", self._line(row),
                    "document {} of topic {} is already on line {}",
                    document, name, self._line(before), topic=name,
                )  # fmt: skip
        return len(first) < len(doubtful)

    def _check_members(self, name: bytes, start: int, lazy: LazyRows) -> None:
        against = self.against
        if against.pool is None and against.documents is None:
            return
        if against.pool is not None:
            pool = against.pool.of(name)
            self._note_outside("document_not_in_pool", name, start, lazy, pool)
            if against.needs_whole_pool and not self._may_lack_lines(name):
                self._check_pool(name, lazy.all(), pool)
        if against.documents is not None:
            self._note_outside("document_not_in_collection", name, start, lazy, against.documents)

    def _note_outside(
        self,
        kind: str,
        name: bytes,
        start: int,
        documents: LazyRows,
        known: Container[bytes],
    ) -> None:
        place = "pool" if kind == "document_not_in_pool" else "collection"
        if isinstance(known, DocumentIds):
            stop = start + len(documents)
            positions = known.absent(self.table.documents, start, stop).tolist()
        else:
            listed = enumerate(documents.all())
            positions = [position for position, one in listed if one not in known]
        for position in positions:
            document, line = documents[position], self._line(start + position)
            self.report.add(
                kind, line, "document {} of topic {} is not in the {}", document, name, place,
                topic=name,
            )  # fmt: skip
            self._note_form(name, line, document, known, organizers_only=False)

    def _note_form(
        self,
        name: bytes,
        line: int,
        document: bytes,
        known: Container[bytes],
        *,
        organizers_only: bool,
    ) -> None:
        if self.has_other_scripts and other_form(document, known) is not None:
            self.report.add(
                "id_differs_by_unicode_form", line,
                "document {} of topic {} is known with composed or decomposed letters instead",
                document, name, topic=name, organizers_only=organizers_only,
            )  # fmt: skip

    def _is_in_collection(self, document: bytes) -> bool:
        return self.against.documents is None or document in self.against.documents

    def _check_pool(self, name: bytes, documents: list[bytes], pool: frozenset[bytes]) -> None:
        wanted = self.rules.candidates
        if wanted is None:
            wanted = self.rules.depth
        needed = len(pool) if wanted is None else min(wanted, len(pool))
        given = len(pool.intersection(documents))
        if given < needed:
            self.report.add(
                "pool_incomplete", None, "topic {} ranks {} of its candidates, {} are needed",
                name, given, needed, topic=name,
            )  # fmt: skip

    def _note_unknown(self, name: bytes, start: int, stop: int) -> None:
        for row in range(start, stop):
            self.report.add(
                "unknown_topic", self._line(row), "topic {} is not a topic of the task", name,
                topic=name,
            )  # fmt: skip

    def _is_contiguous(self) -> bool:
        """Whether all lines of each topic stand together; where one goes on is noted."""
        starts, codes = self.table.topic_starts, self.table.topic_codes
        if int(np.bincount(codes).max(initial=0)) <= 1:
            return True
        names = list(self.reader.topics)
        seen: set[int] = set()
        for row, code in zip(starts.tolist(), codes.tolist(), strict=True):
            if code in seen:
                self.report.add(
                    "topic_not_contiguous", self._line(row),
                    "topic {} goes on after lines of other topics", names[code],
                    topic=names[code],
                )  # fmt: skip
            seen.add(code)
        return False

    def _check_missing(self) -> None:
        for topic in self.against.topics or ():
            if topic not in self.reader.topics and not self.reader.is_damaged(topic):
                self.report.add(
                    "missing_topic", None, "topic {} has no results", topic, topic=topic
                )

    def _check_judged(self, ranked: dict[str, Piece]) -> None:
        judged = self.against.judged
        if judged is None or not ranked:
            return
        has_judged = False
        for topic, rows in ranked.items():
            if has_judged and not self.has_other_scripts:
                return
            documents = rows.documents(self.table.documents)
            name = topic.encode()
            known = judged.of(name)
            has_judged = has_judged or not known.isdisjoint(documents)
            if self.has_other_scripts:
                for document, row in zip(documents, rows, strict=True):
                    if document not in known and self._is_in_collection(document):
                        self._note_form(
                            name, self._line(row), document, known, organizers_only=True
                        )
        if not has_judged:
            self.report.add(
                "nothing_judged", None, "no document of the run is judged", organizers_only=True
            )
