"""Campaign folders for tests: a small one with all five kinds, and how to load it."""

from __future__ import annotations

import copy
import gzip
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from campaigns.numerics.folder import FolderInspector
from campaigns.services.folders import FolderRefusedError, Loaded, load_folder
from campaigns.services.uploads import runs_storage

RUN_A = "1 Q0 d1 1 3 a\n1 Q0 d2 2 2 a\n2 Q0 d3 1 2 a\n"
RUN_B = "1 Q0 d2 1 3 b\n1 Q0 d1 2 2 b\n2 Q0 d4 1 2 b\n"

FILES: dict[str, str | bytes] = {
    "topics.tsv": "1\tfirst topic\n2\tsecond topic\n",
    "zho.tsv": "1\t第一\n2\t第二\n",
    "ids.txt.gz": gzip.compress(b"d1\nd2\nd3\nd4\nd5\n", mtime=0),
    "qrels.txt": "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n",
    "old-qrels.txt": "7 0 e1 1\n7 0 e2 0\n8 0 e2 1\n",
    "pool.tsv": "1\td1\t0.5\n1\td2\t-0.25\n2\td3\t1\n2\td4\t0\n",
    "a.run": RUN_A,
    "b.run": RUN_B,
    "b.run.gz": gzip.compress(RUN_B.encode(), mtime=0),
    "old-b.run": "7 Q0 e2 1 2 any:tag\n7 Q0 e1 2 1 any:tag\n8 Q0 e1 1 1 any:tag\n",
    "old-a.run": "7 Q0 e1 1 2 any:tag\n7 Q0 e2 2 1 any:tag\n8 Q0 e2 1 1 any:tag\n",
    "pooled.run": "1 Q0 d2 1 9 p\n1 Q0 d1 2 8 p\n2 Q0 d3 1 7 p\n2 Q0 d4 2 6 p\n",
    "ap.csv": "topic,score\n1,0.25\n2,1\n",
    "tau.csv": "topic,score\n1,0.5\n2,\n",
}

DOCUMENT: dict[str, Any] = {
    "campaign": {
        "slug": "five-kinds",
        "title": "Five kinds",
        "summary": "One task of each kind",
        "description": "Some *text*",
        "vocabulary": "acm",
        "contact": "organizers@example.org",
        "website": "https://example.org/five",
        "citation": "@misc{five}",
        "timezone": "AoE",
    },
    "collections": [
        {
            "slug": "news",
            "title": "News",
            "languages": ["eng", "no"],
            "documents": 5,
            "document_ids": "ids.txt.gz",
            "topics": "topics.tsv",
            "qrels": "qrels.txt",
            "topic_forms": [
                {"form": "title", "language": "zho", "translation": "human", "file": "zho.tsv"}
            ],
        },
        {"slug": "old", "qrels": "old-qrels.txt"},
    ],
    "tasks": [
        {
            "slug": "adhoc",
            "title": "Ad hoc",
            "kind": "ranking",
            "collection": "news",
            "measures": ["nDCG@10", "MAP", "P_10"],
            "primary": "AP",
            "depth": 50,
            "depth_rule": "truncate",
            "rules": {"missing_topic": "error", "extra_column": "ignore"},
            "tag_pattern": "^[a-z]+$",
            "precision": "single",
            "opens": "2026-01-01T00:00:00Z",
            "closes": "2026-07-31T23:59:59 Europe/Berlin",
            "visible_from": {
                "own_scores": "never",
                "scores": "2026-08-01T00:00:00-12:00",
                "team_names": "always",
                "qrels": "never",
            },
            "limits": {"runs_per_team": 5, "per_day": None, "attempts": 9, "file_bytes": 1000},
            "fields": [
                {"name": "lang", "type": "choice", "choices": ["eng", "no"], "required": True},
                {"name": "size", "type": "number"},
            ],
        },
        {
            "slug": "rerank",
            "kind": "reranking",
            "collection": "news",
            "measures": ["AP"],
            "initial_run": "b.run.gz",
        },
        {
            "slug": "pool",
            "kind": "pool",
            "collection": "news",
            "pool": "pool.tsv",
            "gains": {"clip": 0},
        },
        {
            "slug": "same",
            "kind": "same_collection",
            "collection": "news",
            "measures": ["AP", "P@10"],
            "comparison": {"rbo_p": 0.9, "depth": 10, "cutoffs": [5, 10], "tost_bound": 0.1},
            "originals": [{"slug": "o", "title": "O", "baseline": "b.run", "advanced": "a.run"}],
        },
        {
            "slug": "new",
            "kind": "new_collection",
            "collection": "news",
            "original_collection": "old",
            "measures": ["AP"],
            "order_by": "effect_ratio",
            "originals": [{"slug": "o", "baseline": "old-b.run", "advanced": "old-a.run"}],
        },
    ],
    "teams": [{"slug": "red", "name": "Team Red"}, {"slug": "blue", "name": "Team Blue"}],
    "runs": [
        {
            "task": "adhoc",
            "team": "red",
            "run": "a.run",
            "title": "A",
            "system": "Alpha 1",
            "run_type": "manual",
            "metadata": {"lang": "no", "size": 1.5},
            "received": "2026-03-01T12:00:00.25Z",
        },
        {"task": "rerank", "team": "red", "run": "b.run"},
        {"task": "pool", "team": "blue", "run": "pooled.run"},
        {
            "task": "same",
            "team": "red",
            "original": "o",
            "title": "Again",
            "family": "tf",
            "order": 1,
            "baseline": "b.run.gz",
            "advanced": "a.run",
            "series": {"kendall_tau_union_sorted": "tau.csv"},
        },
        {"task": "new", "team": "blue", "original": "o", "baseline": "b.run", "advanced": "a.run"},
    ],
}


def five_kinds(change: Callable[[dict[str, Any]], object] | None = None) -> dict[str, Any]:
    """The document, with a change made to it."""
    document = copy.deepcopy(DOCUMENT)
    if change is not None:
        change(document)
    return document


def write_folder(
    root: Path,
    document: dict[str, Any] | str | bytes,
    files: Mapping[str, str | bytes] | None = None,
) -> Path:
    """A folder with ``campaign.yaml``, the files above, and others in their place or beside."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in {**FILES, **(files or {})}.items():
        data = content.encode() if isinstance(content, str) else content
        (root / name).write_bytes(data)
    text = document if isinstance(document, str | bytes) else yaml.safe_dump(document)
    data = text.encode() if isinstance(text, str) else text
    (root / "campaign.yaml").write_bytes(data)
    return root


def load(root: Path, **options: Any) -> Loaded:
    """Load a folder."""
    return load_folder(root, FolderInspector(), **options)


def faults_of(root: Path, **options: Any) -> dict[str, str]:
    """Path to text of everything wrong with a folder."""
    try:
        load(root, **options)
    except FolderRefusedError as refused:
        return {fault.path: fault.text for fault in refused.faults}
    return {}


ABSENT = object()


def setting(*path: Any) -> Callable[[dict[str, Any]], None]:
    """A change: the value at a path of the document; ``ABSENT`` removes it."""
    *way, last, value = path

    def change(document: Any) -> None:
        for step in way:
            document = document[step]
        if value is ABSENT:
            del document[last]
        else:
            document[last] = value

    return change


def keys_in_store() -> set[str]:
    """Every file below the store."""
    root = Path(runs_storage().path(""))
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
