"""Teams and systems of the NeuCLIR-style campaign: how well each one sees, and what it declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TEAMS: Sequence[Mapping[str, Any]] = [
    {"slug": "organizers", "name": "Organizers", "organizers": True},
    {"slug": "demo-team", "name": "Demo Team", "affiliation": "Institute of Examples"},
    {"slug": "alder", "name": "Team Alder", "affiliation": "University of Somewhere"},
    {"slug": "birch", "name": "Team Birch"},
    {"slug": "cedar", "name": "Team Cedar", "affiliation": "Elsewhere College"},
    {"slug": "elm", "name": "Team Elm"},
    {"slug": "fir", "name": "Team Fir"},
    {"slug": "grove", "name": "Team Grove", "affiliation": "Grove Search Company"},
    {"slug": "hazel", "name": "Team Hazel"},
]


@dataclass(frozen=True)
class System:
    """A system with its noise: the less, the better it ranks. ``family`` is whom it errs with."""

    stem: str
    team: str
    title: str
    noise: float
    family: str
    topic_fields: str = "title"
    stages: str = "single"
    query_language: str = "eng"
    is_manual: bool = False
    languages: str = "fas rus zho"

    def fields(self) -> dict[str, Any]:
        """Answers to the submission form."""
        model = {"terms": "statistical", "vectors": "neural", "fused": "both"}[self.family]
        size = {"terms": "none", "vectors": "100 M to 1 B", "fused": "1 B and more"}[self.family]
        return {
            "stages": self.stages,
            "model": model,
            "topic_fields": self.topic_fields,
            "query_language": self.query_language,
            "translation": "machine" if self.query_language == "target" else "none",
            "seconds": "under 1" if self.stages == "single" else "1 to 10",
            "parameters": size,
            "carbon_tracked": self.team in ("cedar", "elm"),
        }


def _s(*values: Any, **more: Any) -> System:
    return System(*values, **more)


AD_HOC: Sequence[System] = (
    _s(
        "cedar-rr-td",
        "cedar",
        "Reranked, both fields",
        0.80,
        "fused",
        "both",
        "multi",
        is_manual=True,
    ),
    _s("cedar-rr-t", "cedar", "Reranked, title", 0.82, "fused", "title", "multi"),
    _s("alder-rr", "alder", "Reranked", 0.90, "fused", "title", "multi"),
    _s("birch-fuse-all", "birch", "Fusion of all", 0.91, "fused", "both", "multi"),
    _s("demo-fuse3", "demo-team", "Fusion of three", 1.10, "fused", "both", "multi"),
    _s("demo-colx", "demo-team", "Late interaction", 1.16, "vectors"),
    _s("birch-dense", "birch", "Dense", 1.19, "vectors", languages="fas zho"),
    _s(
        "alder-colx-title-and-description",
        "alder",
        "Late interaction, both fields",
        1.20,
        "vectors",
        "both",
    ),
    _s(
        "elm-sparse-ht",
        "elm",
        "Learned sparse, human translation",
        1.22,
        "vectors",
        query_language="target",
    ),
    _s("elm-sparse-mt", "elm", "Learned sparse", 1.26, "vectors", languages="fas"),
    _s(
        "fir-dpr-x",
        "fir",
        "Dense, queries by hand",
        1.34,
        "vectors",
        "desc",
        is_manual=True,
        languages="fas",
    ),
    _s("base-psq", "organizers", "Translated index", 1.40, "terms"),
    _s(
        "base-bm25",
        "organizers",
        "BM25, translated queries",
        1.46,
        "terms",
        "both",
        query_language="target",
    ),
    _s("birch-psq", "birch", "Translated index", 1.52, "terms", languages="fas"),
    _s("grove-bm25-rm3", "grove", "BM25 with feedback", 1.62, "terms", query_language="target"),
    _s("hazel-dense-small", "hazel", "Small dense", 1.95, "vectors", languages="fas zho"),
)
"""Ad hoc in all languages, where not said otherwise."""

RERANKING: Sequence[System] = (
    _s("cedar-cross", "cedar", "Cross-encoder", 0.84, "fused", "both"),
    _s("alder-cross", "alder", "Cross-encoder", 0.93, "fused"),
    _s("demo-list", "demo-team", "Listwise", 1.02, "vectors", "both"),
    _s("grove-mono", "grove", "Pointwise", 1.25, "vectors", languages="fas zho"),
)

MONOLINGUAL: Sequence[System] = (
    _s("cedar-mono", "cedar", "Reranked", 0.74, "fused", "both", "multi", "target"),
    _s("birch-mono-ht", "birch", "Fusion", 0.95, "fused", "title", "multi", "target"),
    _s("demo-mono", "demo-team", "Dense", 1.12, "vectors", query_language="target"),
    _s("base-bm25-mono", "organizers", "BM25", 1.38, "terms", query_language="target"),
)
