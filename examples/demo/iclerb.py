"""The ICLERB-style campaign: systems rank pools of examples by how much these help a model."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from examples.demo.chance import normals, unique_id
from examples.demo.days import Days
from examples.demo.files import Folder, Lists, pool_text, run_text, topics_text, yaml_text
from examples.demo.iclerb_settings import SETS, SLUG, TO_TRY, settings
from examples.demo.iclerb_systems import SYSTEMS, System
from examples.demo.worth import View, World, made_world, mixed, noise, ranked

POOL = 40
EXAMPLES = 1200

__all__ = ["SLUG", "write"]


def write(root: Path, today: date) -> None:
    """Write the folder."""
    folder, days = Folder(root), Days(today)
    runs: list[dict[str, Any]] = []
    for place, (name, facts) in enumerate(SETS.items()):
        examples = [f"{name}-{unique_id(name, at)[:6]}" for at in range(EXAMPLES)]
        topics = [f"{name[0]}{at:03d}" for at in range(1, facts.topics + 1)]
        world = made_world(name, topics, examples, POOL)
        folder.write(f"{name}/pool.tsv", pool_text(_utilities(world, facts.shift)))
        folder.write(
            f"{name}/queries.tsv",
            topics_text({topic: facts.query.format(at) for at, topic in enumerate(topics, 1)}),
        )
        for number, system in enumerate(SYSTEMS):
            if system.noise[place] is not None:
                file = f"{name}/{system.stem}.run"
                folder.write(file, run_text(_lists(world, system, place), system.stem))
                runs.append(_entry(name, system, file, days, number + place))
        if place == 0:
            _to_try(folder, world)
    folder.write("campaign.yaml", yaml_text({**settings(days), "runs": runs}))


def _utilities(world: World, shift: float) -> dict[str, dict[str, float]]:
    """Most examples help a little or hurt a little, few help much; for some queries all hurt."""
    moods = dict(zip(world.topics, normals(len(world.topics), world.name, "moods"), strict=True))
    return {
        topic: {
            document: 0.35 * worth + 0.06 * worth * worth * worth + 0.4 * moods[topic] + shift
            for document, worth in zip(world.candidates[topic], world.worth[topic], strict=True)
        }
        for topic in world.topics
    }


def _view(world: World, system: System, level: float) -> View:
    shared, own = noise(world, system.kind), noise(world, system.stem)
    return mixed((1.0, world.worth), (0.6 * level, shared), (0.8 * level, own))


def _lists(world: World, system: System, place: int) -> Lists:
    level = system.noise[place]
    return ranked(world, _view(world, system, 0.0 if level is None else level), system.depth)


def _entry(task: str, system: System, file: str, days: Days, at: int) -> dict[str, Any]:
    return {
        "task": task,
        "team": system.team,
        "run": file,
        "title": system.name,
        "system": system.name,
        "metadata": system.fields(),
        "received": days.after(-26 + 2 * at, f"{9 + at % 9:02d}:{at * 19 % 60:02d}:00"),
    }


def _to_try(folder: Folder, world: World) -> None:
    """A run that nobody handed in yet, and one with a foreign and with missing candidates."""
    system = System("my-first", "My first", "demo-team", "embedding", (1.0,), "", 0, "", "none")
    text = run_text(_lists(world, system, 0), system.stem)
    folder.write(f"{TO_TRY}/my-first.run", text)
    lines = text.splitlines()
    lines[3] = lines[3].replace(lines[3].split()[2], "not-a-candidate")
    folder.write(f"{TO_TRY}/with-mistakes.run", "\n".join(lines[: -POOL + 4]) + "\n")
