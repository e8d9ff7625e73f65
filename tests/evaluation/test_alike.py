"""Measures of alike rankings over whole runs are those of one topic at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluation import alike, ordering
from evaluation.data import Run
from evaluation.ids import Ids
from evaluation.inversions import inversions
from evaluation.matching import Matching

ids = st.text("abcé", min_size=1, max_size=12) | st.sampled_from(
    ["clueweb12-0001wb-01-00001", "clueweb12-0001wb-01-00002", "clueweb12-0001wb-01", "clueweb12"]
)
rankings = st.lists(ids, unique=True, max_size=12)
topics = st.dictionaries(st.sampled_from("123456"), rankings, max_size=4)
depths = st.none() | st.integers(1, 6)

SAME = [
    ("kendall_tau_union", alike.kendall_tau_union, ordering.kendall_tau_union),
    *(
        (
            variant,
            lambda matching, v=variant: alike.kendall_tau_union(matching, v),
            lambda a, b, v=variant: ordering.kendall_tau_union(a, b, variant=v),
        )
        for variant in ("sorted", "tied_below")
    ),
    ("intersection", alike.kendall_tau_intersection, ordering.kendall_tau_intersection),
    ("rbo", alike.rank_biased_overlap, ordering.rank_biased_overlap),
    ("overlap", alike.overlap, ordering.overlap),
    ("length_coverage", alike.length_coverage, ordering.length_coverage),
]


def run_of(lists: dict[str, list[str]], key: int | None = None) -> Run:
    run = Run.of(
        {
            topic: {document: float(-rank) for rank, document in enumerate(ranking)}
            for topic, ranking in lists.items()
        }
    )
    if key is None:
        return run
    # All documents share a key, as if somebody had prepared them to.
    keys = np.full(len(run.documents), key, dtype=np.uint32)
    documents = Ids(run.documents.blob, run.documents.offsets, [keys])
    return Run(run.tag, run.topics, run.starts, documents, run.scores)


@pytest.mark.parametrize(("batched", "single"), [s[1:] for s in SAME], ids=[s[0] for s in SAME])
@given(first=topics, second=topics, depth=depths, key=st.none() | st.just(7))
@example(first={"1": ["b", "a"]}, second={"1": ["a", "b"]}, depth=None, key=7)
@example(first={"1": ["a", "b"]}, second={"1": ["c", "d"]}, depth=None, key=7)
def test_all_topics_at_once_give_the_values_of_each(batched, single, first, second, depth, key):
    one, two = run_of(first, key), run_of(second, key)
    names = sorted({*first, *second})
    found = batched(Matching.of(one, two, names, depth)).tolist()
    expected = [single(one.ranking(t, depth), two.ranking(t, depth)) for t in names]
    np.testing.assert_array_equal(found, expected)


@given(st.lists(st.lists(st.integers(0, 90), max_size=90), max_size=5))
def test_inversions_are_counted_as_pairs(sequences):
    starts = np.cumsum([0, *map(len, sequences)])
    values = np.array([value for one in sequences for value in one], dtype=np.int64)
    expected = [sum(a > b for a, b in combinations(one, 2)) for one in sequences]
    assert inversions(values, starts).tolist() == expected


def test_inversions_of_a_long_descent():
    size = 100_000
    found = inversions(np.arange(size)[::-1], np.array([0, size]))
    assert found.tolist() == [size * (size - 1) // 2]
