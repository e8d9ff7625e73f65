"""All stored numbers of a board, and why one is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.models import (
    Board,
    BoardColumn,
    Comparison,
    Effect,
    Evaluation,
    Job,
    JobKind,
    JobState,
    Origin,
    Pair,
    Run,
    RunRole,
    RunState,
)
from campaigns.work import CellValue

NOT_YET = "not scored yet"
FAILED = "scoring failed"
NO_ORIGINAL = "the original run is missing"
BAD_ORIGINAL = "the original run has no scores"
ORIGINAL_NOT_YET = "the original run is not scored yet"
NOT_COMPARED = "not compared yet"
INCOMPLETE = {"advanced": "the advanced run is missing", "baseline": "the baseline run is missing"}


class Numbers:
    """All stored numbers of a board in three queries, and what is still to come."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.is_complete = True
        evaluations = Evaluation.objects.filter(run__task=board.task, qrels=board.qrels)
        self.evaluations = {
            (row.run_id, row.recipe_id): row for row in evaluations.defer("topic_values", "detail")
        }
        original_qrels = board.original_qrels or board.qrels
        comparisons = Comparison.objects.filter(
            run__task=board.task, qrels=board.qrels, original_qrels=original_qrels
        )
        self.comparisons = {
            (row.run_id, row.recipe_id): row for row in comparisons.defer("topic_values")
        }
        effects = Effect.objects.filter(
            pair__task=board.task, qrels=board.qrels, original_qrels=original_qrels
        )
        self.effects = {(row.pair_id, row.recipe_id): row for row in effects}
        self.failed = self._failed(JobKind.SCORE, "run_id", qrels=board.qrels)
        self.uncompared = self._failed(JobKind.COMPARE, "pair_id", pair__task=board.task)
        self._scored = {run for run, _ in self.evaluations}
        self._without_ranking: set[str] = set()
        self._originals = self._original_states()

    def _original_states(self) -> dict[str, str]:
        """Why the original run of a role has no scores; empty for one that has."""
        if self.board.original_id is None:
            return {}
        under = self.board.original_qrels or self.board.qrels
        states = {role.value: NO_ORIGINAL for role in RunRole}
        runs = Run.objects.filter(
            original=self.board.original_id, origin=Origin.ORIGINAL, deleted_at__isnull=True
        )
        failed = self._failed(JobKind.SCORE, "run_id", qrels=under)
        for run in runs:
            if run.is_scores_only:
                self._without_ranking.add(run.role)
            if Evaluation.objects.filter(run=run, qrels=under).exists():
                states[run.role] = ""
            elif run.state == RunState.REJECTED or run.pk in failed:
                states[run.role] = BAD_ORIGINAL
            else:
                states[run.role] = ORIGINAL_NOT_YET
        return states

    def why_no_original(self, role: str) -> str:
        """Why there is nothing to compare with; what is still to come keeps it incomplete."""
        reason = self._originals.get(role, "")
        if reason == ORIGINAL_NOT_YET:
            self.is_complete = False
        return reason

    @staticmethod
    def _failed(kind: JobKind, column: str, **conditions: Any) -> set[Any]:
        """Subjects whose newest job of a kind ended badly."""
        newest: dict[Any, str] = {}
        rows = Job.objects.filter(kind=kind, **conditions).order_by("created_at")
        for subject, state in rows.values_list(column, "state"):
            newest[subject] = state
        bad = (JobState.FAILED, JobState.CANCELLED)
        return {subject for subject, state in newest.items() if state in bad}

    def is_scored(self, run: Run) -> bool:
        """Whether the run has its scores under the qrels of this board."""
        return run.pk in self._scored

    def why_not(self, run: Run) -> str:
        """Why a run has no score; what is still to come keeps the board incomplete."""
        if run.pk in self.failed:
            return FAILED
        self.is_complete = False
        return NOT_YET

    def evaluation(self, run: Run, column: BoardColumn) -> CellValue:
        """The score of a run."""
        row = self.evaluations.get((run.pk, column.recipe_id or 0))
        if row is None:
            return CellValue(None, self.why_not(run))
        return CellValue(row.mean, row.reason, row.interval_low, row.interval_high)

    def comparison(
        self, run: Run, column: BoardColumn, field: str, pairs: Iterable[Any]
    ) -> CellValue:
        """A field of the comparison of a run with its original; ``pairs``: where it takes part."""
        row = self.comparisons.get((run.pk, column.recipe_id or 0))
        if row is not None:
            value = row.value if field == "value" else row.detail.get(field)
            reasons = row.detail.get("reasons") or {}
            reason = "" if value is not None else reasons.get(field) or row.reason or "undefined"
            return CellValue(value, reason)
        if not self.is_scored(run):
            return CellValue(None, self.why_not(run))
        original = self.why_no_original(run.role)
        if original:
            return CellValue(None, original)
        if field == "value":
            missing = self._no_ranking(run)
            if missing:
                return CellValue(None, missing)
        if not any(pair in self.uncompared for pair in pairs):
            self.is_complete = False
        return CellValue(None, NOT_COMPARED)

    def _no_ranking(self, run: Run) -> str:
        """Why two runs have no rankings to compare: one of them is given by its scores alone."""
        if run.is_scores_only:
            return "given by its scores alone: there is no ranking to compare"
        if run.role in self._without_ranking:
            return "the original is given by its scores alone: there is no ranking to compare"
        return ""

    def effect(self, pair: Pair, column: BoardColumn, field: str) -> CellValue:
        """A field of a pair's effect."""
        row = self.effects.get((pair.pk, column.recipe_id or 0))
        if row is not None:
            value = getattr(row, field)
            reason = "" if value is not None else row.reasons.get(field) or "undefined"
            return CellValue(value, reason)
        return CellValue(None, self.why_no_effect(pair))

    def why_no_effect(self, pair: Pair) -> str:
        """Why a pair has no effect; what is still to come keeps the board incomplete."""
        for role, text in INCOMPLETE.items():
            run: Run | None = getattr(pair, role)
            if run is None:
                return text
            if not self.is_scored(run):
                return self.why_not(run)
            original = self.why_no_original(role)
            if original:
                return original
        if pair.pk not in self.uncompared:
            self.is_complete = False
        return NOT_COMPARED
