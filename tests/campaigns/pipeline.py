"""Runs waiting jobs in this process, in the way a worker does, but without a broker."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

from django.db.models import F
from django.utils import timezone

from campaigns import tasks
from campaigns.models import Collection, Job, JobState, Original, Pair, Qrels, Run, Task, Team, User
from campaigns.numerics.qrels import qrels_facts
from campaigns.policies import Viewer
from campaigns.services.qrels import add_qrels, publish_qrels
from campaigns.services.submissions import Details, submit_pair, submit_run
from campaigns.services.task_topics import topics_of
from campaigns.services.uploads import Received, receive
from campaigns.work import StoredText
from tests.campaigns.factories import CollectionFactory, MembershipFactory, TopicFactory

LIMIT = 1 << 30
DO = {
    "check": tasks.check,
    "check_upload": tasks.check_upload,
    "score": tasks.score,
    "compare": tasks.compare,
    "rank": tasks.rank,
}


def drain(most: int = 500) -> list[str]:
    """Do every waiting job until none is left; what was done, as ``kind`` by ``kind``.

    One that was put off waits for its moment, after those that are due.
    """
    done: list[str] = []
    by_moment = (F("not_before").asc(nulls_first=True), "created_at")
    while job := Job.objects.filter(state=JobState.WAITING).order_by(*by_moment).first():
        if job.not_before is not None:
            time.sleep(max(0.0, (job.not_before - timezone.now()).total_seconds()))
        with patch.object(tasks, "SECONDS_BETWEEN_RANKINGS", 0.0):
            DO[job.kind](str(job.pk))
        done.append(job.kind)
        if len(done) > most:
            raise AssertionError(f"No end of jobs: {done[-10:]}")
    return done


def stored(text: bytes, name: str = "run.txt") -> Received:
    """A file whose bytes lie in the store."""
    return receive([text], name, upload_limit=LIMIT, text_limit=LIMIT)


def run_text(rankings: Mapping[str, list[str]], tag: str = "demo") -> bytes:
    """A run file: documents best first."""
    lines = [
        f"{topic} Q0 {document} {rank} {100 - rank} {tag}"
        for topic, documents in rankings.items()
        for rank, document in enumerate(documents, start=1)
    ]
    return ("\n".join(lines) + "\n").encode()


def qrels_text(grades: Mapping[str, Mapping[str, int]]) -> bytes:
    """A qrels file."""
    lines = [
        f"{topic} 0 {document} {grade}"
        for topic, judged in grades.items()
        for document, grade in judged.items()
    ]
    return ("\n".join(lines) + "\n").encode()


def collection_with(campaign: Any, topics: list[str]) -> Collection:
    """A collection with a topic file of these topics."""
    collection = CollectionFactory(campaign=campaign, has_topic_file=True)
    for position, topic in enumerate(topics):
        TopicFactory(collection=collection, identifier=topic, position=position)
    return collection


def publish(collection: Collection, text: bytes, task: Task | None = None) -> Qrels:
    """Upload and publish a version of the qrels."""
    received = stored(text, "qrels.txt")
    facts = qrels_facts(
        StoredText(received.key, received.text_sha256),
        is_graded=task is None,
        topics=topics_of(collection),
    )
    return publish_qrels(add_qrels(collection, received, facts, None, task=task), None)


def member_of(team: Team) -> Viewer:
    """A viewer who is in the team."""
    return Viewer.of(MembershipFactory(team=team).user)


def submit(task: Task, team: Team, text: bytes, viewer: Viewer | None = None, **more: Any) -> Run:
    """Submit a run as a member of the team."""
    details = more.pop("details", Details())
    return submit_run(viewer or member_of(team), task, team, stored(text), details, **more)


def submit_two(
    task: Task, team: Team, original: Original, baseline: bytes, advanced: bytes, **more: Any
) -> Pair:
    """Submit a pair as a member of the team."""
    return submit_pair(
        member_of(team),
        task,
        team,
        stored(baseline),
        stored(advanced),
        Details(),
        original=original,
        **more,
    )


def add_original(original: Original, role: str, text: bytes, user: User | None = None) -> Run:
    """An original run, checked like any other."""
    from campaigns.services.originals import add_original_run

    return add_original_run(original, role, stored(text), user)
