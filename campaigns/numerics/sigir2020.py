"""The published scores of the SIGIR 2020 paper as a campaign folder that the loader takes."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from evaluation.published_series import (
    ADVANCED,
    BASELINE,
    CONSTELLATIONS,
    CUTOFFS,
    MEASURES,
    NAME_OF,
    ORIGINALS,
    RUNS,
    BadSeries,
    Folder,
    Series,
    column,
)

SLUG = "sigir2020"
SAME, NEW = "same", "new"
NAMES = dict(zip(MEASURES, ("P@10", "AP", "nDCG@1000"), strict=True))
ROLES = {BASELINE: "baseline", ADVANCED: "advanced"}
TEAM = "authors"
OPEN = ("submitted_runs", "original_runs", "topic_scores", "qrels")
ORIGINAL = "wcrobust"
SERIES = {
    "tau_union_{0}": "kendall_tau_union_sorted@{0} (sorted ids)",
    "rbo_ext_{0}_p08": "rank_biased_overlap@{0} (depth {1})",
}
"""Published series of rankings by their files: cut-off, and the depth that RBO really had."""

PAPER = (
    "Breuer, Ferro, Fuhr, Maistro, Sakai, Schaer, Soboroff: How to Measure the Reproducibility of "
    "System-oriented IR Experiments. SIGIR 2020, https://doi.org/10.1145/3397271.3401036"
)
CITATION = """\
@inproceedings{breuer2020measure,
  author = {Breuer, Timo and Ferro, Nicola and Fuhr, Norbert and Maistro, Maria and Sakai, Tetsuya
            and Schaer, Philipp and Soboroff, Ian},
  title = {How to Measure the Reproducibility of System-oriented {IR} Experiments},
  booktitle = {Proceedings of SIGIR},
  year = {2020},
  doi = {10.1145/3397271.3401036},
}"""
DESCRIPTION = """\
WCrobust04 (baseline) and WCrobust0405 (advanced) were runs of TREC Common Core 2017. The paper
replicated both 50 times on the same collection, and reproduced them on TREC Common Core 2018.

The scores by topic are the published ones (companion repository, DOI 10.5281/zenodo.3856042); the
run files are not public. So all that starts from scores is computed here, and what needs rankings
says that there are none. Kendall's tau and RBO stand on the pages of the pairs **as published**:

- tau was taken over ids in alphabetical order, which says next to nothing about the rankings;
- RBO was cut one document short of the depth that is named.

