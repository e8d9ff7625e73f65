"""How the reproductions of the CENTRE-style campaign drift from the original, and what went wrong.

A reproduced run is ``(1 - drift) x original + drift x noise``, where the noise belongs to the
family and the role. Along a family only the drift grows, so that rankings and scores leave the
original step by step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Family:
    """Five reproductions by one team, each with the drift of its baseline and its advanced run."""

    team: str
    title: str
    system: str
    toolkit: str
    steps: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Mishap:
    """A pair that went wrong. ``sources``: by role, which original it drifted from, and how far."""

    name: str
    team: str
    system: str
    story: str
    sources: Mapping[str, tuple[str, float]]


FAMILIES: Mapping[str, Family] = {
    # The baseline loses more than the advanced run: the effect grows.
    "tf": Family(
        "rowan",
        "term weights",
        "Rowan",
        "Treehouse 2.1",
        ((0.07, 0.06), (0.13, 0.10), (0.20, 0.14), (0.28, 0.18), (0.36, 0.22)),
    ),
    # The advanced run loses more: from nearly perfect to a fifth of the effect.
    "df": Family(
        "larch",
        "document weights",
        "Larch",
        "Papermill 0.9",
        ((0.03, 0.03), (0.08, 0.10), (0.15, 0.18), (0.23, 0.27), (0.31, 0.36)),
    ),
    # The last baseline even turns against what is relevant.
    "tol": Family(
        "alder",
        "tolerance of the training",
        "Alder",
        "own code",
        ((0.08, 0.05), (0.30, 0.22), (0.54, 0.40), (0.80, 0.58), (1.60, 0.84)),
    ),
    # Starts with too small an effect and ends with a large one.
    "C": Family(
        "demo-team",
        "regularisation",
        "Hazel",
        "Treehouse 2.1",
        ((0.04, 0.150), (0.09, 0.155), (0.15, 0.160), (0.21, 0.165), (0.27, 0.170)),
    ),
}

MISHAPS: Sequence[Mishap] = (
    Mishap(
        "swapped",
        "rowan",
        "Rowan",
        "Baseline and advanced run were taken for each other.",
        {"baseline": ("advanced", 0.12), "advanced": ("baseline", 0.12)},
    ),
    Mishap(
        "empty-field",
        "demo-team",
        "Hazel",
        "The baseline searched a field that is empty and found nothing of use.",
        {"baseline": ("nothing", 0.0), "advanced": ("advanced", 0.85)},
    ),
    Mishap(
        "half-done",
        "alder",
        "Alder",
        "The advanced run is still being computed.",
        {"baseline": ("baseline", 0.05)},
    ),
)

TEAMS: Sequence[Mapping[str, Any]] = [
    {"slug": "demo-team", "name": "Demo Team", "affiliation": "Institute of Examples"},
    {"slug": "rowan", "name": "Team Rowan", "affiliation": "University of Somewhere"},
    {"slug": "larch", "name": "Team Larch", "affiliation": "Elsewhere College"},
    {"slug": "alder", "name": "Team Alder"},
]
