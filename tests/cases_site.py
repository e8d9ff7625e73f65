"""Cases that need the site (uploads, boards, deadlines, quotas, queues), by area.

A function takes a case and the folder of the cases, and gives each expected value with the one
that came: ``(key, expected, got)``. Each runs in a transaction that is undone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import wraps
from pathlib import Path, PurePosixPath
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.models import Evaluation, Job, JobKind, Run, Task
from campaigns.services import jobs
from campaigns.services.refusals import RefusalError
from campaigns.services.submissions import Details, submit_run
from campaigns.services.uploads import Received
from campaigns.states import status_of
from tests.campaigns import pipeline
from tests.campaigns.factories import TeamFactory
from tests.cases_boards import leaderboard_case
from tests.cases_task import task_of

Case = Mapping[str, Any]
Compared = Iterator[tuple[str, Any, Any]]
Area = Callable[[Case, Path], Compared]


def undone(area: Area) -> Callable[[Case, Path], Iterable[tuple[str, Any, Any]]]:
    """The area's function in a transaction that leaves nothing behind."""

    @wraps(area)
    def inside(case: Case, folder: Path) -> list[tuple[str, Any, Any]]:
        with transaction.atomic():
            compared = list(area(case, folder))
            transaction.set_rollback(True)
        return compared

    return inside


class Submitter:
    """A team that sends run files, at given moments."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.team = TeamFactory(campaign=task.campaign)
        self.viewer = pipeline.member_of(self.team)
        self.sent = 0

    def text(self, *, is_good: bool = True) -> bytes:
        """A run file that was not sent before."""
        self.sent += 1
        topics = self.task.collection.topics.values_list("identifier", flat=True)
        text = pipeline.run_text({topic: ["D-a"] for topic in topics}, f"run{self.sent}")
        return text if is_good else text + b"a line of four\n"

    def is_taken(self, received: Received) -> bool:
        """Whether the site takes the file for processing."""
        try:
            submit_run(self.viewer, self.task, self.team, received, Details())
        except RefusalError:
            return False
        return True


def deadline_case(case: Case, folder: Path) -> Compared:
    """A file counts by the moment at which its last byte was stored, whatever the zone."""
    closes = datetime.fromisoformat(case["scenario"]["deadline"])
    sender = Submitter(task_of(case, folder, closes=closes))
    taken = [
        sender.is_taken(
            replace(pipeline.stored(sender.text()), received_at=datetime.fromisoformat(moment))
        )
        for moment in case["scenario"]["uploads"]
    ]
    yield "accepted", case["expect"]["accepted"], taken


def quota_case(case: Case, folder: Path) -> Compared:
    """Refused files cost no run, but count among all uploads."""
    scenario = case["scenario"]
    limits = {"runs_per_team": scenario["max_runs"], "attempts": scenario["max_attempts"]}
    sender = Submitter(task_of(case, folder, **limits))
    taken = []
    for outcome in scenario["uploads"]:
        received = pipeline.stored(sender.text(is_good=outcome == "ok"))
        taken.append(sender.is_taken(received))
        pipeline.drain()
    yield "accepted_for_processing", case["expect"]["accepted_for_processing"], taken
    states = list(Run.objects.filter(task=sender.task).values_list("state", flat=True))
    yield "states", ["rejected", "accepted", "rejected", "accepted"], states


def _die(job: Job) -> jobs.Claim | None:
    """A worker takes the job and is never heard of again, until after its lease."""
    held = jobs.claim(job.pk, "worker that dies")
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk, state="running").update(lease_until=past)
    return held


def queue_case(case: Case, folder: Path) -> Compared:
    """A worker dies once, and another takes over; it dies three times, and the job is failed."""
    task = task_of(case, folder)
    pipeline.publish(task.collection, (folder / case["task"]["qrels"]).read_bytes())
    sender = Submitter(task)
    finals, seen = [], set()
    for deaths in (1, 3):
        run = submit_run(
            sender.viewer, task, sender.team, pipeline.stored(sender.text()), Details()
        )
        pipeline.DO["check"](str(Job.objects.get(run=run, kind=JobKind.CHECK).pk))
        job = Job.objects.get(run=run, kind=JobKind.SCORE)
        held = None
        for _ in range(deaths):
            held = _die(job)
            seen.add(jobs.overdue().filter(pk=job.pk).exists())
        pipeline.DO["score"](str(job.pk))
        finals.append(status_of(Run.objects.get(pk=run.pk)).state)
        yield "late result", False, held is not None and jobs.renew(held)
        yield "job is over", True, Job.objects.get(pk=job.pk).state in ("done", "failed")
    yield "final_states", case["expect"]["final_states"], finals
    yield "found by recovery", {True}, seen
    states = Job.objects.values_list("state", flat=True)
    yield "never", False, case["expect"]["never"] in states


def _values(score: Evaluation) -> dict[str, float]:
    order = score.topic_order
    return dict(
        zip(order.topics, struct.unpack(f"<{order.count}d", score.topic_values), strict=True)
    )


def upload_case(case: Case, folder: Path) -> Compared:
    """A file with an odd name: kept under a name of ours, scored as any other."""
    task = task_of(case, folder)
    pipeline.publish(task.collection, (folder / case["task"]["qrels"]).read_bytes())
    sender = Submitter(task)
    text = (folder / case["input"]).read_bytes()
    name = case["upload"]["filename"]
    run = submit_run(sender.viewer, task, sender.team, pipeline.stored(text, name), Details())
    pipeline.drain()
    run = Run.objects.select_related("file").get(pk=run.pk)
    yield "outcome", case["expect"]["outcome"], run.outcome
    yield "messages", case["expect"]["messages"], run.messages
    yield "name", PurePosixPath(name).name, run.file.name
    yield "key", True, ".." not in run.file.key and run.file.key.isascii()
    expected = case["expect"]["scores"]
    for measure, mean in expected["mean"].items():
        score = Evaluation.objects.select_related("topic_order").get(run=run, recipe__name=measure)
        yield f"mean {measure}", mean, score.mean
        yield "topics_averaged", expected["topics_averaged"], score.topics_averaged
        values = _values(score)
        for topic, by_measure in expected["per_topic"].items():
            yield f"{topic} {measure}", by_measure[measure], values[topic]


AREAS: Mapping[str, Callable[[Case, Path], Iterable[tuple[str, Any, Any]]]] = {
    "leaderboard": undone(leaderboard_case),
    "deadline": undone(deadline_case),
    "quota": undone(quota_case),
    "queue": undone(queue_case),
    "upload": undone(upload_case),
}
