import gzip
import hashlib
import io
import random
import tracemalloc
import zlib

import pytest

from evaluation.errors import FileProblem
from evaluation.rules import Budgets
from evaluation.source import BLOCK, Text, chunks, opened, quoted_lines
from evaluation.trec import read_run

LINES = b"".join(b"1 Q0 d%d %d %d r\n" % (rank, rank, 1000 - rank) for rank in range(1, 1001))


def text_of(raw, **budgets):
    text = Text(io.BytesIO(raw), Budgets(**budgets))
    return b"".join(text.blocks()), text


def problem_of(raw, **budgets):
    with pytest.raises(FileProblem) as caught:
        text_of(raw, **budgets)
    return caught.value


@pytest.mark.parametrize("wrap", [bytes, gzip.compress])
def test_text_and_sums_of_plain_and_gzip(wrap):
    raw = wrap(LINES)
    content, text = text_of(raw)
    assert content == LINES
    assert text.sha256 == hashlib.sha256(LINES).hexdigest()
    assert text.upload_sha256 == hashlib.sha256(raw).hexdigest()
    assert (text.upload_bytes, text.text_bytes) == (len(raw), len(LINES))


def test_gzip_of_several_members_with_zero_padding():
    raw = gzip.compress(LINES[:5000]) + gzip.compress(LINES[5000:]) + bytes(512)
    assert text_of(raw)[0] == LINES


@pytest.mark.parametrize("size", [BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1])
def test_gzip_member_whose_end_comes_with_the_last_piece(size):
    raw = gzip.compress(b"x" * size) + gzip.compress(b"y" * size)
    assert text_of(raw, expansion=1 << 20)[0] == b"x" * size + b"y" * size


def test_gzip_member_that_ends_at_a_block_border():
    noise = random.Random(1).randbytes(300_000).hex().encode()
    first = gzip.compress(noise)
    for cut in (1, 2, 10, 18):
        padded = first + gzip.compress(b"x" * cut)
        assert text_of(padded)[0] == noise + b"x" * cut


@pytest.mark.parametrize(
    "raw",
    [
        gzip.compress(LINES)[:-1],
        gzip.compress(LINES)[:40],
        gzip.compress(LINES)[:2],
        gzip.compress(LINES) + b"rubbish",
        gzip.compress(LINES)[:-8] + bytes(8),
        b"\x1f\x8bnot gzip at all",
    ],
)
def test_damaged_gzip(raw):
    assert problem_of(raw).kind == "archive_damaged"


def test_upload_over_its_budget():
    assert text_of(LINES, upload_bytes=len(LINES))[0] == LINES
    assert problem_of(LINES, upload_bytes=len(LINES) - 1).kind == "file_too_large"


def test_text_over_its_budget():
    raw = gzip.compress(LINES)
    assert text_of(raw, text_bytes=len(LINES))[0] == LINES
    problem = problem_of(raw, text_bytes=len(LINES) - 1)
    assert (problem.kind, problem.text) == (
        "file_too_large",
        f"the text is larger than {len(LINES) - 1} bytes",
    )


def bomb(text, megabytes):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = text * ((1 << 20) // len(text))
    return b"".join([*(packer.compress(block) for _ in range(megabytes)), packer.flush()])


@pytest.mark.parametrize("text", [b"\0", b"x", b"\n"])
def test_gzip_bomb_ends_early_and_in_little_memory(text):
    raw = bomb(text, 100)
    tracemalloc.start()
    checked = read_run(raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    kind = "not_a_run" if text == b"\0" else "file_too_large"
    assert [one.kind for one in checked.messages] == [kind]
    assert checked.summary.text_bytes < 14 << 20
    assert peak < 8 << 20
    assert checked.summary.sha256 is None


def test_gzip_bomb_of_sound_lines_ends_early():
    checked = read_run(bomb(b"1 Q0 d 1 1 r\n", 100))
    assert "file_too_large" in {one.kind for one in checked.messages}
    assert checked.summary.text_bytes < 14 << 20


def test_bomb_of_faulty_lines_ends_early():
    checked = read_run(b"1 Q0\n" * 500_000)
    assert [one.kind for one in checked.messages][-2:] == ["not_a_run", "wrong_column_count"]
    assert checked.messages[-1].text == "99900 more of wrong_column_count, 100000 in all"
    assert checked.summary.lines < 150_000


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 1 << 20])
def test_chunks_hold_whole_lines(size):
    blocks = [LINES[at : at + size] for at in range(0, len(LINES), size)]
    cut = list(chunks(blocks, 100))
    assert b"".join(cut) == LINES
    assert all(chunk.endswith(b"\n") for chunk in cut)


def test_chunks_keep_a_last_line_without_newline():
    assert list(chunks([b"a\nb", b"c"], 100)) == [b"a\n", b"bc"]


@pytest.mark.parametrize("size", [1, 3, 10, 50])
def test_chunks_cut_an_endless_line_but_keep_the_count_of_lines(size):
    raw = b"a\n" + b"x" * 500 + b"\nb\n" + b"y" * 30
    cut = b"".join(chunks([raw[at : at + size] for at in range(0, len(raw), size)], 20))
    lines = cut.split(b"\n")
    assert [lines[0], lines[2]] == [b"a", b"b"]
    assert lines[1].startswith(b"x" * 20)
    assert lines[3] == b"y" * 20


def test_opened_file_is_read_from_its_beginning_and_left_open():
    file = io.BytesIO(LINES)
    file.seek(100)
    with opened(file) as same:
        assert same.read() == LINES
    assert not file.closed


def test_quoted_lines_are_found_again():
    raw = gzip.compress(b"a\nb\n\nd")
    assert quoted_lines(raw, {1, 3, 4, 9}, 100) == {1: b"a", 3: b"", 4: b"d"}


def test_quoted_lines_of_a_pipe_are_not_asked_for():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    assert quoted_lines(Pipe(b"a\n"), {1}, 100) == {}
