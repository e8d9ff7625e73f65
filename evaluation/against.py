"""What a run is held against: topics, the collection's documents, a pool, judgments."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from evaluation.data import Qrels, Run

_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")


class Candidates:
    """The documents of each topic of a run, a pool or qrels."""

    def __init__(self, source: Run | Qrels) -> None:
        self._source = source
        self._rows = {
            topic.encode(): (int(start), int(stop))
            for topic, start, stop in zip(
                source.topics, source.starts[:-1], source.starts[1:], strict=True
            )
        }

    def of(self, topic: bytes) -> frozenset[bytes]:
        """The topic's documents, none for a topic that it lacks."""
        start, stop = self._rows.get(topic, (0, 0))
        return frozenset(self._source.documents.rows(start, stop))


@dataclass(frozen=True, slots=True)
class Against:
    """What is known of the task; None where there is nothing to compare with."""

    topics: tuple[bytes, ...] | None
    documents: Container[bytes] | None
    pool: Candidates | None
    needs_whole_pool: bool
    judged: Candidates | None

    @classmethod
    def of(
        cls,
        topics: Iterable[str] | None,
        documents: Container[bytes] | None,
        pool: Run | Qrels | None,
        qrels: Qrels | None,
    ) -> Against:
        """Prepare the look-ups; only a pool of utilities has to be ranked as a whole."""
        return cls(
            None if topics is None else tuple(topic.encode() for topic in topics),
            documents,
            None if pool is None else Candidates(pool),
            isinstance(pool, Qrels),
            None if qrels is None else Candidates(qrels),
        )


def other_form(document: bytes, known: Container[bytes]) -> bytes | None:
    """The known id that differs from this one by its Unicode form alone."""
    if document.isascii():
        return None
    text = document.decode()
    for form in _FORMS:
        other = unicodedata.normalize(form, text).encode()
        if other != document and other in known:
            return other
    return None
