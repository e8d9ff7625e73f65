"""The CENTRE-style campaign: an original pair, reproduced on its own and on a new collection."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from examples.demo.centre_settings import AFTER, ORIGINAL, SLUG, settings
from examples.demo.chance import unique_id
from examples.demo.days import Days
from examples.demo.families import FAMILIES, MISHAPS, Family
from examples.demo.files import Folder, qrels_text, run_text, topics_text, yaml_text
from examples.demo.wordings import questions, titles
from examples.demo.worth import (
    View,
    World,
    hardness,
    judged,
    made_world,
    mixed,
    noise,
    ranked,
    scaled,
)

DEPTH = 100
CANDIDATES = 300
TOPICS = [str(301 + 2 * at + at // 7) for at in range(50)]
ROLES = ("baseline", "advanced")
NOISE = 1.5
"""Of a reproduction, as wide as the original's own view."""

__all__ = ["SLUG", "write"]


@dataclass(frozen=True)
class Side:
    """A collection with the original systems' views of it."""

    task: str
    world: World
    views: dict[str, View]
    blur: float = 0.0

    def near(self, family: str, role: str) -> View:
        """What reproductions of a family start from: the original, blurred where it is new."""
        if not self.blur:
            return self.views[role]
        return mixed((1.0, self.views[role]), (self.blur, self.noise(f"blur {family} {role}")))

    def noise(self, name: str) -> View:
        """A noise of this collection."""
        return noise(self.world, name)

    def text(self, view: View, tag: str) -> str:
        """The run file of a view."""
        return run_text(ranked(self.world, view, DEPTH), tag)


def write(root: Path, today: date) -> None:
    """Write the folder."""
    folder = Folder(root)
    same = _side("same", "gazette", TOPICS)
    new = _side("new", "courier", TOPICS[::2], blur=0.35)
    for side in (same, new):
        _collection(folder, side)
    for role in ROLES:
        folder.write(f"originals/{role}.run", same.text(same.views[role], f"{ORIGINAL}-{role[0]}"))
    runs = [*_family_runs(folder, same), *_family_runs(folder, new), *_mishaps(folder, same)]
    _to_try(folder, same)
    folder.write("campaign.yaml", yaml_text({**settings(Days(today)), "runs": _dated(runs, today)}))


def _side(task: str, name: str, topics: list[str], blur: float = 0.0) -> Side:
    documents = [f"{name}-{unique_id(name, at)[:8]}" for at in range(1500)]
    world = made_world(name, topics, documents, CANDIDATES)
    common = scaled(noise(world, "both systems"), hardness(world))
    views = {
        "baseline": mixed((1.0, world.worth), (1.12, common), (0.48, noise(world, "baseline"))),
        "advanced": mixed((1.0, world.worth), (0.92, common), (0.36, noise(world, "advanced"))),
        "nothing": mixed((-1.0, world.worth)),
    }
    return Side(task, world, views, blur)


def _grade(worth: float) -> int:
    return (worth > 1.45) + (worth > 2.0)


def _collection(folder: Folder, side: Side) -> None:
    name = side.world.name
    documents = {one for listed in side.world.candidates.values() for one in listed}
    grades = judged(side.world, _grade, best=40, others=40)
    folder.write(f"{name}/documents.txt", "".join(f"{one}\n" for one in sorted(documents)))
    folder.write(f"{name}/topics.tsv", topics_text(_of(side, titles(TOPICS))))
    folder.write(f"{name}/questions.tsv", topics_text(_of(side, questions(TOPICS))))
    folder.write(f"{name}/qrels.txt", qrels_text(grades))


def _of(side: Side, texts: dict[str, str]) -> dict[str, str]:
    return {topic: texts[topic] for topic in side.world.topics}


def _pair(team: str, task: str, title: str, system: str, **more: Any) -> dict[str, Any]:
    return {
        "task": task,
        "team": team,
        "original": ORIGINAL,
        "title": title,
        "system": system,
        **more,
    }


def _drifted(near: View, drift: float, own: View) -> View:
    return mixed((1.0 - drift, near), (drift * NOISE, own))


def _family_runs(folder: Folder, side: Side) -> list[dict[str, Any]]:
    runs = []
    for name, family in FAMILIES.items():
        sources = {role: (side.near(name, role), side.noise(f"{name} {role}")) for role in ROLES}
        for step, drifts in enumerate(family.steps, start=1):
            files = {}
            for role, drift in zip(ROLES, drifts, strict=True):
                near, own = sources[role]
                tag = f"{name}_{step}-{role[0]}"
                text = side.text(_drifted(near, drift, own), tag)
                files[role] = folder.write(f"{side.task}/{tag}.run", text)
            runs.append(_step(side, name, family, step, files))
    return runs


def _step(
    side: Side, name: str, family: Family, step: int, files: dict[str, str]
) -> dict[str, Any]:
    return _pair(
        family.team,
        side.task,
        f"{name}_{step}",
        family.system,
        family=name,
        order=step,
        description=f"Step {step} of 5 away from the original: {family.title}.",
        metadata={"toolkit": family.toolkit, "code": f"https://code.example.org/{family.team}"},
        **files,
    )


def _mishaps(folder: Folder, side: Side) -> list[dict[str, Any]]:
    runs = []
    for mishap in MISHAPS:
        files = {}
        for role, (source, drift) in mishap.sources.items():
            view = _drifted(side.views[source], drift, side.noise(f"{mishap.name} {role}"))
            tag = f"{mishap.name}-{role[0]}"
            files[role] = folder.write(f"{side.task}/{tag}.run", side.text(view, tag))
        more = {"description": mishap.story, **files}
        runs.append(_pair(mishap.team, side.task, mishap.name, mishap.system, **more))
    return runs


def _dated(runs: list[dict[str, Any]], today: date) -> list[dict[str, Any]]:
    """A team's pairs arrive one after the other, in the days before today."""
    days = Days(today)
    clocks = (f"{8 + at % 11:02d}:{at * 17 % 60:02d}:00" for at in range(len(runs)))
    return [
        {**run, "received": days.after(-24 + at // 2, clock)}
        for at, (run, clock) in enumerate(zip(runs, clocks, strict=True))
    ]


def _to_try(folder: Folder, side: Side) -> None:
    """A pair that nobody handed in yet, and a file with three mistakes."""
    texts = {}
    for role in ROLES:
        view = _drifted(side.views[role], 0.1, side.noise(f"try {role}"))
        texts[role] = side.text(view, f"my-first-{role[0]}")
        folder.write(f"{AFTER}/my-first-{role}.run", texts[role])
    lines = texts["baseline"].splitlines()
    lines[2] = lines[1]
    lines[7] = lines[7].replace(lines[7].split()[4], "high")
    lines[11] = lines[11].rsplit(" ", 1)[0]
    folder.write(f"{AFTER}/with-mistakes.run", "\n".join(lines) + "\n")
