import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import FileRejected
from evaluation.published import NOT_GIVEN, read_topic_scores

TREC_EVAL = b"""map                   \t301\t0.25
P_10                  \t301\t0.5
map                   \t302\t0.75
P_10                  \t302\t0.1
map                   \tall\t0.5
P_10                  \tall\t0.3
"""


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


def by_topic(checked):
    scores = checked.sound()
    return dict(zip(scores.topics, scores.values.tolist(), strict=True))


@pytest.mark.parametrize("head", [b"", b"topic,score\n", b"Topic,AP\r\n"])
def test_csv_scores(head):
    checked = read_topic_scores(head + b"302,0.25\n 301 , 1e-3\n\n", "AP")
    assert by_topic(checked) == {"301": 0.001, "302": 0.25}
    assert (checked.sound().measure, checked.messages) == ("AP", ())


def test_quoted_csv_scores():
    assert by_topic(read_topic_scores(b'"301","0.25"\n', "AP")) == {"301": 0.25}


@pytest.mark.parametrize(("name", "scores"), [("map", [0.25, 0.75]), ("P_10", [0.5, 0.1])])
def test_trec_eval_scores_of_the_measure_asked_for(name, scores):
    checked = read_topic_scores(TREC_EVAL, "M", name_in_file=name)
    assert list(by_topic(checked).values()) == scores


def test_trec_eval_scores_of_a_single_measure_need_no_name():
    raw = b"".join(line for line in TREC_EVAL.splitlines(keepends=True) if b"map" in line)
    assert by_topic(read_topic_scores(raw, "AP")) == {"301": 0.25, "302": 0.75}


def test_trec_eval_scores_of_several_measures_need_a_name():
    checked = read_topic_scores(TREC_EVAL, "AP")
    assert checked.outcome == "rejected"
    assert "P_10, map" in checked.messages[-1].text


def test_trec_eval_scores_of_another_measure_only():
    assert found(read_topic_scores(TREC_EVAL, "RR", name_in_file="recip_rank")) == [
        ("error", None, "empty_file")
    ]


@pytest.mark.parametrize("value", [b"", b"NaN", b"null", b"-"])
def test_undefined_scores_have_a_reason(value):
    checked = read_topic_scores(b"301,0.5\n302," + value + b"\n", "AP")
    assert math.isnan(by_topic(checked)["302"])
    assert checked.sound().reasons == {"302": NOT_GIVEN}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"302,x", "bad_score"),
        (b"302,1e999", "score_not_finite"),
        (b"302,inf", "bad_score"),
        (b"302,0.5,3", "wrong_column_count"),
        (b"302", "wrong_column_count"),
        (b"301,0.5", "duplicate_topic"),
        (b'"302,0.5', "wrong_column_count"),
    ],
)
def test_faulty_score(line, kind):
    checked = read_topic_scores(b"301,0.5\n" + line + b"\n303,1\n", "AP")
    assert checked.outcome == "rejected"
    assert (found(checked)[0][1], found(checked)[0][2]) == (2, kind)
    with pytest.raises(FileRejected):
        checked.sound()


@given(
    st.text(max_size=100)
    | st.lists(st.sampled_from(["1", ",", '"', "\n", " ", "all"])).map("".join)
)
def test_any_text_gives_a_report_and_no_crash(text):
    checked = read_topic_scores(text.encode("utf-8", "surrogatepass"), "AP")
    assert (checked.scores is None) == (checked.outcome == "rejected")
