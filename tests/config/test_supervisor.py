"""`make run` as a process: start order, restart, stop by signal to it and to its group."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config import env
from config.address import embedded_broker
from config.broker import remove_leftover
from config.supervisor import LONGEST_PAUSE, STEADY_SECONDS, Restart
from tests.config.processes import free_port, is_running, wait_until, with_variable

ROOT = Path(__file__).resolve().parents[2]


class Site:
    """A supervisor in a process group of its own, and what it started."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.mark = f"VAR_DIR={folder}"
        self.process = None
        self.output = folder.parent / f"{folder.name}.out"

    def start(self, demo=False):
        variables = {
            "DEMO": str(demo),
            "VAR_DIR": str(self.folder),
            "STATIC_ROOT": str(self.folder / "static"),
            "PORT": str(self.port),
            "STATIC_MANIFEST": "false",
            "WORKER_CONCURRENCY": "1",
        }
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.supervisor"],
                cwd=ROOT,
                env=env.child(variables),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_ready(self):
        ready = wait_until(
            lambda: "runs at" in self.output.read_text() or self.process.poll() is not None, 120
        )
        assert ready, self.output.read_text()
        assert self.process.poll() is None, self.output.read_text()

    def part(self, *words):
        """The main process of a part: a child of the supervisor with these words in its line."""
        for pid in children_of(self.process.pid):
            line = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            if set(words) <= set(line) or any(words[0] in word for word in line[:1]):
                return pid
        return None

    def parts(self):
        return {
            "broker": self.part("valkey-server"),
            "web": self.part("gunicorn"),
            "worker": self.part("celery", "worker"),
            "beat": self.part("celery", "beat"),
        }

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def readiness(self):
        return json.loads(self.get("/readyz")[1])

    def end(self):
        for pid in with_variable(self.mark):
            os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(60)
        remove_leftover(embedded_broker(self.folder))


def children_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path / "var")
    yield made
    made.end()


def begun_at(pid):
    """In clock ticks, so processes started one after the other may be equal."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def check_runs_in_order(site):
    parts = site.parts()
    assert None not in parts.values()
    begun = [begun_at(pid) for pid in parts.values()]
    assert begun == sorted(begun)
    assert all(os.getsid(pid) == pid for pid in parts.values())
    assert site.readiness() == {"ready": True, "database": "ok", "storage": "ok", "broker": "ok"}


def check_second_is_refused(site):
    second = Site(site.folder)
    second.output = site.output.with_suffix(".second")
    second.start()
    assert second.process.wait(60) == 1
    said = second.output.read_text()
    assert f"is in use by process {site.process.pid}: stop that one, or set VAR_DIR" in said
    assert site.readiness()["ready"] is True


def check_stops(site, send):
    send(site.process.pid, signal.SIGTERM)
    asked = time.monotonic()
    assert site.process.wait(60) == 0
    assert time.monotonic() - asked < 30
    assert with_variable(site.mark) == set()
    assert not (site.folder / "broker.address").exists()


@pytest.mark.timeout(600)
def test_two_starts_in_order_with_same_accounts_each_stopped_within_seconds(site):
    said = []
    for send in (os.killpg, os.kill):
        site.start(demo=True)
        site.wait_ready()
        said.append(re.findall(r"(\w+@example\.org) +(\S+)", site.output.read_text()))
        check_runs_in_order(site)
        if len(said) == 1:
            check_second_is_refused(site)
        check_stops(site, send)
    assert [email for email, _ in said[0]] == ["organizer@example.org", "participant@example.org"]
    assert said[0] == said[1]
    kept = site.folder / "demo-accounts.json"
    assert json.loads(kept.read_text()) == dict(said[0])
    assert kept.stat().st_mode & 0o777 == 0o600
    logs = [file.read_bytes() for file in (site.folder / "log").iterdir()]
    assert not any(password.encode() in log for _, password in said[0] for log in logs)


@pytest.mark.timeout(600)
def test_killed_parts_are_started_again_and_killed_supervisor_leaves_no_orphan(site):
    site.start()
    site.wait_ready()
    before = site.parts()
    assert wait_until(lambda: children_of(before["worker"]))
    pool = children_of(before["worker"])
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)

    def all_new():
        now = site.parts()
        return None not in now.values() and not set(now.values()) & set(before.values())

    assert wait_until(all_new), site.output.read_text()
    assert not any(is_running(pid) for pid in pool)
    assert wait_until(lambda: _answers(site))
    assert site.readiness()["broker"] == "ok"

    os.kill(site.process.pid, signal.SIGKILL)
    site.process.wait(60)
    assert wait_until(lambda: with_variable(site.mark) == set())


def _answers(site):
    try:
        return site.get("/healthz")[0] == 200
    except OSError:
        return False


def test_stop_during_preparation_ends_at_once(site):
    site.start()
    assert wait_until(lambda: "Database" in site.output.read_text())
    os.kill(site.process.pid, signal.SIGINT)
    assert site.process.wait(60) == 0
    assert with_variable(site.mark) == set()


def test_taken_port_is_named(site):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        site.start()
        assert site.process.wait(60) == 1
    assert f"127.0.0.1:{site.port}: Address already in use" in site.output.read_text()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"PORT": "abc"}, "PORT is 'abc': write a whole number"),
        ({"PORT": "0"}, "PORT is 0: the least value is 1"),
        ({"PORT": "70000"}, "PORT is 70000: the greatest value is 65535"),
        ({"VAR_DIR": "/proc/none"}, "/proc/none: No such file or directory; set VAR_DIR"),
        ({"VAR_DIR": __file__}, f"{__file__}: File exists; set VAR_DIR"),
    ],
)
def test_setting_that_cannot_be_used_is_told_in_one_line(tmp_path, changed, told):
    ended = subprocess.run(
        [sys.executable, "-m", "config.supervisor"],
        cwd=ROOT,
        env=env.child({"VAR_DIR": str(tmp_path / "var"), "DEMO": "false"} | changed),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith(f"Not started: {told}")
    assert ended.stdout.count("\n") == 1


def test_restart_waits_twice_as_long_after_each_short_life():
    restart = Restart()
    assert [restart.plan(lived=1) for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, LONGEST_PAUSE]
    assert restart.plan(lived=STEADY_SECONDS) == 0.5


def test_is_running_of_ended_process_is_false():
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    assert not is_running(process.pid)
