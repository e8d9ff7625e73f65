"""Judged documents are found by their bytes, whatever the keys say."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import ids as ids_module
from evaluation import words
from evaluation.data import Qrels, Run
from evaluation.effectiveness import join
from evaluation.ids import Ids
from evaluation.trec import read_run

NAMES = st.text("ab\u00e9\0", min_size=0, max_size=20)
TOPICS = st.sampled_from(["1", "2", "3"])


def by_hand(run, qrels):
    found = []
    for number, topic in enumerate(qrels.topics):
        judged = qrels.judged(topic)
        found.extend(
            (number, rank, judged[document])
            for rank, document in enumerate(run.ranking(topic), 1)
            if document in judged
        )
    return found


def joined_rows(run, qrels):
    joined = join(run, qrels)
    return list(
        zip(joined.topic.tolist(), joined.rank.tolist(), joined.grades.tolist(), strict=True)
    )


RUNS = st.dictionaries(TOPICS, st.dictionaries(NAMES, st.floats(-9, 9), min_size=1), min_size=1)
QRELS = st.dictionaries(TOPICS, st.dictionaries(NAMES, st.integers(-1, 3), min_size=1), min_size=1)


@given(RUNS, QRELS)
def test_judged_rows_are_those_of_equal_bytes(topics, judged):
    run, qrels = Run.of(topics), Qrels.of(judged)
    assert joined_rows(run, qrels) == by_hand(run, qrels)


@pytest.fixture
def blind_keys(monkeypatch):
    """All ids have the same key, as if someone had made them so."""

    def same(blob, starts, lengths):
        return np.zeros(len(starts), dtype=np.uint32)

    monkeypatch.setattr(ids_module, "keys_in", same)
    monkeypatch.setattr(words, "_FACTORS", np.zeros(1, dtype=np.uint64))


@pytest.mark.usefixtures("blind_keys")
def test_equal_keys_are_no_equal_documents():
    names = {f"d{number}": float(number) for number in range(40)}
    run = Run.of({"1": names, "2": names})
    qrels = Qrels.of({"1": {"d3": 1, "d30": 2, "e": 1}, "2": {"d39": 3}})
    assert joined_rows(run, qrels) == by_hand(run, qrels) == [(0, 10, 2), (0, 37, 1), (1, 1, 3)]


@pytest.mark.usefixtures("blind_keys")
def test_equal_keys_are_no_duplicates():
    lines = [b"1 Q0 doc-%d %d %d run" % (row, row, -row) for row in range(1, 30)]
    assert read_run(b"\n".join(lines)).messages == ()
    lines.append(b"1 Q0 doc-7 30 -30 run")
    (only,) = read_run(b"\n".join(lines)).messages
    assert (only.kind, only.line) == ("duplicate_document", 30)


@given(st.lists(st.binary(max_size=30), min_size=1), st.data())
def test_ids_keep_their_bytes_when_they_are_gathered(listed, data):
    ids = Ids.of(listed)
    places = st.integers(0, len(listed) - 1)
    rows = data.draw(st.lists(places))
    start, stop = sorted(data.draw(st.tuples(places, places)))
    keys = ids.keys()
    found = ids.gathered([np.array(rows, dtype=np.int64), slice(start, stop)])
    assert list(found) == [listed[row] for row in rows] + listed[start:stop]
    assert found.keys().tolist() == [*keys[rows].tolist(), *keys[start:stop].tolist()]
    assert Ids.of(found).keys().tolist() == found.keys().tolist()


def test_what_was_pickled_is_right_in_a_process_with_other_keys(monkeypatch):
    text = b"".join(b"1 Q0 d%d %d %d run\n" % (n, n, 40 - n) for n in range(1, 31))
    run, qrels = read_run(text).sound(), Qrels.of({"1": {f"d{n}": n % 3 for n in range(9, 20)}})
    wanted = joined_rows(run, qrels)
    assert len(wanted) == 11
    stored = pickle.dumps((run, qrels))
    monkeypatch.setattr(words, "_FACTORS", words._FACTORS[::-1])
    run_there, qrels_there = pickle.loads(stored)
    # Each beside one that was made in the other process.
    assert joined_rows(run_there, Qrels.of({"1": dict(_judged(qrels))})) == wanted
    assert joined_rows(read_run(text).sound(), qrels_there) == wanted


def _judged(qrels):
    return {document.decode(): grade for document, grade in qrels.judged("1").items()}
