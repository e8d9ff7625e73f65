"""What the NeuCLIR-style campaign says of itself: texts, tasks, form and dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from examples.demo.days import Days
from examples.demo.neuclir_systems import TEAMS

SLUG = "neuclir-demo"
LANGUAGES: Mapping[str, str] = {"fas": "Persian", "rus": "Russian", "zho": "Chinese"}
KINDS: Mapping[str, tuple[str, str, str]] = {
    "adhoc": ("ranking", "ad hoc", "Rank {} news for topics in English."),
    "rerank": (
        "reranking",
        "reranking",
        "Put the documents of the given {} run in a better order.",
    ),
    "mono": ("ranking", "monolingual", "Rank {} news for topics that people translated."),
}
MEASURES = ["nDCG@20", "AP", "RBP(p=0.8, rel=1)", "R@100", "R@1000", "Judged@20"]
DOCUMENTS = 2500
OPENS, CLOSES, RELEASE, FILES = -90, -20, 8, 49

# Gaps in the numbers, and topic 0, as in the real track.
TOPICS = [
    str(number)
    for number in (
        *(0, 2, 4, 5, 7, 13, 16, 17, 18, 19, 24, 25, 28, 30, 31, 32, 38, 40, 42, 45, 46, 47, 50),
        *(56, 62, 65, 66, 67, 70, 71, 72, 73, 75, 77, 80, 86, 92, 96, 103, 109, 111, 113, 114),
        *(118, 123, 126, 129, 130, 132, 133, 136),
    )
]
JUDGED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "fas": {"unjudged": ("2", "13", "42", "50", "136"), "none": ("72",), "one": ("114", "17")},
    "rus": {"unjudged": ("4", "16", "40", "47", "92", "136"), "none": ("19",), "one": ()},
    "zho": {"unjudged": ("13", "77"), "none": ("4", "24"), "one": ("113",)},
}
"""Topics that nobody judged, that have no relevant document, and that have only one."""

DESCRIPTION = """\
> **Example data.** Documents, topics, judgments, teams and runs are made up by a seeded model, in
> the shape of a track on cross-language retrieval. The scores are not made up: the site computed
> them from the run files.

Topics in English, news in **Persian, Russian and Chinese**. A team may rank the whole collection
(*ad hoc*), reorder a given list (*reranking*), or start from human translations (*monolingual*).

### What to look at
- The Persian ad hoc board: manual and automatic runs, baselines of the organizers, two runs that
  share a rank, one that scores 0 because its document ids are in capitals, and one disqualified.
- Topic 72 has no relevant Persian document; it counts 0 for everybody.
- The Russian boards are scored and **held back** until their day. Organizers see them already.

### How the data are made
Each document has a hidden worth for each topic; the judges turn it into grades 0, 1 and 3. A system
sees it through noise of its own and through noise that it shares with its family: term matching,
vectors, or a fusion. The code is in `examples/demo/`.
"""

FIELDS: list[dict[str, Any]] = [
    {"name": name, "label": label, "type": "choice", "choices": choices, **more}
    for name, label, choices, more in (
        ("stages", "Stages", ["single", "multi"], {"required": True, "public": True}),
        ("model", "Model", ["neural", "statistical", "both"], {"required": True, "public": True}),
        (
            "topic_fields",
            "Topic fields",
            ["title", "desc", "both", "other"],
            {"required": True, "public": True},
        ),
        (
            "query_language",
            "Query language",
            ["eng", "target", "other"],
            {"required": True, "public": True},
        ),
        ("translation", "Translation of topics", ["none", "human", "machine"], {"public": True}),
        ("seconds", "Mean seconds a query", ["under 1", "1 to 10", "over 10"], {"public": True}),
        (
            "parameters",
            "Parameters",
            ["none", "under 100 M", "100 M to 1 B", "1 B and more"],
            {"public": True},
        ),
    )
] + [{"name": "carbon_tracked", "label": "Carbon tracked", "type": "flag", "public": False}]


def settings(days: Days) -> dict[str, Any]:
    """The campaign without its runs."""
    return {
        "campaign": {
            "slug": SLUG,
            "title": "Example: news across languages",
            "summary": "English topics; Persian, Russian and Chinese news. Made-up data.",
            "description": DESCRIPTION,
            "vocabulary": "acm",
            "contact": "organizer@example.org",
            "citation": "Made-up data from the examples of Centreboard.",
            "timezone": "AoE",
            "example": True,
        },
        "collections": [_collection(code, name) for code, name in LANGUAGES.items()],
        "tasks": [_task(days, code, kind) for code in LANGUAGES for kind in KINDS],
        "teams": TEAMS,
    }


def _collection(code: str, name: str) -> dict[str, Any]:
    def form(name: str, language: str, translation: str, file: str) -> dict[str, str]:
        return {"form": name, "language": language, "translation": translation, "file": file}

    return {
        "slug": code,
        "title": f"{name} news",
        "description": f"Made-up news that would be in {name}.",
        "languages": [code],
        "documents": DOCUMENTS,
        "topics": "topics.tsv",
        "qrels": f"{code}/qrels.txt",
        "topic_forms": [
            form("description", "eng", "none", "descriptions.tsv"),
            form("title", code, "human", f"{code}/titles.tsv"),
        ],
    }


def _task(days: Days, code: str, kind: str) -> dict[str, Any]:
    language = LANGUAGES[code]
    name, title, summary = KINDS[kind]
    given = {"initial_run": f"{code}/initial.run"} if name == "reranking" else {}
    return {
        "slug": f"{code}-{kind}",
        "title": f"{language}, {title}",
        "summary": summary.format(language),
        "kind": name,
        "collection": code,
        **given,
        "measures": MEASURES,
        "primary": "nDCG@20",
        "topics_averaged": "judged",
        "depth": 1000,
        "tag_pattern": "^[A-Za-z0-9_.-]{1,25}$",
        "rules": {"tag_invalid": "warning", "q0_column": "ignore"},
        "opens": days.after(OPENS),
        "closes": days.ends(CLOSES),
        "visible_from": _visible(days, is_withheld=code == "rus"),
        "limits": {"runs_per_team": 8, "per_day": 5},
        "fields": FIELDS,
    }


def _visible(days: Days, *, is_withheld: bool) -> dict[str, str]:
    if not is_withheld:
        return {"submitted_runs": days.after(FILES), "qrels": "always"}
    release = days.after(RELEASE)
    files = days.after(FILES)
    early = dict.fromkeys(("own_scores", "scores", "team_names"), release)
    return early | dict.fromkeys(("topic_scores", "submitted_runs", "qrels"), files)
