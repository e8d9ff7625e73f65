"""Sets of document ids by the million: the same set as Python's, whatever the keys are."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import document_ids
from evaluation.document_ids import DocumentIds
from evaluation.ids import Ids
from evaluation.topics import read_document_ids
from evaluation.trec import read_run

SHORT = st.lists(st.binary(min_size=1, max_size=20), max_size=30)


@given(SHORT, SHORT)
def test_same_set_as_pythons(ids, others):
    known = DocumentIds.of(Ids.of(ids))
    assert len(known) == len(set(ids))
    assert set(known) == set(ids)
    assert all((one in known) == (one in set(ids)) for one in ids + others)
    absent = known.absent(Ids.of(ids + others), len(ids), len(ids) + len(others))
    assert absent.tolist() == [n for n, one in enumerate(others) if one not in set(ids)]


@given(SHORT, SHORT)
def test_ids_that_share_their_key_are_told_apart_by_their_bytes(ids, others):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_ids, "keys_in", lambda _, starts, __: np.ones(len(starts), "u4"))
        known = DocumentIds.of(Ids.of(ids))
    assert len(known) == len(set(ids))
    asked = Ids.of(others)
    asked._keys.append(np.ones(len(others), dtype=np.uint32))
    absent = known.absent(asked, 0, len(others))
    assert absent.tolist() == [n for n, one in enumerate(others) if one not in set(ids)]


def test_what_is_no_id_is_not_in_the_set():
    known = DocumentIds.of(Ids.of([b"a"]))
    assert "a" not in known
    assert b"" not in known
    assert b"a" not in DocumentIds.of(Ids.of([]))


def test_a_plain_stretch_reads_as_its_lines_do():
    plain = b"".join(b"doc-%d\n" % number for number in range(100_000))
    for text in (plain, plain[:-1], gzip.compress(plain), b"\xef\xbb\xbf" + plain):
        known = read_document_ids(text).sound()
        assert len(known) == 100_000
        assert b"doc-99999" in known
        assert b"doc-100000" not in known


@pytest.mark.parametrize("odd", [b"x y", b"\tx", b"x\r", b"", b"# x", b"caf\xc3\xa9", b"\x7f"])
@pytest.mark.parametrize("place", [0, 1, 50_000, 99_999])
def test_an_odd_line_among_many_is_seen(odd, place):
    lines = [b"doc-%d" % number for number in range(100_000)]
    lines[place] = odd
    checked = read_document_ids(b"\n".join(lines))
    kinds = {b"x y": "wrong_column_count", b"# x": "comment_lines_skipped",
             b"\x7f": "character_not_allowed"}  # fmt: skip
    assert [(one.line, one.kind) for one in checked.messages] == (
        [(place + 1, kinds[odd])] if odd in kinds else []
    )
    if odd.strip() and odd not in kinds:
        assert odd.strip() in checked.sound()


def test_run_is_told_of_documents_that_are_not_in_the_list():
    run = b"".join(b"1 Q0 d%d %d %d t\n" % (n, n + 1, 10 - n) for n in range(4))
    known = read_document_ids(b"d0\nd2\nd9\n").sound()
    messages = read_run(run, documents=known).messages
    assert [(one.line, one.kind) for one in messages] == [
        (2, "document_not_in_collection"),
        (4, "document_not_in_collection"),
    ]
