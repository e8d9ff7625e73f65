"""Celery tasks: claim (service), compute (numerics), record (service). Messages carry only ids."""

from __future__ import annotations

import time

from celery import shared_task
from django.db import transaction

from campaigns.models import Board, Job, JobKind, Pair, Qrels, Run, Upload
from campaigns.numerics import check as check_numerics
from campaigns.numerics import compare as compare_numerics
from campaigns.numerics import rank as rank_numerics
from campaigns.numerics import score as score_numerics
from campaigns.numerics import uploads as upload_numerics
from campaigns.numerics.files import UnreadableError
from campaigns.services import checks, comparisons, jobs, pace, ranks, scores
from campaigns.services.boards import wake_boards
from campaigns.services.events import note
from campaigns.services.organizing import uploads
from campaigns.services.sweeping import sweep_all
from campaigns.worker import RefusedError, work

# A board is ranked at most once a second.
SECONDS_BETWEEN_RANKINGS = 1.0


def _run(job: Job) -> Run:
    return Run.objects.select_related(
        "task__campaign",
        "task__collection",
        "task__original_collection",
        "task__initial_run",
        "file",
        "original",
    ).get(pk=job.run_id)


def _after_failure(job: Job) -> None:
    """Say it in the run's history, and let boards show why instead of waiting."""
    with transaction.atomic():
        if job.run is not None and job.kind in (JobKind.CHECK, JobKind.SCORE):
            note(job.run, f"{job.kind}_failed", reason=Job.objects.get(pk=job.pk).reason)
        if job.run is not None:
            wake_boards(job.run.task)
        if job.pair is not None:
            wake_boards(job.pair.task)


@shared_task(name="campaigns.check")
def check(job_id: str) -> None:
    """Check a run that has just arrived."""

    def do(held: jobs.Claim) -> None:
        run = _run(held.job)
        try:
            result = check_numerics.check(checks.check_input(run))
        except UnreadableError as error:
            raise RefusedError(str(error)) from error
        checks.record_check(held, run, result)

    work(job_id, do, _after_failure)


@shared_task(name="campaigns.check_upload")
def check_upload(job_id: str) -> None:
    """Check a file of the organizers and put it to its use."""

    def do(held: jobs.Claim) -> None:
        upload = Upload.objects.select_related("campaign", "collection", "task", "file").get(
            pk=held.job.upload_id
        )
        try:
            facts = upload_numerics.facts_of(uploads.upload_input(upload))
        except UnreadableError as error:
            raise RefusedError(str(error)) from error
        uploads.record_upload(held, upload, facts)

    work(job_id, do, _after_failure)


@shared_task(name="campaigns.score")
def score(job_id: str) -> None:
    """Score a run under one version of the qrels."""

    def do(held: jobs.Claim) -> None:
        run = _run(held.job)
        qrels = Qrels.objects.select_related("file").get(pk=held.job.qrels_id)
        try:
            results = score_numerics.score(scores.score_input(run, qrels))
        except UnreadableError as error:
            raise RefusedError(str(error)) from error
        scores.record_scores(held, run, qrels, results)

    work(job_id, do, _after_failure)


@shared_task(name="campaigns.compare")
def compare(job_id: str) -> None:
    """Compare a pair with its original, as far as both are scored."""

    def do(held: jobs.Claim) -> None:
        pair = Pair.objects.select_related(
            "task__campaign",
            "task__collection",
            "task__original_collection",
            "original",
            "baseline__task__collection",
            "baseline__file",
            "advanced__task__collection",
            "advanced__file",
        ).get(pk=held.job.pair_id)
        runs, pairs = comparisons.comparison_inputs(pair)
        try:
            compared = [
                (
                    one,
                    [
                        *(compare_numerics.rankings(one.rankings) if one.rankings else []),
                        *map(compare_numerics.deviation, one.deviations),
                    ],
                )
                for one in runs
            ]
        except UnreadableError as error:
            raise RefusedError(str(error)) from error
        effects = [(one, list(map(compare_numerics.effect, one.effects))) for one in pairs]
        comparisons.record_comparisons(held, pair, compared, effects)

    work(job_id, do, _after_failure)


@shared_task(name="campaigns.rank")
def rank(job_id: str) -> None:
    """Rank a board that has changed."""

    def do(held: jobs.Claim) -> None:
        board = Board.objects.select_related("task", "qrels", "original_qrels").get(
            pk=held.job.board_id
        )
        seconds = pace.seconds_to_wait(board, SECONDS_BETWEEN_RANKINGS)
        if seconds and pace.leave_to_later(held, board, seconds):
            return
        time.sleep(seconds)
        gathered = ranks.gather(board)
        ranks.record_ranks(held, board, gathered, rank_numerics.rank(gathered.work))

    work(job_id, do, _after_failure)


@shared_task(name="campaigns.recover")
def recover() -> int:
    """Ring again for what nobody heard."""
    return jobs.recover()


@shared_task(name="campaigns.sweep")
def sweep() -> None:
    """Clear expired answers and files that belong to nothing."""
    sweep_all()
