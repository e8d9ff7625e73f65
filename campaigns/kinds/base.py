"""What the five kinds of task have in common, and how they are told apart."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.models import Averaging, OrderBy, Task, TaskKind


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of task: what it needs, checks, computes and how it ranks.

    ``is_pair``: a submission is a baseline and an advanced run set against an original pair.
    ``compares_rankings``: tau, RBO and RMSE make sense, since documents and topics are shared.
    """

    name: TaskKind
    label: str
    explanation: str
    is_pair: bool = False
    compares_rankings: bool = False
    needs_original_collection: bool = False
    needs_initial_run: bool = False
    needs_pool: bool = False
    is_graded: bool = True
    averaging: Averaging = Averaging.JUDGED
    order_by: OrderBy | None = None
    orders: tuple[OrderBy, ...] = ()
    default_measures: tuple[str, ...] = ("nDCG@10", "AP", "P@10")

    def subjects(self) -> tuple[str, ...]:
        """Boards of a task: of runs, and for pair tasks of pairs first."""
        return ("pairs", "runs") if self.is_pair else ("runs",)


def order_of(task: Task, kind: Kind) -> OrderBy | None:
    """What decides the order of pairs: the task's choice, else the kind's default."""
    return OrderBy(task.order_by) if task.order_by else kind.order_by
