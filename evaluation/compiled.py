"""Runs and qrels as they were read, kept as plain arrays on disk so that no text is parsed again.

A file is: the magic, the length of a header of JSON, the header, the arrays one after the other,
each on a multiple of 64 bytes, and the SHA-256 of all before. What is damaged, of another version
or about another text counts as absent: it is read from the text and written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Ids, Qrels, Run
from evaluation.errors import Message
from evaluation.judgments import CheckedQrels
from evaluation.rules import CheckRules
from evaluation.source import Source, opened
from evaluation.trec import CheckedRun, Summary
from evaluation.version import RECIPE_VERSION

Header = dict[str, Any]
Arrays = list[NDArray[Any]]
Checked = TypeVar("Checked")

MAGIC = b"centreboard\x00"
FORMAT = 1
SUFFIX = ".compiled"
PARTIAL = ".partial"
GIBIBYTE = 1 << 30

_ALIGNED = 64
_LENGTH = 8
_SUM = hashlib.sha256().digest_size
_TYPES = ("<i4", "<i8", "<f8", "|u1")
_LEFT_BEHIND = 3600.0  # seconds after which a file that was never finished is nobody's
_UNUSED = 30 * 86400.0


class Cache:
    """A folder of compiled files, each found by the text it was made of and how that was read.

    Its files are those of one user (mode 0700). What was not used for 30 days goes, and beyond
    ``most_bytes`` what was not used for the longest time. Several processes may share it; a folder
    that cannot be written keeps nothing.
    """

    def __init__(self, folder: str | os.PathLike[str], most_bytes: int = 4 * GIBIBYTE) -> None:
        self.folder = Path(folder)
        self.most_bytes = most_bytes

    def run(self, digest: str, rules: CheckRules, read: Callable[[], CheckedRun]) -> CheckedRun:
        """The run of the text or upload with this SHA-256, read by ``read`` if it is not there."""
        return self._through(self._path("run", digest, rules), _run, read, _of_run)

    def qrels(
        self, digest: str, form: str, rules: CheckRules, read: Callable[[], CheckedQrels]
    ) -> CheckedQrels:
        """The qrels of this text, read as ``form`` (graded, real, pool)."""
        path = self._path(f"qrels-{form}", digest, rules)
        return self._through(path, _qrels, read, _of_qrels)

    def _through(
        self,
        path: Path,
        unpacked: Callable[[Header, Arrays], Checked],
        read: Callable[[], Checked],
        packed: Callable[[Checked], tuple[Header, Arrays] | None],
    ) -> Checked:
        found = _loaded(path)
        if found is not None:
            return unpacked(*found)
        checked = read()
        content = packed(checked)
        if content is not None:
            self._keep(path, *content)
        return checked

    def _path(self, kind: str, digest: str, rules: CheckRules) -> Path:
        """What is kept of a kind of file lies under a name that says so: nothing else is there."""
        named = json.dumps(
            [FORMAT, RECIPE_VERSION, kind, digest, asdict(rules)], sort_keys=True, default=str
        )
        return self.folder / f"{hashlib.sha256(named.encode()).hexdigest()}{SUFFIX}"

    def _keep(self, path: Path, header: Mapping[str, Any], arrays: Sequence[NDArray[Any]]) -> None:
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, header, arrays)
            self._trim()

    def _trim(self) -> None:
        """Remove what is too much, oldest use first, and what was left behind unfinished."""
        files = []
        for entry in os.scandir(self.folder):
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat()
                age = time.time() - status.st_mtime
                longest = {SUFFIX: _UNUSED, PARTIAL: _LEFT_BEHIND}.get(Path(entry.path).suffix)
                if longest is not None and age > longest:
                    Path(entry.path).unlink(missing_ok=True)
                elif longest == _UNUSED:
                    files.append((status.st_mtime, status.st_size, entry.path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self.most_bytes:
                return
            Path(path).unlink(missing_ok=True)
            total -= size


def digest_of(source: Source) -> str:
    """SHA-256 of a source's bytes, as they are."""
    with opened(source) as file:
        digest = hashlib.sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _write(path: Path, header: Mapping[str, Any], arrays: Sequence[NDArray[Any]]) -> None:
    """Write a file beside its place and put it there at once; on any end nothing is left half."""
    shapes = [[array.dtype.str, len(array)] for array in arrays]
    text = json.dumps({**header, "arrays": shapes}).encode()
    number, name = tempfile.mkstemp(suffix=PARTIAL, dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            digest = hashlib.sha256()
            at = 0
            for piece in (MAGIC, len(text).to_bytes(_LENGTH, "little"), text):
                digest.update(piece)
                at += file.write(piece)
            for array in arrays:
                blank = bytes(-at % _ALIGNED)
                data = np.ascontiguousarray(array).tobytes()
                for part in (blank, data):
                    digest.update(part)
                    at += file.write(part)
            file.write(digest.digest())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _loaded(path: Path) -> tuple[Header, Arrays] | None:
    """Header and arrays, the latter not to be written to; None when there is no sound file."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    view = memoryview(data)
    if not data.startswith(MAGIC) or len(data) < len(MAGIC) + _LENGTH + _SUM:
        return None
    if hashlib.sha256(view[:-_SUM]).digest() != data[-_SUM:]:
        return None
    at = len(MAGIC) + _LENGTH
    size = int.from_bytes(data[len(MAGIC) : at], "little")
    header = json.loads(data[at : at + size])
    at += size
    arrays = []
    for kind, count in header.pop("arrays"):
        at += -at % _ALIGNED
        if kind not in _TYPES:
            return None
        arrays.append(np.frombuffer(data, dtype=kind, count=count, offset=at))
        at += arrays[-1].nbytes
    return header, arrays


def _of_run(checked: CheckedRun) -> tuple[Header, Arrays] | None:
    run = checked.run
    if run is None:
        return None
    header: Header = {
        "tag": run.tag,
        "topics": run.topics,
        "sha256": run.sha256,
        "messages": [asdict(message) for message in checked.messages],
        "summary": asdict(checked.summary),
    }
    return header, [run.starts, run.documents.array(), _little(run.documents.offsets), run.scores]


def _run(header: Header, arrays: Arrays) -> CheckedRun:
    starts, blob, offsets, scores = arrays
    run = Run(
        header["tag"], tuple(header["topics"]), starts, Ids(blob, offsets), scores, header["sha256"]
    )
    return CheckedRun(run, _messages(header), Summary(**header["summary"]))


def _of_qrels(checked: CheckedQrels) -> tuple[Header, Arrays] | None:
    qrels = checked.qrels
    if qrels is None:
        return None
    header: Header = {
        "topics": qrels.topics,
        "is_graded": qrels.is_graded,
        "sha256": qrels.sha256,
        "messages": [asdict(message) for message in checked.messages],
        "read": [checked.lines, checked.sha256, checked.upload_sha256],
    }
    documents = qrels.documents
    return header, [qrels.starts, documents.array(), _little(documents.offsets), qrels.grades]


def _qrels(header: Header, arrays: Arrays) -> CheckedQrels:
    starts, blob, offsets, grades = arrays
    qrels = Qrels(
        tuple(header["topics"]),
        starts,
        Ids(blob, offsets),
        grades,
        header["is_graded"],
        header["sha256"],
    )
    return CheckedQrels(qrels, _messages(header), *header["read"])


def _messages(header: Mapping[str, Any]) -> tuple[Message, ...]:
    return tuple(Message(**one) for one in header["messages"])


def _little(offsets: NDArray[np.integer]) -> NDArray[np.integer]:
    """Offsets as one of the types that files hold."""
    is_small = int(offsets[-1]) < 1 << 31
    return offsets.astype("<i4" if is_small else "<i8", copy=False)
