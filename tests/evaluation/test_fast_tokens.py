"""The tokeniser on NumPy against bytes.split and the line reader: the same runs, faults, lines."""

import gzip
import io
import math
import random
import re
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import source
from evaluation.fast_tokens import fast_columns
from evaluation.lines import NUMBER
from evaluation.number_columns import MARGIN, decimals, whole_numbers
from evaluation.report import Report
from evaluation.rules import Budgets, CheckRules
from evaluation.runlines import RunReader
from evaluation.tokens import numbers, split_columns
from evaluation.trec import read_run
from evaluation.words import loads


def texts(*weighted):
    return st.sampled_from([text for text, weight in weighted for _ in range(weight)])


TOPICS = texts(("1", 8), ("2", 6), ("é-3", 1), ("topic-of-seventeen", 1), ("#4", 1), ("x" * 140, 1))
DOCUMENTS = st.integers(0, 40).map(lambda n: f"d{n:0{1 + n % 19}}") | texts(
    ("e\u0301", 1), ("\u00e9", 1), ("a\u00a0b", 1), ("z\u200b", 1), ("y" * 130, 1), ("dé" * 9, 1)
)
RANKS = st.integers(0, 12).map(str) | texts(
    ("+3", 1), ("-1", 1), ("1.0", 1), ("123456789", 1), ("9" * 18, 1), ("9" * 19, 1), ("one", 1)
)
SCORES = (
    st.floats(-1e3, 1e3).map(repr)
    | st.floats(-1e3, 1e3).map("{:.17g}".format)
    | st.integers(-9, 9).map(str)
    | st.decimals(-99, 99, places=4).map(str)
    | texts(
        ("nan", 1),
        ("-inf", 1),
        ("1e400", 1),
        ("1e-400", 1),
        ("2e1", 1),
        ("1,5", 1),
        ("0x1p3", 1),
        ("1_0", 1),
        (".5", 1),
        ("5.", 1),
        (".", 1),
        ("-", 1),
        ("1.2.3", 1),
        ("-0", 1),
        ("+1.5", 1),
    )
)
SECONDS, TAGS = texts(("Q0", 12), ("0", 1), ("Q00", 1)), texts(("run", 15), ("run-b", 1))
BLANKS = texts((" ", 12), ("\t", 2), ("  ", 1), (" \t ", 1))
ENDS = texts(("\n", 12), ("\r\n", 2), (" \n", 1), ("\n\n", 1), ("\n \t\n", 1), ("\r\r\n", 1))
STRANGE = st.sampled_from([
    b"", b"# a comment", b"   # another", b"1 Q0", b"\xff 1 2", b"1 Q0 \xc3 1 2 run",
    b"1 Q0 d\x01 1 2 run", b"1 Q0 d\x7f 1 2 run", b"1 Q0 d\x0b 1 2 run", b"1\rQ0 d 1 2 run",
    b"qid Q0 docid rank score tag", b"topic Q0 docid 1 2 run", b"1 Q0 a 1 2 run extra",
    b"1 Q0 a 1 2 run extra and more", b"1,Q0,a,1,2,run", b"\x00", b"w" * 320,
    b"1 Q0 " + b"v" * 320 + b" 1 2 run", "1 Q0 d\u2028 1 2 run".encode(),
])  # fmt: skip


@st.composite
def sound_like(draw):
    fields = [draw(one) for one in (TOPICS, SECONDS, DOCUMENTS, RANKS, SCORES, TAGS)]
    blank = draw(BLANKS)
    return blank.join(fields).encode()


@st.composite
def plain(draw):
    return (
        f"{draw(st.integers(1, 3))} Q0 d{draw(st.integers(0, 99))} {draw(st.integers(1, 9))} "
        f"{draw(st.integers(-99, 99)) / 4} run"
    ).encode()


@st.composite
def files(draw):
    """A run file with some faults or many; most lines are plain."""
    line = st.one_of(plain(), plain(), plain(), plain(), sound_like(), STRANGE)
    lines = draw(st.lists(line | plain(), min_size=1, max_size=40))
    text = b"".join(one + draw(ENDS).encode() for one in lines)
    if draw(st.booleans()):
        text = text.rstrip(b"\n")
    return (b"\xef\xbb\xbf" if draw(st.integers(0, 9)) == 0 else b"") + text


@st.composite
def rules(draw):
    levels = draw(
        st.dictionaries(
            st.sampled_from(
                ["extra_column", "bad_rank", "tag_inconsistent", "duplicate_document",
                 "score_underflow", "header_line"]
            ),
            st.sampled_from(["warning", "ignore"]),
        )
    )  # fmt: skip
    return CheckRules(
        levels,
        depth=draw(st.sampled_from([None, 2, 5])),
        depth_rule=draw(st.sampled_from(["reject", "truncate"])),
        precision=draw(st.sampled_from(["double", "single"])),
        budgets=Budgets(
            line_bytes=draw(st.sampled_from([300, 65_536])),
            faulty_lines=draw(st.sampled_from([3, 100_000])),
            lines=draw(st.sampled_from([20, 10_000_000])),
            topics=draw(st.sampled_from([2, 200_000])),
        ),
    )


def everything(checked):
    run = checked.run
    held = None
    if run is not None:
        rows = [run.documents.rows(int(a), int(b)) for a, b in pairwise(run.starts)]
        held = (run.tag, run.topics, run.starts.tolist(), rows, run.scores.tobytes(), run.sha256)
    return held, checked.messages, checked.summary


