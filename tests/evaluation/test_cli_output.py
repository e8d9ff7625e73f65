"""The four commands: tables, exit status, faults on stderr, never a traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from evaluation import cli
from tests.evaluation.command import answer, text


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["score", "--qrels", "qrels", "--run", "run"], ["nDCG@10", "3 topics (judged)"]),
        (["score", "--qrels", "qrels", "--run", "run", "--per-topic"], ["topic", "0.5000"]),
        (
            ["compare", "--original", "run", "--submitted", "other", "--qrels", "qrels"],
            ["KTU tied below", "RBO", "RMSE"],
        ),
        (["compare", "--original", "run", "--submitted", "other", "--per-topic"], ["Topics"]),
        (
            [
                "effects",
                "--qrels",
                "qrels",
                "--original",
                "run",
                "other",
                "--submitted",
                "run",
                "run",
            ],
            ["ER", "ΔRI", "same collection", "cannot be told from 0"],
        ),
    ],
)
def test_tables_show_the_values(capsys, arguments, parts):
    out, err = text(capsys, *arguments)
    assert err == ""
    assert all(part in out for part in parts)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "--qrels", "qrels", "--run", "bad"],
        ["score", "--qrels", "run", "--run", "run"],
        ["score", "--qrels", "qrels", "--run", "qrels"],
        ["compare", "--original", "bad", "--submitted", "run"],
        ["effects", "--qrels", "qrels", "--original", "run", "run", "--submitted", "run", "bad"],
    ],
)
def test_rejected_file_ends_with_status_one(capsys, arguments):
    found = answer(capsys, *arguments, status=1)
    assert (found["outcome"], found["messages"][0]["level"]) == ("rejected", "error")
    out, err = text(capsys, *arguments, status=1)
    assert out == ""
    assert f"{found['file']}: error:" in err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "COMMAND"),
        (["rank"], "invalid choice"),
        (["score", "--run", "run"], "--qrels"),
        (["score", "--qrels", "qrels", "--run", "run", "--measure", "F1"], "Accepted: nDCG"),
        (["score", "--qrels", "qrels", "--run", "run", "--topics-averaged", "all"], "judged"),
        (["check", "--run", "run", "--rule", "nonsense=error"], "not a kind of message"),
        (["check", "--run", "run", "--depth", "0"], "at least 1"),
        (["compare", "--original", "run", "--submitted", "run", "--rbo-p", "1"], "0 and 1"),
        (["effects", "--qrels", "qrels", "--original", "run"], "expected 2 arguments"),
    ],
)
def test_wrong_usage_ends_with_status_two(capsys, arguments, part):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert part in capsys.readouterr().err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["check", "--run", "nowhere"], "nowhere: No such file"),
        (["check", "--run", "."], ".: Is a directory"),
        (["check", "--run", "run", "--pool", "nowhere"], "nowhere: No such file"),
        (["check", "--run", "run", "--tag-pattern", "["], "not a regular expression"),
    ],
)
def test_unreadable_file_or_setting_ends_with_status_two(capsys, arguments, part):
    out, err = text(capsys, *arguments, status=2)
    assert out == ""
    assert part in err


@pytest.mark.usefixtures("files")
def test_module_runs_as_a_program_and_bears_a_closed_pipe():
    command = f"{sys.executable} -m evaluation score --qrels qrels --run run --per-topic"
    environment = {"PYTHONPATH": str(Path(cli.__file__).parent.parent), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | true; {command}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "nDCG@10" in done.stdout


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("error", "status", "part"),
    [(KeyboardInterrupt, 130, "Interrupted."), (MemoryError, 2, "not enough memory")],
)
def test_end_from_outside_is_said_in_a_line(capsys, monkeypatch, error, status, part):
    def ended(*_):
        raise error

    monkeypatch.setattr(cli, "_answer", ended)
    out, err = text(capsys, "check", "--run", "run", status=status)
    assert (out, err.count("\n")) == ("", 1)
    assert part in err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("depth", ["9223372036854775808", "9" * 5000])
def test_depth_that_no_array_holds_is_refused(capsys, depth):
    with pytest.raises(SystemExit) as ended:
        cli.main(["compare", "--original", "run", "--submitted", "run", "--depth", depth])
    assert ended.value.code == 2
    assert "at most 9 digits" in capsys.readouterr().err
