"""The client against a site that answers from memory: what is sent, retried and understood."""

import json
from collections import deque

import httpx
import pytest

from centreboard import Client, Problem, cli
from centreboard import client as client_module


class Site(httpx.MockTransport):
    """Answers in the given order, and keeps the requests."""

    def __init__(self, *answers):
        self.answers = deque(answers)
        self.requests = []
        super().__init__(self.answer)

    def answer(self, request):
        request.read()
        self.requests.append(request)
        found = self.answers.popleft()
        if isinstance(found, Exception):
            raise found
        status, body = found
        return httpx.Response(status, json=body)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(client_module.time, "sleep", lambda seconds: None)


@pytest.fixture
def run_file(tmp_path):
    file = tmp_path / "my.run"
    file.write_text("301 Q0 d1 1 2.5 tag\n")
    return file


def test_submit_run_sends_file_fields_token_and_key(run_file):
    site = Site((202, {"id": "r1", "state": "receiving"}))
    with Client("http://cb.example/", "secret", transport=site) as client:
        sent = client.submit_run(
            "c", "t", run_file, team="a", metadata={"language": "eng"}, system=None
        )
    assert sent == {"id": "r1", "state": "receiving"}
    request = site.requests[0]
    assert str(request.url) == "http://cb.example/api/v1/campaigns/c/tasks/t/runs/"
    assert request.headers["Authorization"] == "Bearer secret"
    assert len(request.headers["Idempotency-Key"]) == 36
    body = request.content.decode()
    assert 'name="file"; filename="my.run"' in body
    assert "301 Q0 d1 1 2.5 tag\n" in body
    assert '{"language": "eng"}' in body
    assert "system" not in body


def test_submit_run_over_broken_connection_repeats_file_under_same_key(run_file):
    site = Site(httpx.ReadError("gone"), (503, {}), (202, {"id": "r1"}))
    with Client("http://cb.example", "secret", transport=site) as client:
        assert client.submit_run("c", "t", run_file, team="a") == {"id": "r1"}
    assert len({request.headers["Idempotency-Key"] for request in site.requests}) == 1
    assert [b"301 Q0 d1" in request.content for request in site.requests] == [True] * 3


def test_submit_run_without_any_answer_raises_after_three_tries(run_file):
    site = Site(*[httpx.ConnectError("refused")] * 3)
    with (
        Client("http://cb.example", transport=site) as client,
        pytest.raises(httpx.ConnectError),
    ):
        client.submit_run("c", "t", run_file, team="a")
    assert len(site.requests) == 3


def test_submit_run_refused_is_a_problem_with_all_faults_and_not_repeated(run_file):
    body = {"title": "Not accepted", "detail": "No such team.", "errors": [{"field": "team"}]}
    site = Site((422, body))
    with Client("http://cb.example", transport=site) as client, pytest.raises(Problem) as raised:
        client.submit_run("c", "t", run_file, team="a")
    assert raised.value.status == 422
    assert raised.value.faults == [{"field": "team"}]
    assert str(raised.value) == "422 Not accepted: No such team."
    assert len(site.requests) == 1


def test_submit_pair_sends_both_files(run_file, tmp_path):
    advanced = tmp_path / "advanced.run"
    advanced.write_text("301 Q0 d2 1 3.5 tag\n")
    site = Site((202, {"id": "p1"}))
    with Client("http://cb.example", "secret", transport=site) as client:
        client.submit_pair("c", "t", run_file, advanced, team="a", original="wcrobust")
    body = site.requests[0].content.decode()
    assert 'name="baseline"; filename="my.run"' in body
    assert 'name="advanced"; filename="advanced.run"' in body
    assert "wcrobust" in body


def test_wait_asks_until_the_run_has_ended():
    states = ["checking", "accepted", "scoring", "scored"]
    site = Site(*[(200, {"id": "r1", "state": state}) for state in states])
    with Client("http://cb.example", transport=site) as client:
        assert client.wait("r1", 100)["state"] == "scored"
    assert [request.url.params["wait"] for request in site.requests] == ["30"] * 4


def test_wait_returns_accepted_run_when_time_is_over():
    site = Site((200, {"id": "r1", "state": "accepted"}))
    with Client("http://cb.example", transport=site) as client:
        assert client.wait("r1", 0)["state"] == "accepted"
    assert "wait" not in site.requests[0].url.params