def several_members(text):
    return gzip.compress(text[: len(text) // 3]) + gzip.compress(text[len(text) // 3 :])


@given(files(), rules(), st.sampled_from([1, 20, 50, 64, 200, 1 << 18]), st.booleans())
@settings(max_examples=300)
def test_same_runs_faults_and_lines_as_split(text, rules, size, is_packed):
    raw = several_members(text) if is_packed else text
    before = source.BLOCK
    source.BLOCK = size
    try:
        wanted = read_run(raw, rules, tokeniser=split_columns)
        found = read_run(raw, rules, tokeniser=fast_columns)
    finally:
        source.BLOCK = before
    assert everything(found) == everything(wanted)


@given(st.lists(plain() | sound_like() | STRANGE, min_size=1, max_size=30))
@settings(max_examples=200)
def test_same_rows_as_line_by_line(lines):
    chunk = b"\n".join(lines) + b"\n"
    fast, exact = RunReader(Report(CheckRules())), RunReader(Report(CheckRules()))
    first, second = fast_columns(chunk, 7, fast), exact.columns(chunk, 7)
    assert list(fast.topics) == list(exact.topics)
    assert fast.damaged == exact.damaged
    assert list(first.documents) == list(second.documents)
    for name in ("lines", "topics", "ranks", "scores"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.documents.keys().tolist() == second.documents.keys().tolist()
    assert fast.report.messages({}) == exact.report.messages({})


def columns_of(tokens):
    buffer = b" " * MARGIN + b" ".join(tokens) + b" " * 16
    ends = MARGIN + np.cumsum([len(token) + 1 for token in tokens]) - 1
    starts = ends - np.array([len(token) for token in tokens])
    return loads(np.frombuffer(buffer, dtype=np.uint8)), starts, ends


def check_decimals(tokens):
    """Each value that is called sound has the bits of float(); returns the share of these."""
    values, sound = decimals(*columns_of(tokens))
    for token, value, is_sound in zip(tokens, values, sound, strict=True):
        if is_sound:
            assert NUMBER.fullmatch(token), token
            assert value.tobytes() == np.float64(float(token)).tobytes(), token
    return float(sound.mean())


DIGITS = st.text("0123456789", max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["", "-", "+"]), DIGITS, DIGITS), min_size=1))
def test_decimals_of_up_to_twenty_digits_have_the_bits_of_float(parts):
    check_decimals([f"{sign}{whole}.{rest}".encode() for sign, whole, rest in parts])
    check_decimals([f"{sign}{whole}".encode() or b"0" for sign, whole, _ in parts])


@given(st.lists(st.text("0123456789.+-eEx_,", min_size=1, max_size=14), min_size=1))
def test_what_is_no_decimal_is_never_called_one(tokens):
    check_decimals([token.encode() for token in tokens])


def test_decimals_beside_the_middle_of_two_doubles():
    chance = random.Random(4)
    tokens = []
    for _ in range(20_000):
        odd = (chance.getrandbits(53) | 1 << 53) | 1
        middle = Decimal(odd) / (1 << chance.randrange(46, 53))
        for digits in (16, 17, 18):
            tokens.append(str(round(middle, digits - len(str(int(middle))))).encode())
    assert check_decimals(tokens) > 0.9


def test_usual_scores_need_no_second_reading():
    chance = random.Random(5)
    for form in ("{:.6f}", "{:.4f}", "{:.17g}", "{!r}", "{:.0f}"):
        tokens = [form.format(chance.uniform(-60, 60)).encode() for _ in range(5_000)]
        assert check_decimals(tokens) > 0.99 - (form == "{:.17g}") * 0.02, form


@given(st.lists(st.text("0123456789+-. ", min_size=1, max_size=10).map(str.strip), min_size=1))
def test_whole_numbers(texts):
    tokens = [text.replace(" ", "").encode() or b"7" for text in texts]
    view, starts, ends = columns_of(tokens)
    values, sound = whole_numbers(view, ends, ends - starts)
    for token, value, is_sound in zip(tokens, values.tolist(), sound.tolist(), strict=True):
        assert is_sound == (re.fullmatch(rb"[0-9]{1,8}", token) is not None)
        assert not is_sound or value == int(token)


EXPONENTS = st.from_regex(r"\A-?[0-9]{1,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,2})?\Z")


@given(st.lists(EXPONENTS, min_size=1, max_size=30))
def test_any_score_orders_as_float_does(scores):
    text = "".join(f"1 Q0 d{row:03} {row} {one} run\n" for row, one in enumerate(scores))
    run = read_run(text.encode(), CheckRules(levels={"score_underflow": "ignore"})).sound()
    wanted = sorted(((float(one), b"d%03d" % row) for row, one in enumerate(scores)), reverse=True)
    assert list(run.documents) == [document for _, document in wanted]
    assert run.scores.tobytes() == np.array([score for score, _ in wanted]).tobytes()


def test_numbers_that_float_takes_but_the_field_does_not():
    for text in (b"1_0", b"infinity", "\u0661".encode(), b" 1"):
        assert numbers([text]) is None
        assert not math.isnan(float(text.decode()))


@pytest.mark.parametrize("share", [0.001, 0.02, 0.5])
def test_many_faults_in_many_chunks_are_found_where_they_are(share):
    chance = random.Random(6)
    lines = [
        b"%d Q0 doc-%06d %d %.4f tag" % (row // 1000, row, row % 1000 + 1, 1000 - row % 1000)
        for row in range(30_000)
    ]
    places = sorted(chance.sample(range(30_000), int(share * 30_000)))
    kinds = [b"%s x", b"%sx\x01", b"# %s", b"%s\xff"]
    for place in places:
        lines[place] = chance.choice(kinds) % lines[place]
    raw = b"\n".join(lines)
    wanted = read_run(io.BytesIO(raw), tokeniser=split_columns)
    found = read_run(io.BytesIO(raw), tokeniser=fast_columns)
    assert everything(found) == everything(wanted)
    first = min(one.line for one in found.messages if one.line is not None)
    assert first == places[0] + 1
