"""Files of a campaign folder as text: runs, judgments, pools, topics and YAML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Lists = Mapping[str, Sequence[tuple[str, float]]]

WIDE = 96


class Folder:
    """Writes below one folder; plain text, so that the bytes are the same with every zlib."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, text: str) -> str:
        """Write a file and give back its name."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return name


def run_text(lists: Lists, tag: str) -> str:
    """Six columns: topic, Q0, document, rank, score, tag."""
    return "".join(
        f"{topic} Q0 {document} {rank} {score:.6f} {tag}\n"
        for topic, listed in lists.items()
        for rank, (document, score) in enumerate(listed, start=1)
    )


def qrels_text(grades: Mapping[str, Mapping[str, int]]) -> str:
    """Four columns: topic, 0, document, grade."""
    return "".join(
        f"{topic} 0 {document} {judged[document]}\n"
        for topic, judged in grades.items()
        for document in sorted(judged)
    )


def pool_text(utilities: Mapping[str, Mapping[str, float]]) -> str:
    """Three columns: topic, document, utility."""
    return "".join(
        f"{topic}\t{document}\t{listed[document]:.4f}\n"
        for topic, listed in utilities.items()
        for document in sorted(listed)
    )


def topics_text(texts: Mapping[str, str]) -> str:
    """Two columns: topic, wording."""
    return "".join(f"{topic}\t{text}\n" for topic, text in texts.items())


def yaml_text(value: Mapping[str, Any]) -> str:
    """YAML in blocks; what fits on a line stands on one, as JSON, which YAML reads."""
    return "".join(f"{line.rstrip()}\n" for line in _mapping(value))


def _mapping(value: Mapping[str, Any]) -> Iterable[str]:
    for key, inner in value.items():
        yield from _entry(f"{key}:", inner)


def _entry(key: str, value: Any) -> Iterable[str]:
    if isinstance(value, str) and "\n" in value:
        yield f"{key} |"
        yield from (f"  {line}" for line in value.splitlines())
        return
    line = f"{key} {json.dumps(value, ensure_ascii=False)}"
    if len(line) <= WIDE or not isinstance(value, dict | list):
        yield line
        return
    yield key
    if isinstance(value, dict):
        yield from (f"  {line}" for line in _mapping(value))
        return
    for item in value:
        yield from _item(item)


def _item(item: Any) -> Iterable[str]:
    line = f"  - {json.dumps(item, ensure_ascii=False)}"
    if len(line) <= WIDE or not isinstance(item, dict):
        yield line
        return
    for number, inner in enumerate(_mapping(item)):
        yield f"  - {inner}" if number == 0 else f"    {inner}"
