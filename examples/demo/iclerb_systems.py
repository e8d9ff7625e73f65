"""Systems of the ICLERB-style campaign: what they declare, and their noise on each data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TEAMS: Sequence[Mapping[str, Any]] = [
    {"slug": "organizers", "name": "Organizers", "organizers": True},
    {"slug": "demo-team", "name": "Demo Team", "affiliation": "Institute of Examples"},
    {"slug": "aspen", "name": "Team Aspen", "affiliation": "Aspen Models"},
    {"slug": "juniper", "name": "Team Juniper", "affiliation": "University of Somewhere"},
    {"slug": "willow", "name": "Team Willow"},
]


@dataclass(frozen=True)
class System:
    """``noise`` by data set, None where the system was not run; ``depth`` of its lists."""

    stem: str
    name: str
    team: str
    kind: str
    noise: Sequence[float | None]
    parameters: str
    dimension: int
    licence: str
    overlap: str
    depth: int = 40

    def fields(self) -> dict[str, Any]:
        """Answers to the submission form."""
        return {
            "model": self.name,
            "kind": self.kind,
            "parameters": self.parameters,
            **({"dimension": self.dimension} if self.dimension else {}),
            "licence": self.licence,
            "link": f"https://models.example.org/{self.team}/{self.stem}",
            "overlap": self.overlap,
        }


SYSTEMS: Sequence[System] = (
    System(
        "aspen-rerank-l",
        "Aspen Rerank L",
        "aspen",
        "reranker",
        (0.62, 0.55, 0.70),
        "560 M",
        0,
        "Apache-2.0",
        "none",
    ),
    System(
        "aspen-rerank-s",
        "Aspen Rerank S",
        "aspen",
        "reranker",
        (0.80, 0.78, 0.84),
        "110 M",
        0,
        "Apache-2.0",
        "none",
    ),
    System(
        "juniper-reward",
        "Juniper Reward",
        "juniper",
        "reranker",
        (0.66, 0.90, 0.58),
        "1.5 B",
        0,
        "MIT",
        "partly",
    ),
    System(
        "demo-embed-xl",
        "Hazelnut Embed XL",
        "demo-team",
        "embedding",
        (0.95, 0.86, 1.02),
        "7 B",
        4096,
        "CC-BY-NC-4.0",
        "unknown",
    ),
    System(
        "demo-embed",
        "Hazelnut Embed",
        "demo-team",
        "embedding",
        (1.16, 1.08, 1.20),
        "330 M",
        1024,
        "Apache-2.0",
        "none",
    ),
    System(
        "willow-icl",
        "Willow ICL",
        "willow",
        "embedding",
        (0.90, 1.02, None),
        "7 B",
        4096,
        "MIT",
        "partly",
    ),
    System(
        "willow-mini",
        "Willow Mini",
        "willow",
        "embedding",
        (1.38, 1.30, 1.44),
        "33 M",
        384,
        "MIT",
        "none",
        12,
    ),
    System(
        "juniper-base",
        "Juniper Base",
        "juniper",
        "embedding",
        (1.20, 1.26, 1.12),
        "110 M",
        768,
        "MIT",
        "none",
    ),
    System(
        "bm25", "BM25", "organizers", "lexical", (1.70, 2.10, 1.50), "none", 0, "Apache-2.0", "none"
    ),
    System(
        "random",
        "Random order",
        "organizers",
        "lexical",
        (60.0, 60.0, 60.0),
        "none",
        0,
        "CC0-1.0",
        "none",
    ),
)
