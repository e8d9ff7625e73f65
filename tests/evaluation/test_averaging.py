"""Averaging rules and means."""

import math
import random

import pytest

from evaluation.averaging import Mean, average, averaged_topics, mean
from evaluation.data import Qrels, Run, TopicScores

QRELS = Qrels.of({"1": {"a": 1}, "2": {"a": 0, "b": -1}, "10": {"a": 2}})


def test_rules_choose_their_topics_in_byte_order():
    run = Run.of({"2": {"a": 1.0}, "10": {"a": 1.0}, "7": {"a": 1.0}})
    assert averaged_topics("judged", QRELS, [run]) == ("1", "10", "2")
    assert averaged_topics("judged_with_relevant", QRELS, [run]) == ("1", "10")
    assert averaged_topics("retrieved", QRELS, [run]) == ("10", "2")
    other = Run.of({"2": {"a": 1.0}})
    assert averaged_topics("retrieved", QRELS, [run, other]) == ("2",)


def test_topics_of_the_task_restrict_every_rule():
    assert averaged_topics("judged", QRELS, topics=["2", "10", "99"]) == ("10", "2")
    assert averaged_topics("judged_with_relevant", QRELS, topics=["2"]) == ()


def test_lowest_relevant_grade_decides_which_topics_have_a_relevant_document():
    assert averaged_topics("judged_with_relevant", QRELS, rel=2) == ("10",)


def test_utilities_above_zero_are_relevant():
    utilities = Qrels.of({"1": {"a": 0.1}, "2": {"a": -0.5}}, is_graded=False)
    assert averaged_topics("judged_with_relevant", utilities) == ("1",)


def test_unknown_rule_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="judged, judged_with_relevant, retrieved"):
        averaged_topics("all", QRELS)


def test_mean_counts_missing_topics_as_zero():
    assert mean(TopicScores.of("AP", {"1": 0.5}), ["1", "2"]) == Mean(0.25, 2)


def test_mean_leaves_undefined_values_out():
    scores = TopicScores.of("tau", {"1": 0.5, "2": math.nan})
    assert mean(scores) == Mean(0.5, 1)


def test_mean_of_nothing_is_undefined_with_its_reason():
    empty = mean(TopicScores.of("AP", {}))
    assert math.isnan(empty.value)
    assert (empty.count, empty.reason) == (0, "no topic to average over")
    undefined = mean(TopicScores.of("tau", {"1": math.nan}))
    assert math.isnan(undefined.value)
    assert undefined.reason == "undefined for every topic"


def test_average_does_not_depend_on_the_order():
    values = [number / 10 for number in range(10)] * 5
    shuffled = random.Random(1).sample(values, len(values))
    assert average(values) == average(shuffled) == average(sorted(values))
