"""The NeuCLIR-style campaign: three languages; ad hoc, reranking and monolingual ranking."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from examples.demo.chance import unique_id
from examples.demo.days import Days
from examples.demo.files import Folder, Lists, qrels_text, run_text, topics_text, yaml_text
from examples.demo.neuclir_settings import DOCUMENTS, JUDGED, LANGUAGES, SLUG, TOPICS, settings
from examples.demo.neuclir_systems import AD_HOC, MONOLINGUAL, RERANKING, System
from examples.demo.wordings import questions, titles
from examples.demo.worth import View, World, hardness, judged, made_world, noise, ranked

DEPTH = 120
INITIAL = 100
CANDIDATES = 220
HANDED_IN = -34
DISQUALIFIED = -17

__all__ = ["SLUG", "write"]


def write(root: Path, today: date) -> None:
    """Write the folder."""
    folder, days = Folder(root), Days(today)
    runs: list[dict[str, Any]] = []
    for language in LANGUAGES:
        desk = _Desk(folder, days, language)
        desk.collection()
        for system in AD_HOC:
            desk.hand_in("adhoc", system, desk.lists(system))
        desk.initial_run()
        for system in RERANKING:
            desk.hand_in("rerank", system, desk.reranked(system))
        for system in MONOLINGUAL:
            desk.hand_in("mono", system, desk.lists(system))
        if language == "fas":
            desk.oddities()
        runs += desk.runs
    folder.write("campaign.yaml", yaml_text({**settings(days), "runs": runs}))


class _Desk:
    """Runs of one language as they come in."""

    def __init__(self, folder: Folder, days: Days, language: str) -> None:
        self.folder, self.days, self.language = folder, days, language
        documents = [unique_id("news", language, at) for at in range(DOCUMENTS)]
        self.world = made_world(f"news-{language}", TOPICS, documents, CANDIDATES)
        self.hardness = hardness(self.world)
        self.shared = {
            family: noise(self.world, family) for family in ("terms", "vectors", "fused")
        }
        self.runs: list[dict[str, Any]] = []

    def collection(self) -> None:
        """Topics in their forms and the judgments."""
        at, target = self.language, titles(TOPICS, self.language)
        self.folder.write("topics.tsv", topics_text(titles(TOPICS)))
        self.folder.write("descriptions.tsv", topics_text(questions(TOPICS)))
        self.folder.write(f"{at}/titles.tsv", topics_text(target))
        self.folder.write(f"{at}/qrels.txt", qrels_text(_grades(self.world, JUDGED[at])))

    def view(self, system: System) -> View:
        """What a system makes of it: it errs alone, and with others of its family."""
        level = {topic: system.noise * hard for topic, hard in self.hardness.items()}
        own = noise(self.world, system.stem)
        return {
            topic: [
                worth + level[topic] * (0.62 * together + 0.78 * alone)
                for worth, together, alone in zip(
                    self.world.worth[topic],
                    self.shared[system.family][topic],
                    own[topic],
                    strict=True,
                )
            ]
            for topic in self.world.topics
        }

    def lists(self, system: System) -> Lists:
        """The best documents of the whole collection."""
        return ranked(self.world, self.view(system), DEPTH)

    def initial_run(self) -> None:
        """What reranking starts from: the organizers' BM25, cut."""
        base = next(system for system in AD_HOC if system.stem == "base-bm25")
        self.initial = ranked(self.world, self.view(base), INITIAL)
        name = f"{self.language}/initial.run"
        self.folder.write(name, run_text(self.initial, f"initial-{self.language}"))

    def reranked(self, system: System) -> Lists:
        """The documents of the initial run in another order."""
        full = ranked(self.world, self.view(system), CANDIDATES)
        kept = {topic: {document for document, _ in one} for topic, one in self.initial.items()}
        return {
            topic: [pair for pair in listed if pair[0] in kept[topic]]
            for topic, listed in full.items()
        }

    def hand_in(self, kind: str, system: System, lists: Lists, **more: Any) -> None:
        """Write a run and list it, unless the system does not know the language."""
        if self.language not in system.languages.split():
            return
        tag = f"{system.stem}-{self.language}"
        file = self.folder.write(f"{self.language}/{kind}/{tag}.run", run_text(lists, tag))
        self._list(kind, system, file, **more)

    def _list(self, kind: str, system: System, file: str, **more: Any) -> None:
        at = len(self.runs)
        clock = f"{7 + at % 13:02d}:{at * 23 % 60:02d}:00"
        self.runs.append(
            {
                "task": f"{self.language}-{kind}",
                "team": system.team,
                "run": file,
                "title": system.title,
                "system": system.title,
                "run_type": "manual" if system.is_manual else "automatic",
                "metadata": system.fields(),
                "received": self.days.after(HANDED_IN + at // 3, clock),
                **more,
            }
        )

    def oddities(self) -> None:
        """What every board meets one day: a tie, a run of wrong ids, a disqualified, a bad one."""
        feedback = next(system for system in AD_HOC if system.stem == "grove-bm25-rm3")
        again = System("grove-bm25-rm3b", "grove", "BM25 with feedback, again", 1.62, "terms")
        self.hand_in("adhoc", again, self.lists(feedback))
        large = System("hazel-dense-xl", "hazel", "Large dense", 0.86, "vectors")
        self.hand_in(
            "adhoc",
            large,
            self.lists(large),
            disqualified=self.days.after(DISQUALIFIED),
            disqualified_reason="The system was trained on the judgments.",
        )
        wrong = System("fir-colx-v0", "fir", "Late interaction, first try", 1.2, "vectors")
        lists = {
            topic: [(document.upper(), score) for document, score in listed[:60]]
            for topic, listed in self.lists(wrong).items()
        }
        self.hand_in("adhoc", wrong, lists)
        self._rejected(System("hazel-llm-rr", "hazel", "Prompted reranker", 1.0, "fused"))

    def _rejected(self, system: System) -> None:
        lists = self.lists(system)
        lines = run_text({TOPICS[0]: lists[TOPICS[0]]}, f"{system.stem}-fas").splitlines()
        lines[4] = lines[3]
        lines[9] = lines[9].replace(lines[9].split()[4], "nan")
        lines[20] = lines[20].replace(f"{TOPICS[0]} Q0", "999 Q0")
        name = f"fas/adhoc/{system.stem}-fas.run"
        self._list("adhoc", system, self.folder.write(name, "\n".join(lines) + "\n"))


def _grades(world: World, rules: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Grades 0, 1 and 3; some topics have no relevant document, some only one."""
    topics = [topic for topic in TOPICS if topic not in rules["unjudged"]]
    grades = judged(world, _grade, best=64, others=60, topics=topics)
    for topic in rules["none"]:
        grades[topic] = dict.fromkeys(grades[topic], 0)
    for topic in rules["one"]:
        best = max(zip(world.worth[topic], world.candidates[topic], strict=True))[1]
        grades[topic] = {document: int(document == best) for document in grades[topic]}
    return grades


def _grade(worth: float) -> int:
    return 3 if worth > 1.9 else int(worth > 1.3)
