"""Writes real runs and qrels as a campaign folder, with the task rules that they need."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

SITE = ("covid-r1", "core17", "core18", "robust04")
"""The collections that go through the site, upload to board."""

MEASURES = ["nDCG@10", "AP", "P@10", "R@1000", "RR"]
PAIR_MEASURES = ["AP", "nDCG@10", "P@10"]
RULES = {"unknown_topic": "ignore", "extra_column": "ignore", "duplicate_document": "warning"}
TAG_PATTERN = r"^\S{1,100}$"

# Teams of several runs of one collection, where the names do not tell.
TEAMS = {
    "covid-r1": {
        "smith.bm25": "smith",
        "smith.rm3": "smith",
        "base.unipd.it": "unipd",
        "10x10.prf.unipd.it": "unipd",
        "PL2c1.0": "ub-bw",
        "PL2c1.0_Bo1": "ub-bw",
    },
    "covid-r2": {
        "DD_bm25": "dy-xd",
        "DD_rm3": "dy-xd",
        "VTechBase": "virginia-tech",
        "VTechPRF": "virginia-tech",
    },
    "dl20-doc": {
        f"BIT.UA-run{name}.txt": "bit-ua" for name in ("1", "2", "3", "2-1", "2-3", "3-2")
    },
}
FIRST_PART = ("core17", "core18", "robust04", "covid-r4", "covid-r5")


def write_real_campaign(
    target: Path, real: Path, names: tuple[str, ...] = SITE, *, slug: str = "real"
) -> Path:
    """Write ``campaign.yaml`` and links to the files into ``target``; returns ``target``.

    For each collection a ranking task ``<name>`` with all of its runs; for each original pair of
    ``pairs.json`` a task ``<name>-same`` or ``<name>-new`` with its pairs (a second one of a kind
    ends in ``-from-<collection>``). The title of a run is its path below ``real/`` without
    ``.gz``, the title of a pair the words that describe it.
    A byte-identical run goes to a second team ``<team>-2``.
    """
    return _Writer(target, real, names).write(slug)


def expected_runs(real: Path, names: tuple[str, ...] = SITE) -> list[str]:
    """Titles of all runs of the ranking tasks."""
    return [
        f"{name}/runs/{path.name.removesuffix('.gz')}"
        for name in names
        for path in sorted((real / name / "runs").glob("*.gz"))
    ]


class _Writer:
    def __init__(self, target: Path, real: Path, names: tuple[str, ...]) -> None:
        self.target, self.real, self.names = target, real, names
        self.collections: dict[str, dict[str, Any]] = {}
        self.tasks: list[dict[str, Any]] = []
        self.runs: list[dict[str, Any]] = []
        self.teams: dict[str, None] = {}
        self.texts: dict[tuple[str, str], set[str]] = defaultdict(set)

    def write(self, slug: str) -> Path:
        for name in self.names:
            self._collection(name)
            self._ranking(name)
            self._pairs(name)
        document = {
            "campaign": {"slug": slug, "title": "Real runs", "timezone": "UTC"},
            "collections": list(self.collections.values()),
            "tasks": self.tasks,
            "teams": [{"slug": team, "name": team} for team in self.teams],
            "runs": self.runs,
        }
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
        (self.target / "campaign.yaml").write_text(text, encoding="utf-8")
        return self.target

    def _file(self, relative: str) -> str:
        """A hard link or copy in the folder, since links out of it are not followed."""
        path = self.target / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            try:
                os.link(self.real / relative, path)
            except OSError:
                shutil.copyfile(self.real / relative, path)
        return relative

    def _collection(self, name: str) -> None:
        if name not in self.collections:
            qrels = next(iter(sorted((self.real / name).glob("qrels.txt*")))).name
            self.collections[name] = {
                "slug": name,
                "title": name,
                "qrels": self._file(f"{name}/{qrels}"),
            }

    def _task(self, slug: str, name: str, **more: Any) -> None:
        self.tasks.append(
            {
                "slug": slug,
                "title": slug,
                "collection": name,
                "topics_averaged": "judged",
                "rules": dict(RULES),
                "tag_pattern": TAG_PATTERN,
                **more,
            }
        )

    def _ranking(self, name: str) -> None:
        self._task(name, name, kind="ranking", measures=MEASURES, primary="nDCG@10")
        for path in sorted((self.real / name / "runs").glob("*.gz")):
            team = self._team(name, path)
            text = hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
            if text in self.texts[name, team]:
                team = f"{team}-2"
                self.teams.setdefault(team)
            self.texts[name, team].add(text)
            relative = self._file(f"{name}/runs/{path.name}")
            self.runs.append(
                {
                    "task": name,
                    "team": team,
                    "title": relative.removesuffix(".gz"),
                    "run": relative,
                }
            )

    def _team(self, name: str, path: Path) -> str:
        run = path.name.removesuffix(".gz")
        team = TEAMS.get(name, {}).get(run)
        if team is None:
            team = run.split(".", 1)[0] if name in FIRST_PART else run
            team = "".join(char if char.isalnum() else "-" for char in team.lower()).strip("-")
        self.teams.setdefault(team)
        return team

    def _pairs(self, name: str) -> None:
        file = self.real / name / "pairs.json"
        for entry in json.loads(file.read_text(encoding="utf-8")) if file.exists() else []:
            original = entry["original"]
            home = original["baseline"].split("/", 1)[0]
            self._collection(home)
            is_same = entry["setting"] == "same_collection"
            slug = f"{name}-{'same' if is_same else 'new'}"
            if slug in {task["slug"] for task in self.tasks}:
                slug += f"-from-{home}"
            self._task(
                slug,
                name,
                kind=entry["setting"],
                measures=PAIR_MEASURES,
                primary="AP",
                originals=[
                    {
                        "slug": "original",
                        "title": original["by"],
                        "baseline": self._file(original["baseline"]),
                        "advanced": self._file(original["advanced"]),
                    }
                ],
                **({} if is_same else {"original_collection": home}),
            )
            for pair in entry["reproduced"]:
                self.runs.append(
                    {
                        "task": slug,
                        "team": self._team(name, self.real / pair["baseline"]),
                        "original": "original",
                        "title": pair["by"],
                        "baseline": self._file(pair["baseline"]),
                        "advanced": self._file(pair["advanced"]),
                    }
                )
