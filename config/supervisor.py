"""What ``make run`` starts: broker, web, worker and beat of one machine, and nothing besides.

Order: broker, what must be prepared, web, worker, beat; the last three are stopped together, the
broker after them. A process that ends is started again, later each time it ends soon. A signal to
this process or to its group stops all: the children have sessions of their own, so it reaches them
only from here.
"""

import http.client
import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from config import env, lock, preparation, processes
from config.address import embedded_broker, embedded_broker_file
from config.broker import Broker, remove_leftover
from config.child import Child, stop_together

POLL_SECONDS = 0.2
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
STEADY_SECONDS = 60.0  # a process that lived so long starts again without a pause
WEB_SECONDS = 60.0


class Stopped(Exception):
    """Asked to stop before everything ran."""


class Failed(Exception):
    """Cannot start; the message says why and what to do."""


@dataclass
class Restart:
    """When a process that ended may start again."""

    pause: float = 0.0
    due: float | None = None

    def plan(self, lived: float) -> float:
        """The pause before the next start, twice as long after each short life."""
        steady = lived >= STEADY_SECONDS or not self.pause
        self.pause = FIRST_PAUSE if steady else min(2 * self.pause, LONGEST_PAUSE)
        self.due = time.monotonic() + self.pause
        return self.pause

    def is_due(self) -> bool:
        return self.due is not None and time.monotonic() >= self.due


class Supervisor:
    """Prepares, starts, watches and stops."""

    def __init__(self) -> None:
        self.var_dir = processes.var_dir()
        self.host, self.port = processes.address()
        self.logs = self.var_dir / "log"
        self.is_stopping = False
        self.broker: Broker | None = None
        self.children: list[Child] = []
        self.changes: dict[str, str] = {}  # to the environment of the children
        self.restarts: dict[str, Restart] = {}
        self.address_file: Path = embedded_broker_file(self.var_dir)

    def run(self) -> int:
        """Everything from the first step to the last; returns the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        try:
            held = lock.hold(self.var_dir)
        except lock.InUse as reason:
            say(f"Not started: {reason}")
            return 1
        except OSError as reason:
            say(f"Not started: {reason.filename}: {reason.strerror}; set VAR_DIR to another folder")
            return 1
        code = 0
        try:
            self._check_port()
            self._start_broker(held)
            self._prepare()
            self._start()
            self._announce()
            self._watch()
        except Stopped:
            pass
        except (Failed, OSError) as reason:
            say(f"Not started: {reason}")
            code = 1
        finally:
            self._stop()
            os.close(held)
        return code

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.is_stopping = True

    def _pause(self) -> None:
        if self.is_stopping:
            raise Stopped
        time.sleep(POLL_SECONDS)

    def _check_port(self) -> None:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as fault:
                raise Failed(
                    f"{self.host}:{self.port}: {fault.strerror}; choose another PORT or HOST"
                ) from fault

    def _prepare(self) -> None:
        for step in preparation.steps():
            if step.is_done():
                continue
            say(f"{step.title} ...")
            child = Child(
                "prepare",
                step.command,
                environment=env.child(self.changes),
                log=self.logs / "prepare.log",
            )
            child.start()
            try:
                while child.is_alive():
                    self._pause()
            finally:
                stop_together([child])
            if child.code():
                raise Failed(f"{step.title} failed: {child.last_line()} (see {child.log})")
            step.mark_done()
        # On success it says nothing but the passwords of the demo accounts.
        (self.logs / "prepare.log").unlink(missing_ok=True)

    def _start_broker(self, held: int) -> None:
        if env.text("REDIS_URL"):
            return
        remove_leftover(embedded_broker(self.var_dir))
        self.broker = Broker(self.var_dir / "broker", self.logs / "broker.log", keep_open=[held])
        self.broker.start()
        self.address_file.write_text(f"{self.broker.url}\n", encoding="utf-8")
        self.changes["REDIS_URL"] = self.broker.url

    def _start(self) -> None:
        for name, command in processes.COMMANDS.items():
            child = Child(
                name, command(), environment=env.child(self.changes), log=self.logs / f"{name}.log"
            )
            if self.is_stopping:
                raise Stopped
            self.children.append(child)
            child.start()
            if name == "web":
                self._wait_for_web(child)

    def _wait_for_web(self, web: Child) -> None:
        end = time.monotonic() + WEB_SECONDS
        while not self._web_answers():
            if not web.is_alive() or time.monotonic() > end:
                raise Failed(f"the web does not answer: {web.last_line()} (see {web.log})")
            self._pause()

    def _web_answers(self) -> bool:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        connection = http.client.HTTPConnection(host, self.port, timeout=2)
        try:
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            # 400 means that ALLOWED_HOSTS leaves this machine's own name out: it answers.
            return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _announce(self) -> None:
        host = f"[{self.host}]" if ":" in self.host else self.host
        say(f"\nCentreboard runs at http://{host}:{self.port}")
        for email, password in preparation.demo_accounts(self.var_dir).items():
            say(f"  {email:<25} {password}")
        say(f"State is in {self.var_dir}; Ctrl-C stops it.")

    def _watch(self) -> None:
        while True:
            self._pause()
            if self.broker is not None and not self.broker.is_well():
                self._revive_broker(self.broker)
            for child in self.children:
                if not child.is_alive():
                    self._revive(child)

    def _revive_broker(self, broker: Broker) -> None:
        say("The broker ended; starting it again.")
        broker.child.sweep()
        try:
            broker.start()
        except OSError as reason:
            say(str(reason))
            self._pause()

    def _revive(self, child: Child) -> None:
        restart = self.restarts.setdefault(child.name, Restart())
        if restart.due is None:
            child.sweep()
            pause = restart.plan(time.monotonic() - child.started_at)
            say(f"{child.name} ended ({child.code()}); again in {pause:g} s. See {child.log}")
        elif restart.is_due():
            restart.due = None
            child.start()

    def _stop(self) -> None:
        if self.children:
            say("Stopping ...")
        stop_together(self.children)
        if self.broker is not None:
            self.address_file.unlink(missing_ok=True)
            self.broker.stop()


def say(line: str) -> None:
    """To the terminal at once, also through a pipe; a closed terminal is no fault."""
    try:
        print(line, flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123


def main() -> int:
    """Run until stopped; a setting that cannot be used is told in one line."""
    try:
        return Supervisor().run()
    except env.EnvironmentFault as fault:
        say(f"Not started: {fault}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
