"""Everything is restarted while runs come in: none is lost, none doubled, all are scored."""

from __future__ import annotations

import json
import signal
import threading
from collections import Counter

import pytest

from campaigns.models import Board, BoardState, Evaluation, Run, RunEvent, RunState
from config.child import stop_together
from tests.campaigns.factories import MembershipFactory, token_for
from tests.campaigns.pipeline import run_text
from tests.worker.house import multipart

RUNS = 50


class Client(threading.Thread):
    """Hands in runs one after the other, each until it is taken, under a key of its own."""

    def __init__(self, house, path, token, numbers):
        super().__init__()
        self.house, self.path, self.token, self.numbers = house, path, token, numbers
        self.taken, self.faults = {}, []
        self.retries = 0
        self.is_over = threading.Event()

    def run(self):
        for number in self.numbers:
            text = run_text({"101": ["d1", "d2"], "102": ["d3"]}, f"run{number}")
            body, kind = multipart({}, {"file": text})
            headers = {
                "Authorization": f"Bearer {self.token}",
                "Content-Type": kind,
                "Idempotency-Key": f"key {number}",
            }
            status = 0
            while status != 202 and not self.is_over.wait(0.05):
                status, answer = self.house.request("POST", self.path, body, **headers)
                if status == 202:
                    self.taken[number] = json.loads(answer)["id"]
                elif status == 0 or status >= 500:
                    self.retries += 1
                else:
                    self.faults.append((status, answer))
                    return


@pytest.mark.timeout(600)
def test_runs_handed_in_while_everything_is_restarted_are_all_scored_once(
    house, task, team, broker
):
    """Without recovery the runs whose worker or message was lost get stuck."""
    token = token_for(MembershipFactory(team=team).user)
    path = f"/api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/runs/"
    house.start("web", "worker", "beat", WORKER_CONCURRENCY="2")
    house.wait_for_web()
    clients = [Client(house, path, token, range(first, RUNS, 2)) for first in (0, 1)]
    for client in clients:
        client.start()
    try:
        for count, how in ((10, "stop"), (25, "kill")):
            house.until(lambda count=count: Run.objects.count() >= count)
            if how == "stop":
                stop_together(house.children)
                broker.child.send(signal.SIGTERM)
            else:
                house.kill()
                broker.child.send(signal.SIGKILL)
            broker.child.wait(30)
            assert Run.objects.count() < RUNS
            broker.start()
            house.start("web", "worker", "beat", WORKER_CONCURRENCY="2")
        for client in clients:
            client.join(120)
    finally:
        for client in clients:
            client.is_over.set()
            client.join(40)
    assert [client.faults for client in clients] == [[], []], house.logs()
    assert sum(client.retries for client in clients) > 0
    taken = {number: run for client in clients for number, run in client.taken.items()}
    assert sorted(taken) == list(range(RUNS))
    assert {str(run) for run in Run.objects.values_list("pk", flat=True)} == set(taken.values())
    assert Run.objects.count() == RUNS

    house.until(lambda: Run.objects.filter(state=RunState.SCORED).count() == RUNS)
    assert Evaluation.objects.count() == RUNS
    told = Counter(RunEvent.objects.values_list("kind", flat=True))
    assert (told["received"], told["accepted"], told["scored"]) == (RUNS, RUNS, RUNS)

    def rows():
        board = Board.objects.get(task=task, state=BoardState.CURRENT)
        shown = board.rows.filter(version=board.version)
        return {(row.run_id, row.rank, row.cells["AP"]["value"]) for row in shown}

    house.until(lambda: rows() == {(pk, 1, 1.0) for pk in Run.objects.values_list("pk", flat=True)})