The 20 pairs with names are those of the paper's tables: four families that leave the original in
five steps each. The other 30 take part in its Tables 4 and 5.
"""


def write_folder(
    source: Path, target: Path, constellations: Iterable[int] = CONSTELLATIONS
) -> None:
    """Write ``campaign.yaml`` and the files it names into an empty folder.

    ``source`` is laid out as the published data are; BadSeries says which file is missing or
    cannot be read.
    """
    chosen = tuple(constellations)
    folder = Folder(source)
    document = {
        "campaign": {
            "slug": SLUG,
            "title": "SIGIR 2020: how to measure reproducibility",
            "summary": "The paper's 50 pairs on the same and on a new collection, by their "
            "published scores.",
            "description": DESCRIPTION,
            "vocabulary": "centre",
            "website": "https://doi.org/10.1145/3397271.3401036",
            "citation": CITATION,
            "timezone": "UTC",
        },
        "collections": [_collection(folder, target, *one) for one in _COLLECTIONS],
        "tasks": [
            _task(
                folder,
                target,
                SAME,
                "50 replications on TREC Common Core 2017.",
                collection="core17",
                order_by="rmse",
            ),
            _task(
                folder,
                target,
                NEW,
                "50 reproductions on TREC Common Core 2018.",
                collection="core18",
                original_collection="core17",
                order_by="distance",
            ),
        ],
        "teams": [{"slug": TEAM, "name": "Authors of the paper"}],
        "runs": [
            *(
                _pair(folder, target, SAME, "rpl", number)
                | {"series": dict(_published(folder, target, number))}
                for number in chosen
            ),
            *(_pair(folder, target, NEW, "rpd", number) for number in chosen),
        ],
    }
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
    (target / "campaign.yaml").write_text(text, encoding="utf-8")


_COLLECTIONS = (
    ("core17", "TREC Common Core 2017", "rpl"),
    ("core18", "TREC Common Core 2018", "rpd"),
)


def _collection(folder: Folder, target: Path, slug: str, title: str, kind: str) -> dict[str, Any]:
    qrels = folder.root / "qrels" / f"{slug}.txt"
    if not qrels.is_file():
        raise BadSeries(f"{qrels}: there is no such file.")
    shutil.copyfile(qrels, target / f"{slug}-qrels.txt")
    series = _of(folder, kind, BASELINE, "ap")
    # Those that the paper used: 25 of the 50 judged topics of the new collection.
    (target / f"{slug}-topics.tsv").write_text("".join(f"{topic}\t\n" for topic in series.topics))
    return {
        "slug": slug,
        "title": title,
        "languages": ["eng"],
        "topics": f"{slug}-topics.tsv",
        "qrels": f"{slug}-qrels.txt",
    }


def _task(folder: Folder, target: Path, slug: str, what: str, **own: Any) -> dict[str, Any]:
    return {
        "slug": slug,
        "title": f"{slug.capitalize()} collection",
        "summary": what,
        "kind": f"{slug}_collection",
        "measures": list(NAMES.values()),
        "primary": "AP",
        "topics_averaged": "judged",
        "depth": 1000,
        "comparison": {"rbo_p": 0.8, "depth": 1000, "cutoffs": list(CUTOFFS), "tost_bound": 0.05},
        "originals": [_originals(folder, target)],
        "closes": "2020-07-25T00:00:00Z",
        "visible_from": dict.fromkeys(OPEN, "always"),
        **own,
    }


def _originals(folder: Folder, target: Path) -> dict[str, Any]:
    runs = {}
    for run, role in ROLES.items():
        scores = {}
        for file, measure in NAMES.items():
            series = folder.original(run, file)
            scores[measure] = _written(target, f"original/{run}-{file}.csv", series, ORIGINALS[run])
        runs[role] = {"scores": scores, "system": ORIGINALS[run]}
    return {"slug": ORIGINAL, "title": "WCrobust04 to WCrobust0405", "paper": PAPER, **runs}


def _pair(folder: Folder, target: Path, task: str, kind: str, number: int) -> dict[str, Any]:
    name = NAME_OF.get(number)
    family, _, step = (name or "").rpartition("_")
    named = {"family": family, "order": int(step)} if name else {}
    runs = {}
    for run, role in ROLES.items():
        title = column(kind, run, number)
        scores = {}
        for file, measure in NAMES.items():
            series = _of(folder, kind, run, file)
            scores[measure] = _written(target, f"{kind}/{run}-{number}-{file}.csv", series, title)
        runs[role] = {"scores": scores, "title": title}
    title = name or f"constellation {number}"
    return {"task": task, "team": TEAM, "original": ORIGINAL, "title": title, **named, **runs}


def _of(folder: Folder, kind: str, run: str, name: str) -> Series:
    return folder.replicated(run, name) if kind == "rpl" else folder.reproduced(run, name)


def _published(
    folder: Folder, target: Path, number: int
) -> Iterator[tuple[str, Mapping[str, str]]]:
    for file, name in SERIES.items():
        for cutoff in CUTOFFS:
            stem = file.format(cutoff)
            yield (
                name.format(cutoff, cutoff - 1),
                {
                    ROLES[run]: _written(
                        target,
                        f"series/{run}-{number}-{stem}.csv",
                        folder.replicated(run, stem),
                        column("rpl", run, number),
                    )
                    for run in RUNS
                },
            )


def _written(target: Path, name: str, series: Series, column_name: str) -> str:
    """Write one column as topic and score, with all its digits; the file's name."""
    path = target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    values: Sequence[float] = series.of(column_name).tolist()
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(zip(series.topics, map(repr, values), strict=True))
    return name
