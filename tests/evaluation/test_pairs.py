"""A submitted pair against the original pair."""

import json
import math

import pytest

from evaluation.data import Qrels, Run, TopicScores
from evaluation.pairs import ORDERS, Pair, compare_pair_scores, compare_pairs


def scores(**values: float) -> TopicScores:
    return TopicScores.of("AP", {name[1:]: value for name, value in values.items()})


ORIGINAL = Pair(scores(t1=0.2, t2=0.4), scores(t1=0.3, t2=0.5))
SUBMITTED = Pair(scores(t1=0.2, t2=0.4), scores(t1=0.25, t2=0.45))


def test_pair_on_the_same_collection():
    found = compare_pair_scores(ORIGINAL, SUBMITTED, ["1", "2"])
    assert found.effects.effect_ratio == pytest.approx(0.5)
    assert found.effects.delta_ri == pytest.approx(1 / 6)
    assert (found.baseline.rmse, found.advanced.rmse) == (0, pytest.approx(0.05))
    assert (found.baseline.test.p_value, found.advanced.test.p_value) == (1, 0)
    assert found.is_same_collection


def test_pair_on_a_new_collection_notes_shared_topics():
    submitted = Pair(scores(t2=0.4, t3=0.2), scores(t2=0.45, t3=0.3))
    found = compare_pair_scores(ORIGINAL, submitted, ["1", "2"], ["2", "3"])
    assert found.effects.effect_ratio == pytest.approx(0.75)
    assert math.isnan(found.baseline.rmse)
    assert (found.is_same_collection, found.shared_topics) == (False, 1)
    assert "share 1 topics" in found.warnings["shared_topics"]


def test_order_keys_are_distances_to_the_target():
    found = compare_pair_scores(ORIGINAL, SUBMITTED, ["1", "2"])
    assert {name: found.order_key(name) for name in ORDERS} == {
        "rmse": 0.025,
        "distance": round(math.hypot(0.5, 1 / 6), 12),
        "effect_ratio": 0.5,
        "delta_ri": round(1 / 6, 12),
        "arp": 0.025,
    }
    with pytest.raises(ValueError, match="rmse, distance"):
        found.order_key("p_value")


def test_order_key_of_an_undefined_value_is_undefined():
    flat = Pair(ORIGINAL.baseline, ORIGINAL.baseline)
    found = compare_pair_scores(flat, SUBMITTED, ["1", "2"])
    assert math.isnan(found.order_key("distance"))
    assert found.order_key("rmse") > 0


def test_pair_of_runs_against_itself_recovers_everything():
    baseline = Run.of({"1": {"a": 1.0, "b": 2.0}, "2": {"a": 1.0}})
    advanced = Run.of({"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}})
    qrels = Qrels.of({"1": {"a": 1}, "2": {"b": 1}})
    pair = Pair(baseline, advanced)
    [found] = compare_pairs(pair, pair, qrels, ["MAP"]).values()
    assert (found.effects.effect_ratio, found.effects.delta_ri, found.order_key("rmse")) == (
        1,
        0,
        0,
    )
    assert found.baseline.topics == 2
    [found] = compare_pairs(pair, pair, qrels, ["AP"], rule="judged_with_relevant").values()
    assert found.baseline.topics == 2
    [new] = compare_pairs(pair, pair, qrels, ["AP"], new_qrels=qrels).values()
    assert (new.effects.effect_ratio, new.shared_topics) == (1, 2)


def test_json_has_the_keys_of_the_contract():
    found = compare_pair_scores(ORIGINAL, SUBMITTED, ["1", "2"]).to_json()
    assert {
        "effect_ratio",
        "relative_improvement_original",
        "relative_improvement_submitted",
        "delta_ri",
        "region",
        "reasons",
        "original_effect",
        "p_value",
    } <= set(found)
    assert set(found["original_effect"]) >= {"mean", "p_value"}
    assert set(found["p_value"]) == {"baseline", "advanced"}
    assert found["region"] == 1
    flat = Pair(ORIGINAL.baseline, ORIGINAL.baseline)
    other = compare_pair_scores(flat, SUBMITTED, ["1", "2"]).to_json()
    assert other["effect_ratio"] is None
    assert other["reasons"]["effect_ratio"] == "the original effect is 0"
    json.dumps(other, allow_nan=False)
