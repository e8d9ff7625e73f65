"""Bytes on their way into the store: what is taken, what is refused, and what stays behind."""

from __future__ import annotations

import gzip
import hashlib
import time
import tracemalloc
import zlib
from pathlib import Path

import pytest

from campaigns.services import uploads
from campaigns.services.uploads import Receiver, UploadError, receive, runs_storage

TEXT = b"101 Q0 d1 1 9.5 demo\n101 Q0 d2 2 8.5 demo\n"
ROOMY = {"upload_limit": 1 << 20, "text_limit": 1 << 20}


def stored(key: str) -> bytes:
    with runs_storage().open(key) as file:
        return file.read()


def files() -> set[Path]:
    root = Path(runs_storage().path(""))
    return {path for path in root.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def before():
    """The files that were there already."""
    return files()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_plain_file_is_stored_byte_for_byte():
    received = receive([TEXT[:5], TEXT[5:]], "run.txt", **ROOMY)
    assert stored(received.key) == TEXT
    assert (received.name, received.is_gzip) == ("run.txt", False)
    assert (received.size, received.text_size) == (len(TEXT), len(TEXT))
    assert received.sha256 == received.text_sha256 == sha(TEXT)


def test_gzip_file_is_stored_as_sent_and_knows_its_text():
    data = gzip.compress(TEXT)
    received = receive([data], "run.gz", **ROOMY)
    assert stored(received.key) == data
    assert (received.is_gzip, received.size, received.text_size) == (True, len(data), len(TEXT))
    assert (received.sha256, received.text_sha256) == (sha(data), sha(TEXT))


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(TEXT) + gzip.compress(TEXT),
        gzip.compress(TEXT) + b"\0" * 512 + gzip.compress(TEXT) + b"\0" * 3,
        gzip.compress(b"") + gzip.compress(TEXT + TEXT),
    ],
    ids=["two members", "zero padding", "empty first member"],
)
def test_gzip_of_several_members_is_one_text_however_it_arrives(data, step):
    pieces = [data[at : at + step] for at in range(0, len(data), step)]
    received = receive(pieces, "run.gz", **ROOMY)
    assert (received.text_size, received.text_sha256) == (2 * len(TEXT), sha(TEXT + TEXT))


@pytest.mark.parametrize("first", [b"", b"1", b"\x1f"])
def test_start_of_a_file_may_come_in_pieces(first):
    rest = gzip.compress(TEXT)[1:] if first == b"\x1f" else TEXT
    received = receive([first, rest], "run", **ROOMY)
    assert (received.is_gzip, received.size) == (first == b"\x1f", len(first + rest))


def test_file_of_one_byte_is_taken_as_text():
    received = receive([b"\x1f"], "run", **ROOMY)
    assert (received.is_gzip, received.text_size, received.text_sha256) == (False, 1, sha(b"\x1f"))


def broken(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("pieces", "kind", "status"),
    [
        ([], "empty_file", 422),
        ([b""], "empty_file", 422),
        ([gzip.compress(b"")], "empty_file", 422),
        ([gzip.compress(TEXT)[:-1]], "archive_damaged", 422),
        ([gzip.compress(TEXT)[:12]], "archive_damaged", 422),
        ([b"\x1f\x8b"], "archive_damaged", 422),
        ([broken(gzip.compress(TEXT), -5)], "archive_damaged", 422),
        ([broken(gzip.compress(TEXT), 20)], "archive_damaged", 422),
        ([gzip.compress(TEXT) + b"more"], "archive_damaged", 422),
        ([gzip.compress(TEXT), gzip.compress(TEXT)[:-4]], "archive_damaged", 422),
        ([b"x" * (1 << 20), b"x"], "file_too_large", 413),
        ([gzip.compress(b"x" * (1 << 20) + b"x")], "file_too_large", 413),
    ],
)
def test_bad_file_is_refused_and_leaves_nothing(pieces, kind, status, before):
    with pytest.raises(UploadError) as refused:
        receive(pieces, "run", **ROOMY)
    assert (refused.value.kind, refused.value.status) == (kind, status)
    message = refused.value.as_message()
    assert (message["level"], message["line"], message["kind"]) == ("error", None, kind)
    assert message["text"].endswith(".")
    assert message["remedy"].endswith(".")
    assert files() == before


def test_limits_hold_to_the_byte():
    data = gzip.compress(TEXT)
    received = receive([data], "run", upload_limit=len(data), text_limit=len(TEXT))
    assert received.text_size == len(TEXT)
    for upload, text in ((len(data) - 1, len(TEXT)), (len(data), len(TEXT) - 1)):
        with pytest.raises(UploadError) as refused:
            receive([data], "run", upload_limit=upload, text_limit=text)
        assert refused.value.kind == "file_too_large"
        assert f"{min(upload, len(data) - 1) if upload < len(data) else text:,}" in str(
            refused.value
        )


def bomb(size: int) -> bytes:
    """A gzip file of about a thousandth of the zeros that it expands to."""
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(1 << 24)
    pieces = [packer.compress(block) for _ in range(size >> 24)]
    return b"".join([*pieces, packer.flush()])


def test_bomb_is_refused_before_it_expands(before):
    data = bomb(1 << 28)  # as dense as one of ten gigabytes, whose first piece decides as well
    assert len(data) < 1 << 19
    started = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(UploadError) as refused:
            receive([data] * 40, "bomb.gz", upload_limit=1 << 30, text_limit=1 << 25)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (refused.value.kind, refused.value.status) == ("file_too_large", 413)
    assert peak < 8 << 20
    assert time.process_time() - started < 5
    assert files() == before


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("run.txt", "run.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\мой прогон (1).txt", "мой прогон (1).txt"),
        ("/", ""),
        ("..", ".."),
        ("", ""),
        ("a" * 300, "a" * 255),
        ("run\u202etxt.exe\x07", "runtxt.exe"),
        ("<b>\"'&.txt", "<b>\"'&.txt"),
    ],
)
def test_name_is_kept_without_folders_and_decides_nothing(sent, kept):
    received = receive([TEXT], sent, **ROOMY)
    assert received.name == kept
    path = Path(runs_storage().path(received.key)).resolve()
    assert path.is_relative_to(Path(runs_storage().path("")).resolve())
    assert received.key.replace("/", "").isalnum()
    assert stored(received.key) == TEXT


def test_received_file_is_synced_with_its_folder_and_private(monkeypatch):
    synced = []
    monkeypatch.setattr(
        uploads.os,
        "fsync",
        lambda number: synced.append(str(Path(f"/proc/self/fd/{number}").readlink())),
    )
    received = receive([TEXT], "run.txt", **ROOMY)
    path = Path(runs_storage().path(received.key)).resolve()
    assert synced == [str(path), str(path.parent)]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_receiver_left_without_close_removes_its_file(before):
    with Receiver("run.txt", **ROOMY) as receiver:
        receiver.feed(TEXT)
        assert len(files() - before) == 1
    assert files() == before


def test_receiver_left_by_an_error_removes_its_file(before):
    def pieces():
        yield TEXT
        raise ConnectionError

    with pytest.raises(ConnectionError):
        receive(pieces(), "run.txt", **ROOMY)
    assert files() == before