def test_campaigns_follow_all_pages():
    site = Site(
        (200, {"results": [{"slug": "a"}], "next": "http://cb.example/api/v1/campaigns/?page=2"}),
        (200, {"results": [{"slug": "b"}], "next": None}),
    )
    with Client("http://cb.example", transport=site) as client:
        assert [campaign["slug"] for campaign in client.campaigns()] == ["a", "b"]


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b""])
def test_problem_of_answer_without_json_keeps_the_status(body):
    problem = Problem.of(httpx.Response(502, content=body))
    assert (problem.status, problem.title, problem.faults) == (502, "Bad Gateway", [])


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs the command against a site; returns exit code, output and error output."""

    def call(site, *arguments):
        monkeypatch.setattr(
            cli, "Client", lambda address, token: Client(address, token, transport=site)
        )
        monkeypatch.setattr("sys.argv", ["centreboard", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return ended.value.code, captured.out, captured.err

    return call


def test_command_submit_prints_scores(command, run_file):
    scored = {"id": "r1", "state": "scored", "scores": {"AP": {"mean": 0.25}, "RR": {"mean": None}}}
    site = Site((202, {"id": "r1"}), (200, scored))
    code, out, _ = command(site, "submit", "c", "t", run_file, "--team", "a", "--token", "x")
    assert code == 0
    assert out.splitlines() == ["r1 is scored", "AP\t0.2500", "RR\t–"]


def test_command_submit_of_rejected_run_prints_faults_and_fails(command, run_file):
    fault = {
        "level": "error",
        "kind": "bad_score",
        "line": 3,
        "text": "The score is 'x'.",
        "remedy": "Write a number.",
    }
    site = Site((202, {"id": "r1"}), (200, {"id": "r1", "state": "rejected", "messages": [fault]}))
    code, out, _ = command(site, "submit", "c", "t", run_file, "--team", "a", "--token", "x")
    assert code == 1
    assert "error bad_score, line 3: The score is 'x'. Write a number." in out


def test_command_refused_says_why_without_stack_trace(command, run_file):
    site = Site((403, {"title": "Closed", "detail": "The task closed yesterday."}))
    code, _, err = command(site, "submit", "c", "t", run_file, "--team", "a", "--token", "x")
    assert (code, err) == (1, "403 Closed: The task closed yesterday.\n")


def test_command_leaderboard_shows_rows_and_dashes(command):
    rows = [
        {"rank": 1, "team": "A", "run_tag": "tag1", "values": {"AP": 0.5}},
        {"rank": None, "team": "B", "run_tag": "tag2", "values": {"AP": None}},
    ]
    site = Site((200, {"columns": [], "rows": rows}))
    code, out, _ = command(site, "leaderboard", "c", "t")
    assert code == 0
    assert [line.split("│")[1:5] for line in out.splitlines() if "tag" in line] == [
        [" 1    ", " A    ", " tag1 ", " 0.5000 "],
        [" –    ", " B    ", " tag2 ", " –      "],
    ]


def test_command_with_json_prints_the_answer(command):
    site = Site((200, {"id": "r1", "state": "accepted"}))
    code, out, _ = command(site, "run", "r1", "--json")
    assert code == 0
    assert json.loads(out) == {"id": "r1", "state": "accepted"}


def test_command_sends_the_fields_of_the_task(command, run_file):
    site = Site((202, {"id": "r1"}), (200, {"id": "r1", "state": "scored", "scores": []}))
    given = '{"query_text": "title", "is_neural": true}'
    code, _, _ = command(
        site, "submit", "c", "t", run_file, "--team", "a", "--token", "x", "--metadata", given
    )
    assert code == 0
    assert given in site.requests[0].content.decode()


@pytest.mark.parametrize("given", ["{", "3", '["title"]'])
def test_command_refuses_fields_that_are_no_object(command, run_file, given):
    site = Site()
    code, _, err = command(
        site, "submit", "c", "t", run_file, "--team", "a", "--token", "x", "--metadata", given
    )
    assert code == 2
    assert "--metadata" in err
    assert site.requests == []
