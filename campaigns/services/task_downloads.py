"""What participants need of a task as files: topics in each form, candidates, initial run, ids.

Judgments and utilities are never among them.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8 as BYTE_ORDER_MARK
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast
from xml.sax.saxutils import escape, quoteattr

from campaigns import kinds
from campaigns.models import Collection, StoredFile, Task, Topic
from campaigns.services.checks import newest_qrels
from campaigns.services.topic_files import MAIN_FORM
from campaigns.services.uploads import runs_storage
from evaluation.rules import UNLIMITED
from evaluation.source import Text, chunks

PIECE = 1 << 18
POOL_COLUMNS = 3
WORDINGS = ("title", "description", "narrative")


@dataclass(frozen=True, slots=True)
class Download:
    """A file of a task: the name in its address, what it is, and its bytes.

    ``pieces`` raises FileNotFoundError at once when the store lost the file.
    """

    name: str
    label: str
    content_type: str
    pieces: Callable[[], Iterator[bytes]]


def downloads_of(task: Task) -> list[Download]:
    """All files there are; ask ``policies.may_see_task`` first."""
    found = []
    if task.collection.has_topic_file:
        found += [
            Download(f"topics.{form}", f"Topics, {label}", f"{kind}; charset=utf-8", make)
            for form, label, kind, make in (
                ("tsv", "TSV", "text/tab-separated-values", _once(task, topics_tsv)),
                ("jsonl", "JSON lines", "application/jsonl", _once(task, topics_jsonl)),
                ("xml", "XML", "application/xml", _once(task, topics_xml)),
            )
        ]
    kind = kinds.of(task)
    if kind.needs_initial_run and task.initial_run is not None:
        found.append(_stored("initial-run", "Initial run", task.initial_run))
    pool = newest_qrels(task.collection, task) if kind.needs_pool else None
    if pool is not None:
        file = pool.file
        found.append(
            Download(
                "candidates.tsv",
                "Candidates of each topic",
                "text/tab-separated-values; charset=utf-8",
                lambda: _candidates(_opened(file)),
            )
        )
    if task.collection.document_ids is not None:
        found.append(_stored("document-ids", "Document ids", task.collection.document_ids))
    return found


def download_of(task: Task, name: str) -> Download | None:
    """The file of this name; None where there is none."""
    return next((one for one in downloads_of(task) if one.name == name), None)


def _once(task: Task, make: Callable[[Collection], str]) -> Callable[[], Iterator[bytes]]:
    return lambda: iter([make(task.collection).encode()])


def _stored(name: str, label: str, file: StoredFile) -> Download:
    suffix, kind = ".txt", "text/plain; charset=utf-8"
    if file.is_gzip:
        suffix, kind = ".gz", "application/gzip"
    return Download(name + suffix, label, kind, lambda: _pieces(_opened(file)))


def _opened(file: StoredFile) -> BinaryIO:
    """Opened before anything is answered; raises FileNotFoundError when the store lost it."""
    return cast(BinaryIO, runs_storage().open(file.key, "rb"))


def _pieces(stored: BinaryIO) -> Iterator[bytes]:
    with stored:
        while piece := stored.read(PIECE):
            yield piece


def _candidates(stored: BinaryIO) -> Iterator[bytes]:
    """Topic and document of each line of a pool, without the utility."""
    with stored:
        blocks = Text(stored, UNLIMITED, is_summed=False).blocks()
        for chunk in chunks(blocks, UNLIMITED.line_bytes):
            yield b"".join(map(_candidate, chunk.split(b"\n")))


def _candidate(line: bytes) -> bytes:
    fields = line.removeprefix(BYTE_ORDER_MARK).split()
    is_row = len(fields) == POOL_COLUMNS and not fields[0].startswith(b"#")
    return b"\t".join(fields[:2]) + b"\n" if is_row else b""


def topics_tsv(collection: Collection) -> str:
    """Id, tab and the collection's own wording."""
    return "".join(
        f"{topic}\t{' '.join(_own(texts)['title'].split())}\n"
        for topic, texts in _texts(collection)
    )


def topics_jsonl(collection: Collection) -> str:
    """An object a line: the collection's own wordings, then those of other languages."""
    lines = []
    for topic, texts in _texts(collection):
        nested: dict[str, dict[str, str]] = {}
        for (form, language), text in texts.items():
            if language and form != MAIN_FORM:
                nested.setdefault(language, {"lang": language})[f"topic_{form}"] = text
        told: dict[str, Any] = {"topic_id": topic, **_own(texts)}
        if nested:
            told["topics"] = list(nested.values())
        lines.append(json.dumps(told, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)


def topics_xml(collection: Collection) -> str:
    """A ``topic`` with its number and the collection's own wordings."""
    rows = []
    for topic, texts in _texts(collection):
        parts = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in _own(texts).items())
        rows.append(f"  <topic number={quoteattr(topic)}>{parts}</topic>\n")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n{"".join(rows)}</topics>\n'


def _own(texts: dict[tuple[str, str], str]) -> dict[str, str]:
    """Title (the collection's own topics), description and narrative; of languages the first."""
    found: dict[str, str] = {}
    for (form, _), text in sorted(texts.items(), key=lambda one: bool(one[0][1])):
        found.setdefault(form, text)
    title = found.get(MAIN_FORM) or found.get("title", "")
    return {"title": title} | {name: found[name] for name in WORDINGS[1:] if name in found}


def _texts(collection: Collection) -> Iterator[tuple[str, dict[tuple[str, str], str]]]:
    """Topics in their order, with the texts by form and language (none for the main form)."""
    rows = Topic.objects.filter(collection=collection).prefetch_related("texts__form")
    for topic in rows.order_by("position"):
        yield (
            topic.identifier,
            {(one.form.form, one.form.language): one.text for one in topic.texts.all()},
        )
