"""The model: a document has a hidden worth for each topic, and systems see it through noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from examples.demo.chance import normals, picked

View = Mapping[str, list[float]]
"""By topic, one value for each candidate: what a system makes of it."""


@dataclass(frozen=True)
class World:
    """Candidates of each topic, and what they are worth. Topics differ in how hard they are."""

    name: str
    candidates: Mapping[str, list[str]]
    worth: View

    @property
    def topics(self) -> list[str]:
        """Topics in the order they were made."""
        return list(self.candidates)


def made_world(name: str, topics: Iterable[str], documents: list[str], count: int) -> World:
    """A world in which ``count`` of the documents are candidates for each topic."""
    candidates = {topic: picked(documents, count, name, "candidates", topic) for topic in topics}
    worth = {topic: normals(count, name, "worth", topic) for topic in candidates}
    return World(name, candidates, worth)


def noise(world: World, name: str) -> View:
    """Noise that is a system's own."""
    return {
        topic: normals(len(listed), world.name, "noise", name, topic)
        for topic, listed in world.candidates.items()
    }


def hardness(world: World) -> Mapping[str, float]:
    """A share of noise for each topic, the same for all systems: some topics are hard for all."""
    draws = normals(len(world.topics), world.name, "hardness")
    return {topic: 1.0 + 0.33 * draw for topic, draw in zip(world.topics, draws, strict=True)}


def mixed(first: tuple[float, View], *others: tuple[float, View]) -> View:
    """The weighted sum of views, added up in the order given."""
    weight, view = first
    mix = {topic: [weight * value for value in values] for topic, values in view.items()}
    for weight, view in others:
        for topic, values in mix.items():
            mix[topic] = [a + weight * b for a, b in zip(values, view[topic], strict=True)]
    return mix


def scaled(view: View, factors: Mapping[str, float]) -> View:
    """Each topic's values times a factor of its own."""
    return {topic: [factors[topic] * value for value in values] for topic, values in view.items()}


def ranked(world: World, view: View, depth: int) -> Mapping[str, list[tuple[str, float]]]:
    """The best candidates of each topic with their values, best first."""
    lists = {}
    for topic, values in view.items():
        pairs = zip([round(value, 6) for value in values], world.candidates[topic], strict=True)
        best = sorted(pairs, reverse=True)[:depth]
        lists[topic] = [(document, value) for value, document in best]
    return lists


def judged(
    world: World,
    grade: Callable[[float], int],
    *,
    best: int,
    others: int,
    topics: Iterable[str] | None = None,
) -> dict[str, dict[str, int]]:
    """Grades of the best candidates of each topic and of some others, as a pool would hold them."""
    grades = {}
    for topic in world.topics if topics is None else topics:
        pairs = zip(world.worth[topic], world.candidates[topic], strict=True)
        listed = sorted(pairs, reverse=True)
        pool = listed[:best] + picked(listed[best:], others, world.name, "judged", topic)
        grades[topic] = {document: grade(worth) for worth, document in pool}
    return grades
