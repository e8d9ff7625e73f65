"""One campaign seen by everybody: two teams, a pair task, scores with numbers to recognise."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

from campaigns.models import ALWAYS, BoardSubject, JobKind, JobState, Pair, Queue, Run, RunState
from tests.campaigns import factories

ROLES = ("visitor", "stranger", "other", "own", "assessor", "organizer", "admin")
OVERSEERS = ("assessor", "organizer", "admin")
PHASES = ("closed", "own", "open")
SWITCHES = {
    "closed": {},
    "own": {"own_scores_from": ALWAYS, "topic_scores_from": ALWAYS},
    "open": dict.fromkeys(
        (
            "own_scores_from",
            "scores_from",
            "team_names_from",
            "topic_scores_from",
            "submitted_runs_from",
            "original_runs_from",
        ),
        ALWAYS,
    ),
}
ALL_OFF = dict.fromkeys((*SWITCHES["open"], "qrels_from"))
# Of the own team's pair: mean, topic, RBO, ER, interval, p, board cell. None stands elsewhere.
SECRETS = (
    "0.7317310",
    "0.6416410",
    "0.5815810",
    "1.3713710",
    "0.1919190",
    "0.0287287",
    "0.4949490",
)
HINT = "organizers_only_hint"


@dataclass
class World:
    """What the tests ask for."""

    task: Any
    users: dict[str, Any]
    own: Pair
    other: Pair
    original: Any
    text: dict[str, str] = field(default_factory=dict)

    def urls(self) -> dict[tuple[str, str], str]:
        """Address of each name and method, for the own team's things."""
        base = "/api/v1/"
        campaign = f"{base}campaigns/{self.task.campaign.slug}/"
        task = f"{campaign}tasks/{self.task.slug}/"
        run = f"{base}runs/{self.own.advanced_id}/"
        return {
            ("api-me", "get"): f"{base}me/",
            ("api-receipts", "post"): f"{base}receipts/",
            ("api-campaigns", "get"): f"{base}campaigns/",
            ("api-campaign", "get"): campaign,
            ("api-task", "get"): task,
            ("api-task-file", "get"): f"{task}files/topics.tsv",
            ("api-runs", "get"): f"{task}runs/",
            ("api-runs", "post"): f"{task}runs/",
            ("api-pairs", "post"): f"{task}pairs/",
            ("api-leaderboard", "get"): f"{task}leaderboard/",
            ("api-effects", "get"): f"{task}effects/",
            ("api-run", "get"): run,
            ("api-run-topics", "get"): f"{run}topics/",
            ("api-run-file", "get"): f"{run}file/",
            ("api-pair", "get"): f"{base}pairs/{self.own.pk}/",
            ("api-run-withdraw", "post"): f"{run}withdraw/",
        }


def build(phase: str) -> World:
    """The campaign, before anything is scored."""
    task = factories.TaskFactory(same_collection=True, **{**ALL_OFF, **SWITCHES[phase]})
    task.collection.has_topic_file = True
    task.collection.save()
    original = factories.original_pair(task, slug="wcrobust")
    pairs = {
        name: factories.PairFactory(
            original=original,
            team=factories.TeamFactory(campaign=task.campaign, slug=f"team-{name}-x"),
        )
        for name in ("own", "other")
    }
    for run in Run.objects.filter(task=task):
        run.organizer_messages = [
            {
                "level": "warning",
                "line": None,
                "kind": HINT,
                "topic": None,
                "text": "",
                "remedy": "",
            }
        ]
        run.save()
    for pair in pairs.values():
        pair.baseline.refresh_from_db()
        pair.advanced.refresh_from_db()
        for run in (pair.baseline, pair.advanced):
            job(JobKind.CHECK, run=run, state=JobState.DONE)
    users = {
        "visitor": None,
        "stranger": factories.UserFactory(),
        "other": factories.member_of(pairs["other"].team),
        "own": factories.member_of(pairs["own"].team),
        "assessor": factories.organizer_of(task.campaign, "assessor"),
        "organizer": factories.organizer_of(task.campaign),
        "admin": factories.UserFactory(is_superuser=True),
    }
    return World(task, users, pairs["own"], pairs["other"], original)


def job(kind: str, *, state: str = JobState.WAITING, **things: Any) -> Any:
    """A job of a run or pair."""
    subject = "/".join(f"{name}:{thing.pk}" for name, thing in things.items())
    return factories.JobFactory(
        kind=kind, subject=subject, queue=Queue.SCORING, state=state, **{"run": None, **things}
    )


def score(world: World) -> None:
    """Give every run and pair its numbers, and the task its boards."""
    mean, topic, rbo, ratio, low, p, cell = map(float, SECRETS)
    qrels = factories.QrelsFactory(collection=world.task.collection)
    recipe = factories.RecipeFactory(name="nDCG@10")
    rbo_recipe = factories.RecipeFactory(name="rank_biased_overlap")
    effect = factories.RecipeFactory(name="effect nDCG@10", parameters={"measure": "nDCG@10"})
    boards = {
        subject: factories.BoardFactory(
            task=world.task,
            original=world.original,
            qrels=qrels,
            subject=subject,
            slug=f"{subject}-wcrobust",
        )
        for subject in (BoardSubject.PAIRS, BoardSubject.RUNS)
    }
    for board in boards.values():
        factories.BoardColumnFactory(board=board, recipe=recipe)
    originals = {run.role: run for run in world.original.runs.filter(origin="original")}
    for place, pair in enumerate((world.own, world.other)):
        is_own = place == 0
        for run in (pair.baseline, pair.advanced):
            factories.EvaluationFactory(
                run=run,
                qrels=qrels,
                recipe=recipe,
                mean=mean if is_own else 0.25,
                interval_low=low if is_own else 0.125,
                interval_high=0.9,
                topic_values=factories.packed(topic if is_own else 0.5, float("nan")),
            )
            factories.ComparisonFactory(
                run=run,
                original_run=originals[run.role],
                qrels=qrels,
                recipe=rbo_recipe,
                value=rbo if is_own else 0.5,
            )
            Run.objects.filter(pk=run.pk).update(state=RunState.SCORED)
            job(JobKind.SCORE, run=run, qrels=qrels)
            _row(boards[BoardSubject.RUNS], place, cell if is_own else 0.5, run=run)
        factories.EffectFactory(
            pair=pair,
            qrels=qrels,
            recipe=effect,
            effect_ratio=ratio if is_own else 0.5,
            p_baseline=p if is_own else 0.5,
        )
        job(JobKind.COMPARE, pair=pair, state=JobState.DONE)
        _row(boards[BoardSubject.PAIRS], place, cell if is_own else 0.5, pair=pair)


def _row(board: Any, place: int, value: float, *, run: Any = None, pair: Any = None) -> None:
    row = factories.BoardRowFactory(
        board=board,
        rank=place + 1,
        run=run,
        pair=pair,
        team=(run or pair).team,
        cells={"nDCG@10": {"value": value, "rank": place + 1, "low": None, "high": None}},
    )
    factories.BoardCellFactory(row=row, column=board.columns.get(), value=value, rank=place + 1)


def submission(name: str, salt: str) -> dict[str, Any]:
    """A form for POST runs/ or pairs/."""

    def file(role: str) -> io.BytesIO:
        content = io.BytesIO(f"101 Q0 d1 1 2.5 {salt}{role}\n".encode())
        content.name = "run.txt"
        return content

    if name == "api-runs":
        return {"file": file("r"), "role": "baseline"}
    return {"baseline": file("b"), "advanced": file("a")}
