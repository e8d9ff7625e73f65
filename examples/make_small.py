"""Makes the files of ``small-centre``: everything in them is made up, and the seed is fixed.

``python examples/make_small.py`` writes them again. Each document has a hidden worth for each
topic. The judges see it coarsely, as grades; a system sees it through noise, and its advanced
form through less. A reproduction adds noise of its own to what the original system saw: a little,
some, or so much that it is another system. Standard library only.
"""

import gzip
import random
from pathlib import Path

SEED = 20260101
FOLDER = Path(__file__).resolve().parent / "small-centre"
DOCUMENTS = 300
DEPTH = 60
JUDGED = 45
BASELINE_NOISE, ADVANCED_NOISE = 1.1, 0.75

TOPICS = {
    "11": ("wind in the orchard", "How do growers shield blossom from wind?"),
    "12": ("salt on bridges", "What does winter salt do to steel bridges?"),
    "13": ("owls in barns", "Do nesting boxes bring owls back to farms?"),
    "14": ("slow trains", "Why were night trains given up, and where have they returned?"),
    "15": ("paper from straw", "Can straw take the place of wood in paper?"),
    "16": ("quiet asphalt", "How much noise does porous asphalt take away?"),
    "17": ("river fords", "Which old fords are still crossed on foot?"),
    "18": ("clay ovens", "How were village bread ovens shared?"),
    "19": ("glass eels", "What blocks young eels on their way upstream?"),
    "20": ("street sweepers", "When did machines replace brooms in towns?"),
    "21": ("moss roofs", "Does moss protect or damage a roof?"),
    "22": ("tide mills", "Where did mills run on the tide?"),
}

# Name of the run, noise of the system, noise of the reproduction; one line each.
ORIGINALS = {"baseline": BASELINE_NOISE, "advanced": ADVANCED_NOISE}
REPRODUCTIONS = {"alder": 0.03, "birch": 0.35, "demo": 0.9}
RANKERS = {"alder-lexical": 1.0, "alder-fused": 0.6, "birch-lexical": 1.3, "cedar-dense": 0.8}


def main() -> None:
    """Write all files."""
    worth = hidden_worth()
    write("documents.txt.gz", "".join(f"{name}\n" for name in documents()))
    write("topics.tsv", "".join(f"{topic}\t{title}\n" for topic, (title, _) in TOPICS.items()))
    write("questions.tsv", "".join(f"{topic}\t{text}\n" for topic, (_, text) in TOPICS.items()))
    write("qrels.txt", qrels(worth))
    for role, noise in ORIGINALS.items():
        seen = view(worth, noise, role)
        write(f"originals/{role}.run.gz", run(seen, f"orchard-{role}"))
        for team, drift in REPRODUCTIONS.items():
            again = view(seen, drift, f"{team} {role}")
            write(f"runs/{team}-{role}.run.gz", run(again, f"{team}-{role}"))
    for name, noise in RANKERS.items():
        write(f"runs/{name}.run.gz", run(view(worth, noise, name), name))


def chance_of(name: str) -> random.Random:
    """Numbers that are the same in each run of this script."""
    return random.Random(f"{SEED} {name}")  # noqa: S311  (made-up data, no secret)


def documents() -> list[str]:
    """Names of the made-up documents."""
    return [f"leaf-{number:04d}" for number in range(1, DOCUMENTS + 1)]


def hidden_worth() -> dict[str, dict[str, float]]:
    """How good each document is for each topic."""
    chance = chance_of("worth")
    return {topic: {name: round(chance.gauss(0, 1), 6) for name in documents()} for topic in TOPICS}


def view(seen: dict[str, dict[str, float]], noise: float, name: str) -> dict[str, dict[str, float]]:
    """What a system makes of it: the same values through noise that is the system's own."""
    chance = chance_of(name)
    return {
        topic: {name: value + chance.gauss(0, noise) for name, value in values.items()}
        for topic, values in seen.items()
    }


def qrels(worth: dict[str, dict[str, float]]) -> str:
    """Grades 0, 1 and 2 for the documents of a pool; the last topic has none that is relevant."""
    chance = chance_of("pool")
    lines = []
    for topic, values in worth.items():
        by_worth = sorted(values, key=values.__getitem__, reverse=True)
        pool = by_worth[: JUDGED - 15] + chance.sample(by_worth[JUDGED:], 15)
        for name in sorted(pool):
            grade = (values[name] > 1.2) + (values[name] > 1.9)
            lines.append(f"{topic} 0 {name} {0 if topic == max(TOPICS) else grade}\n")
    return "".join(lines)


def run(seen: dict[str, dict[str, float]], tag: str) -> str:
    """The best documents of each topic as a run file."""
    lines = []
    for topic, values in seen.items():
        best = sorted(values, key=lambda name: (round(values[name], 4), name), reverse=True)
        for rank, name in enumerate(best[:DEPTH], 1):
            lines.append(f"{topic} Q0 {name} {rank} {values[name] + 10:.4f} {tag}\n")
    return "".join(lines)


def write(name: str, text: str) -> None:
    """Write a file, as gzip where its name says so, with the same bytes each time."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


if __name__ == "__main__":
    main()
