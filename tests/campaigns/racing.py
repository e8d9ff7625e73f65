"""Several processes at once, each with a connection of its own: what races are tried out with.

Forked, so that a protection which a test has taken away is gone in them too.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, connections, models

FORK = multiprocessing.get_context("fork")
# How long one waits for the other where a lock keeps it away; then it goes on alone.
PATIENCE = 0.7
# How long where the other surely comes, however busy the machine is.
SURE = 60.0
LONGEST = 150.0


@dataclass(frozen=True)
class Outcome:
    """What an act gave back, or the name of its error and what that says."""

    value: Any = None
    error: str = ""
    text: str = ""


class Meeting:
    """Where processes wait for each other, so that each has read before any has written."""

    def __init__(self, parties: int = 2, *, is_sure: bool = False) -> None:
        self._barrier = FORK.Barrier(parties)
        self._patience = SURE if is_sure else PATIENCE

    def wait(self, seconds: float | None = None) -> bool:
        """Whether the others came; once somebody waited in vain, nobody waits again."""
        try:
            self._barrier.wait(self._patience if seconds is None else seconds)
        except threading.BrokenBarrierError:
            return False
        return True

    def after(self, act: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, which then waits for the others."""

        def met(*args: Any, **more: Any) -> Any:
            value = act(*args, **more)
            self.wait()
            return value

        return met

    def before(self, act: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, which waits for the others first."""

        def met(*args: Any, **more: Any) -> Any:
            self.wait()
            return act(*args, **more)

        return met


def _forget_connections() -> list[Any]:
    """Have this process open its own; those of its parent are kept from being closed here.

    An event loop in the parent (a browser test leaves one) hides connections from its own
    ``close_all``, since Django keeps them by thread or by context; a child has no loop.
    """
    inherited = connections.all(initialized_only=True)
    for one in inherited:
        del connections[one.alias]
    return inherited


def _child(act: Callable[[], Any], pipe: Any, start: Meeting) -> None:
    _inherited = _forget_connections()
    start.wait()
    try:
        outcome = Outcome(act())
    except Exception as error:  # noqa: BLE001  (the test looks at it)
        traceback.print_exc()
        outcome = Outcome(None, type(error).__name__, str(getattr(error, "kind", error)))
    pipe.send(outcome)
    connections.close_all()
    os._exit(0)  # nothing of pytest's may run here


def together(*acts: Callable[[], Any]) -> list[Outcome]:
    """Run each in a process of its own at the same time; their outcomes in order."""
    connections.close_all()  # a connection must not be shared over a fork
    running = []
    start = Meeting(len(acts), is_sure=True)
    for act in acts:
        here, there = FORK.Pipe(duplex=False)
        process = FORK.Process(target=_child, args=(act, there, start))
        process.start()
        there.close()
        running.append((process, here))
    outcomes = []
    for process, here in running:
        try:
            if not here.poll(LONGEST):
                pytest.fail("A process did not end")
            outcomes.append(here.recv())
        finally:
            process.kill()
            process.join()
    return outcomes


def defer_transactions(patch: pytest.MonkeyPatch) -> None:
    """Take from SQLite what stands in for row locks: transactions that write from the start."""
    if connection.vendor == "sqlite":
        options = connection.settings_dict["OPTIONS"]
        patch.setitem(options, "transaction_mode", "DEFERRED")
        connections.close_all()


@contextmanager
def without_constraint(
    model: type[models.Model], name: str, *dependent: type[models.Model]
) -> Iterator[None]:
    """The table without one of its conditional unique constraints; emptied before it returns."""
    constraint = next(one for one in model._meta.constraints if one.name == name)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
    try:
        yield
    finally:
        for emptied in (*dependent, model):
            emptied.objects.all().delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(model, constraint)
