"""The frozen bootstrap: the same words, places and means everywhere."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import resampling
from evaluation.resampling import Resampling, drawn_blocks, frozen_key

QRELS = hashlib.sha256(b"301 0 d1 1\n302 0 d2 1\n303 0 d3 1\n").hexdigest()

# Stored once: a NumPy that draws other words must fail here, not shift published intervals.
WORDS = [
    0xF33FF5221EC892EB,
    0x0F252DCD429DB1E0,
    0x23BA1BCE69FA91AD,
    0xE9A24040B92719CE,
    0x7C4606C1F5ED4D6F,
    0x9F84F01643E2F0F7,
    0xBC2757D9B8444873,
    0xB60FE9CFEC0A8309,
]
PLACES = [[2, 0, 0], [2, 1, 1], [2, 2, 2], [1, 2, 0]]
SUM_OF_PLACES = 30017


def philox(counter, key, rounds=10):
    """Philox4x64-10 as Salmon et al. (SC 2011) define it, written out."""
    low = (1 << 64) - 1
    words, keys = list(counter), list(key)
    for _ in range(rounds):
        one = 0xD2E7470EE14C6C93 * words[0]
        two = 0xCA5A826395121157 * words[2]
        words = [
            (two >> 64) ^ words[1] ^ keys[0],
            two & low,
            (one >> 64) ^ words[3] ^ keys[1],
            one & low,
        ]
        keys = [(keys[0] + 0x9E3779B97F4A7C15) & low, (keys[1] + 0xBB67AE8584CAA73B) & low]
    return words


def test_words_are_the_stored_ones_and_those_of_the_published_algorithm():
    key = frozen_key(QRELS, "judged", 10_000)
    raw = np.random.Philox(key=key).random_raw(8).tolist()
    assert raw == WORDS
    halves = (key & ((1 << 64) - 1), key >> 64)
    # The generator counts up before it draws, so its first block is that of counter 1.
    assert raw == philox((1, 0, 0, 0), halves) + philox((2, 0, 0, 0), halves)


def test_places_are_the_stored_ones():
    drawn = Resampling(QRELS, "judged", topics=3)
    places = drawn.indices()
    assert places.shape == (10_000, 3)
    assert places[:4].tolist() == PLACES
    assert int(places.sum()) == SUM_OF_PLACES


def test_key_follows_the_text_of_the_rule():
    text = f"centreboard-bootstrap-1\n{QRELS}\njudged\n10000\n".encode()
    assert frozen_key(QRELS, "judged") == int.from_bytes(
        hashlib.sha256(text).digest()[:16], "little"
    )
    keys = {
        frozen_key(QRELS, "judged"),
        frozen_key("0" * 64, "judged"),
        frozen_key(QRELS, "judged_with_relevant"),
        frozen_key(QRELS, "judged", 9_999),
        frozen_key(QRELS, "judged", purpose="tukey"),
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    ("sha256", "rule", "resamples", "topics", "part"),
    [
        ("", "judged", 10, 2, "SHA-256"),
        (QRELS.upper(), "judged", 10, 2, "lower-case"),
        (QRELS, "all", 10, 2, "Unknown averaging rule 'all'"),
        (QRELS, "judged", 0, 2, "At least 1 resample"),
        (QRELS, "judged", 10, 0, "no topic to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(sha256, rule, resamples, topics, part):
    with pytest.raises(ValueError, match=part):
        Resampling(sha256, rule, topics, resamples)


@given(st.integers(1, 7), st.integers(1, 9), st.integers(1, 40))
def test_blocks_of_any_size_hold_the_same_places(topics, resamples, at_once):
    whole = np.concatenate([*drawn_blocks(5, topics, resamples)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "_AT_ONCE", at_once)
        blocks = [*drawn_blocks(5, topics, resamples)]
        assert np.concatenate(blocks).tolist() == whole.tolist()


@pytest.mark.parametrize("at_once", [4_000_000, 100])
def test_means_equal_those_of_the_scores_drawn(at_once, monkeypatch):
    monkeypatch.setattr(resampling, "_AT_ONCE", at_once)
    scores = np.random.default_rng(1).random((12, 3))
    drawn = Resampling(QRELS, "judged", topics=12, resamples=200)
    expected = scores[drawn.indices()].mean(axis=1)
    assert np.abs(drawn.means(scores) - expected).max() < 1e-12
    assert drawn.means(scores[:, 1]) == pytest.approx(expected[:, 1], abs=1e-12)


def test_topics_without_a_value_are_left_out_of_a_resample():
    scores = np.array([0.25, np.nan, 0.75])
    drawn = Resampling(QRELS, "judged", topics=3, resamples=300)
    means = drawn.means(scores)
    for places, mean in zip(drawn.indices().tolist(), means.tolist(), strict=True):
        kept = [scores[place] for place in places if place != 1]
        assert mean == pytest.approx(np.mean(kept), abs=1e-12) if kept else np.isnan(mean)
    assert np.isnan(means).sum() > 0


def test_scores_of_other_topics_are_refused():
    with pytest.raises(ValueError, match="Scores of 2 topics, resamples of 3"):
        Resampling(QRELS, "judged", topics=3, resamples=2).means([0.1, 0.2])
