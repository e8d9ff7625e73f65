"""The embedded broker: a real server, started, killed, orphaned."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from config import broker as broker_module
from config import lock
from config.broker import LONGEST_SOCKET_PATH, Broker
from tests.config.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def broker(tmp_path):
    made = Broker(tmp_path / "broker", tmp_path / "broker.log")
    yield made
    made.stop()


def client_of(broker):
    return redis.Redis(unix_socket_path=str(broker.socket))


def test_broker_listens_on_private_socket_alone(broker):
    broker.start()
    settings = client_of(broker).config_get("*")
    assert settings["port"] == "0"
    assert settings["appendonly"] == "yes"
    assert Path(settings["dir"]) == broker.data
    assert broker.folder.stat().st_mode & 0o777 == 0o700
    assert len(str(broker.socket).encode()) <= LONGEST_SOCKET_PATH


def test_broker_keeps_messages_over_kill(broker):
    broker.start()
    client_of(broker).rpush("queue", "a", "b")
    client_of(broker).execute_command("WAITAOF", 1, 0, 2000)
    os.kill(broker.child.pid, signal.SIGKILL)
    assert wait_until(lambda: not broker.is_well())
    broker.start()
    assert client_of(broker).lrange("queue", 0, -1) == [b"a", b"b"]


def test_broker_starts_empty_where_its_folders_are_gone(broker):
    broker.start()
    client_of(broker).set("key", "value")
    os.kill(broker.child.pid, signal.SIGKILL)
    broker.child.wait(5)
    for folder in (broker.folder, broker.data):
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    broker.start()
    assert client_of(broker).dbsize() == 0


def test_broker_with_unreadable_file_sets_it_aside(broker):
    broker.start()
    broker.child.sweep()
    manifest = broker.data / "appendonlydir" / "appendonly.aof.manifest"
    manifest.write_text("nonsense\n")
    broker.start()
    assert broker.answers()
    aside = list(broker.data.parent.glob("broker.damaged-*/appendonlydir/*.manifest"))
    assert [path.read_text() for path in aside] == ["nonsense\n"]


def test_broker_with_vanished_socket_is_not_well(broker):
    broker.start()
    assert broker.is_well()
    broker.socket.unlink()
    assert not broker.is_well()


def test_stop_leaves_no_process_and_no_folder(broker):
    broker.start()
    pid = broker.child.pid
    broker.stop()
    assert not is_running(pid)
    assert not broker.folder.exists()


def test_short_folder_with_long_temporary_folder_goes_elsewhere(monkeypatch):
    monkeypatch.setattr(broker_module.tempfile, "gettempdir", lambda: "/tmp/" + "x" * 100)
    folder = broker_module.short_folder()
    folder.rmdir()
    assert folder.parent == Path("/tmp")


HOLDER = """
import sys, time
from pathlib import Path
from config import lock
from config.broker import Broker
var = Path(sys.argv[1])
held = lock.hold(var)
broker = Broker(var / "broker", var / "broker.log", keep_open=[held])
broker.start()
print(broker.child.pid, broker.folder, flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    pid, folder = process.stdout.readline().split()
    yield process, int(pid), tmp_path
    process.kill()
    process.wait()
    process.stdout.close()
    Path(folder, "broker.sock").unlink(missing_ok=True)
    Path(folder).rmdir()


def test_broker_dies_with_killed_parent(holder):
    process, pid, _ = holder
    assert is_running(pid)
    process.kill()
    process.wait()
    assert wait_until(lambda: not is_running(pid), 5)


def test_second_installation_in_same_folder_is_refused(holder):
    process, _, var = holder
    with pytest.raises(lock.InUse, match=f"in use by process {process.pid}: stop that one"):
        lock.hold(var, seconds=0.2)


def test_lock_outlives_killed_supervisor_while_its_broker_lives(tmp_path):
    """The descriptor that the broker inherits is what keeps a second broker away."""
    held = lock.hold(tmp_path)
    first = Broker(tmp_path / "broker", tmp_path / "broker.log", keep_open=[held])
    try:
        first.start()
        os.close(held)
        with pytest.raises(lock.InUse):
            lock.hold(tmp_path, seconds=0.2)
        first.stop()
        os.close(lock.hold(tmp_path, seconds=2))
    finally:
        first.stop()
