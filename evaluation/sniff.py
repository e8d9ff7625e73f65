"""Recognises files that are no runs by how they begin, and names what they are."""

from __future__ import annotations

from evaluation.errors import FileProblem
from evaluation.lines import INTEGER

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive (or an office document)"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x1f\x8b", "a gzip archive inside a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "an RTF document"),
)
_MARKUP: tuple[tuple[bytes, str], ...] = (
    (b"<!doctype", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<?xml", "an XML file"),
    (b'{"', "a JSON file"),
    (b'[{"', "a JSON file"),
)
_WIDE = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
LOOKED_AT = 4096
_LINES_LOOKED_AT = 50


def refuse_other_files(start: bytes) -> None:
    """Raise FileProblem when a file begins like an archive, a document, markup or binary data."""
    for magic, name in _MAGIC:
        if start.startswith(magic):
            raise FileProblem("not_a_run", f"the file is {name}, not lines of text")
    for mark, name in _WIDE:
        if start.startswith(mark):
            raise FileProblem("encoding_not_utf8", f"the file is written in {name}", 1)
    head = start[:LOOKED_AT].lstrip().lower()
    for beginning, name in _MARKUP:
        if head.startswith(beginning):
            raise FileProblem("not_a_run", f"the file is {name}, not lines of columns")
    if head[:1] in (b"{", b"[") and head[1:].lstrip()[:1] in (b'"', b"{"):
        raise FileProblem("not_a_run", "the file is a JSON file, not lines of columns")
    if start[257:262] == b"ustar":
        raise FileProblem("not_a_run", "the file is a tar archive, not lines of text")
    sample = start[:LOOKED_AT]
    controls = len(sample) - len(sample.translate(None, bytes([*range(9), *range(14, 32)])))
    is_odd = controls * 50 > len(sample) >= 512 and not _is_utf8(sample)
    if is_odd or controls * 10 > len(sample):
        raise FileProblem("not_a_run", "the file holds binary data, not lines of text")


def _is_utf8(sample: bytes) -> bool:
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        # The sample may end inside a character.
        return error.start > len(sample) - 4
    return True


def refuse_other_columns(chunk: bytes) -> None:
    """Raise FileProblem when all lines are those of qrels or of the MS MARCO form."""
    lines = chunk.split(b"\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]
    rows = [row for line in lines if (row := line.split()) and not row[0].startswith(b"#")]
    widths = {len(row) for row in rows}
    if widths == {4} and all(INTEGER.fullmatch(row[3]) for row in rows):
        raise FileProblem(
            "not_a_run",
            "the file looks like qrels: four columns, of which the last is a whole number",
        )
    if widths == {3} and all(INTEGER.fullmatch(row[2]) for row in rows):
        raise FileProblem(
            "not_a_run",
            "the file looks like an MS MARCO run: three columns, topic, document and rank",
        )
