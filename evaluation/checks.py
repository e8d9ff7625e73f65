"""What only a whole run shows: duplicates, order, depth, topics, pool, collection."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from evaluation.against import Against, other_form
from evaluation.arrangement import Keys, Rows, evaluation_order, first_copies, sort_keys
from evaluation.data import Ids, Run, byte_order
from evaluation.runlines import RunReader
from evaluation.tokens import Columns


def arrange(columns: Columns, reader: RunReader, against: Against, sha256: str) -> Run:
    """Check a run as a whole and put it into evaluation order; faults go to the report."""
    return _Arranger(columns, reader, against).run(sha256)


class _Arranger:
    def __init__(self, columns: Columns, reader: RunReader, against: Against) -> None:
        self.columns = columns
        self.reader = reader
        self.against = against
        self.report = reader.report
        self.rules = reader.report.rules
        self.keys = sort_keys(columns.scores, self.rules.precision)
        self.lost_elsewhere = False
        self.has_other_scripts = not columns.documents.blob.isascii()

    def run(self, sha256: str) -> Run:
        columns = self.columns
        self._check_contiguity()
        self._check_missing()
        known = None if self.against.topics is None else frozenset(self.against.topics)
        grouped = np.argsort(columns.topics, kind="stable")
        names = list(self.reader.topics)
        sizes = np.bincount(columns.topics, minlength=len(names))
        stops = np.cumsum(sizes).tolist()
        # A lost line whose topic has no sound one may have belonged anywhere.
        found = {name for name, size in zip(names, sizes.tolist(), strict=True) if size}
        self.lost_elsewhere = not self.reader.damaged <= found
        ranked: dict[str, tuple[list[bytes], Rows]] = {}
        start = 0
        for name, stop in zip(names, stops, strict=True):
            rows, start = grouped[start:stop], stop
            if known is not None and name not in known:
                self._note_unknown(name, rows)
            elif len(rows):
                documents = self._documents(rows)
                order = self._topic(name, rows, documents)
                ranked[name.decode()] = ([documents[i] for i in order.tolist()], rows[order])
        self._check_judged(ranked)
        return self._assembled(ranked, sha256)

    def _assembled(self, ranked: dict[str, tuple[list[bytes], Rows]], sha256: str) -> Run:
        topics = tuple(sorted(ranked, key=byte_order))
        starts = np.zeros(len(topics) + 1, dtype=np.int64)
        np.cumsum([len(ranked[topic][0]) for topic in topics], out=starts[1:])
        rows = [ranked[topic][1] for topic in topics]
        tag = self.reader.tag or b""
        return Run(
            tag.decode(),
            topics,
            starts,
            Ids.of(document for topic in topics for document in ranked[topic][0]),
            self.columns.scores[np.concatenate(rows)] if rows else np.zeros(0),
            sha256,
        )

    def _documents(self, rows: Rows) -> list[bytes]:
        first, last = int(rows[0]), int(rows[-1])
        if last - first + 1 == len(rows):
            return self.columns.documents.rows(first, last + 1)
        return [self.columns.documents[row] for row in rows.tolist()]

    def _line(self, row: int | np.int64) -> int:
        return int(self.columns.lines[row])

    def _topic(self, name: bytes, rows: Rows, documents: list[bytes]) -> Rows:
        """Check one topic; its positions in evaluation order, as far as they count."""
        keys = self.keys[rows]
        if not self._may_lack_lines(name):
            self._check_sequence(name, rows)
            self._check_ranks(name, rows, keys)
        distinct = set(documents)
        if len(distinct) != len(documents):
            self._note_duplicates(name, rows, documents)
        self._check_members(name, rows, documents)
        order, ties = evaluation_order(keys, documents)
        if ties:
            tied = min(int(rows[order[start:stop]].min()) for start, stop in ties)
            self.report.add(
                "tied_scores", self._line(tied), "documents of topic {} have equal scores", name,
                topic=name, count=len(ties),
            )  # fmt: skip
        if len(distinct) != len(documents):
            order = first_copies(order, documents)
        return self._within_depth(name, rows, documents, order)

    def _may_lack_lines(self, name: bytes) -> bool:
        """Whether a lost line may have been one of the topic."""
        return self.lost_elsewhere or self.reader.is_damaged(name)

    def _within_depth(self, name: bytes, rows: Rows, documents: list[bytes], order: Rows) -> Rows:
        depth = self.rules.depth
        if depth is None or len(order) <= depth:
            return order
        level = self.rules.level("too_many_documents")
        if self.rules.depth_rule == "truncate" and level == "error":
            level = "warning"
        # The line that is one too many, copies of a document not counted.
        firsts = np.sort(first_copies(np.arange(len(documents)), documents))
        self.report.add(
            "too_many_documents",
            self._line(rows[firsts[depth]]),
            "topic {} has {} documents, {} are allowed" if level == "error" else
            "topic {} has {} documents, the best {} were kept",
            name,
            len(order),
            depth,
            topic=name,
            level=level,
        )  # fmt: skip
        return order[:depth]

    def _check_sequence(self, name: bytes, rows: Rows) -> None:
        ranks = self.columns.ranks[rows]
        if ranks[0] not in (0, 1) or (np.diff(ranks) != 1).any():
            self.report.add(
                "rank_not_sequential", self._line(rows[0]),
                "the ranks of topic {} do not count up by one from 0 or 1", name, topic=name,
            )  # fmt: skip

    def _check_ranks(self, name: bytes, rows: Rows, keys: Keys) -> None:
        by_rank = np.lexsort((-keys, self.columns.ranks[rows]))
        ranked = keys[by_rank]
        rising = np.flatnonzero(ranked[1:] > ranked[:-1])
        if len(rising):
            self.report.add(
                "rank_disagrees_with_score", self._line(rows[by_rank[rising + 1]].min()),
                "topic {}: a document has a higher score than one ranked before it", name,
                topic=name,
            )  # fmt: skip

    def _note_duplicates(self, name: bytes, rows: Rows, documents: list[bytes]) -> None:
        first: dict[bytes, int] = {}
        for row, document in zip(rows.tolist(), documents, strict=True):
            before = first.setdefault(document, row)
            if before != row:
                self.report.add(
                    "duplicate_document", self._line(row),
                    "document {} of topic {} is already on line {}",
                    document, name, self._line(before), topic=name,
                )  # fmt: skip

    def _check_members(self, name: bytes, rows: Rows, documents: list[bytes]) -> None:
        against = self.against
        if against.pool is not None:
            pool = against.pool.of(name)
            self._note_outside("document_not_in_pool", name, rows, documents, pool)
            if against.needs_whole_pool and not self._may_lack_lines(name):
                self._check_pool(name, documents, pool)
        if against.documents is not None:
            self._note_outside(
                "document_not_in_collection", name, rows, documents, against.documents
            )

    def _note_outside(
        self,
        kind: str,
        name: bytes,
        rows: Rows,
        documents: list[bytes],
        known: Container[bytes],
    ) -> None:
        place = "pool" if kind == "document_not_in_pool" else "collection"
        for position, document in enumerate(documents):
            if document in known:
                continue
            line = self._line(rows[position])
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

    def _note_unknown(self, name: bytes, rows: Rows) -> None:
        for row in rows.tolist():
            self.report.add(
                "unknown_topic", self._line(row), "topic {} is not a topic of the task", name,
                topic=name,
            )  # fmt: skip

    def _check_contiguity(self) -> None:
        codes = self.columns.topics
        starts = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        names = list(self.reader.topics)
        seen = set(codes[:1].tolist())
        for row, code in zip(starts.tolist(), codes[starts].tolist(), strict=True):
            if code in seen:
                self.report.add(
                    "topic_not_contiguous", self._line(row),
                    "topic {} goes on after lines of other topics", names[code],
                    topic=names[code],
                )  # fmt: skip
            seen.add(code)

    def _check_missing(self) -> None:
        for topic in self.against.topics or ():
            if topic not in self.reader.topics and not self.reader.is_damaged(topic):
                self.report.add(
                    "missing_topic", None, "topic {} has no results", topic, topic=topic
                )

    def _check_judged(self, ranked: dict[str, tuple[list[bytes], Rows]]) -> None:
        judged = self.against.judged
        if judged is None or not ranked:
            return
        has_judged = False
        for topic, (documents, rows) in ranked.items():
            if has_judged and not self.has_other_scripts:
                return
            name = topic.encode()
            known = judged.of(name)
            has_judged = has_judged or not known.isdisjoint(documents)
            if self.has_other_scripts:
                for document, row in zip(documents, rows.tolist(), strict=True):
                    if document not in known and self._is_in_collection(document):
                        self._note_form(
                            name, self._line(row), document, known, organizers_only=True
                        )
        if not has_judged:
            self.report.add(
                "nothing_judged", None, "no document of the run is judged", organizers_only=True
            )
