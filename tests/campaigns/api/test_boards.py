"""Boards: ranks, values, reasons, sorting, exports, caching."""

import csv
import io

import pytest
from django.utils import timezone

from campaigns.models import BoardState
from tests.campaigns import factories
from tests.campaigns.api.conftest import task_url

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(task):
    """Two columns; the second row has no AP, the third is unranked."""
    made = factories.BoardFactory(task=task)
    ndcg = factories.BoardColumnFactory(board=made)
    ap = factories.BoardColumnFactory(board=made, key="AP", is_primary=False)
    values = [("=cmd()", 0.5, 0.2, 1), ("b_50% & $x$", 0.4, None, 2), ("c", None, 0.3, None)]
    ap_ranks = {0.3: 1, 0.2: 2, None: None}
    for place, (tag, first, second, rank) in enumerate(values):
        run = factories.RunFactory(task=task, tag=tag)
        cells = {"nDCG@10": {"value": first, "rank": rank, "low": 0.1, "high": 0.9}}
        if second is not None:
            cells["AP"] = {"value": second, "rank": ap_ranks[second]}
        if first is None:
            cells["nDCG@10"] = {"value": None, "rank": None, "reason": "no judged topic"}
        row = factories.BoardRowFactory(
            board=made,
            run=run,
            position=place,
            rank=rank,
            cells=cells,
            reason="" if rank else "why",
        )
        for column, value, own in ((ndcg, first, rank), (ap, second, ap_ranks[second])):
            factories.BoardCellFactory(row=row, column=column, value=value, rank=own)
    return made


def test_board_ranks_values_and_reasons(client_of, task, board):
    body = client_of().get(task_url(task, "leaderboard/")).json()
    assert [column["key"] for column in body["columns"]] == ["nDCG@10", "AP"]
    assert [row["rank"] for row in body["rows"]] == [1, 2, None]
    assert body["rows"][0]["values"] == {"nDCG@10": 0.5, "AP": 0.2}
    assert body["rows"][0]["intervals"] == {"nDCG@10": [0.1, 0.9]}
    assert body["rows"][2]["reasons"] == {"nDCG@10": "no judged topic"}
    assert body["rows"][1]["reasons"] == {"AP": "not computed"}
    assert body["board"]["qrels"]["version"] == board.qrels.number
    assert body["columns"][0]["passport"]["measure"] == "nDCG@10"
    assert body["count"] == 3


@pytest.mark.parametrize(
    ("sort", "order"),
    [("AP", [2, 0, 1]), ("-AP", [0, 2, 1]), ("nDCG@10", [0, 1, 2]), ("-nDCG@10", [1, 0, 2])],
)
def test_board_sorted_by_a_column_keeps_undefined_last(client_of, task, board, sort, order):
    tags = ["=cmd()", "b_50% & $x$", "c"]
    body = client_of().get(task_url(task, f"leaderboard/?sort={sort}")).json()
    assert [row["run_tag"] for row in body["rows"]] == [tags[place] for place in order]


@pytest.mark.parametrize(
    "query",
    ["sort=XY", "qrels=x", "qrels=-1", "subject=x", "format=xml", "columns=a", "original=%00"],
)
def test_board_asked_for_nonsense(client_of, task, board, query):
    answer = client_of().get(task_url(task, f"leaderboard/?{query}"))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]


def test_board_of_an_older_version_stays_readable(client_of, task, board):
    board.state, board.switched_at = BoardState.PAST, timezone.now()
    board.save()
    assert client_of().get(task_url(task, "leaderboard/")).json()["rows"] == []
    old = client_of().get(task_url(task, f"leaderboard/?qrels={board.qrels.number}")).json()
    assert len(old["rows"]) == 3
    assert old["board"]["is_current"] is False


def test_board_as_csv_is_safe_for_spreadsheets(client_of, task, board):
    answer = client_of().get(task_url(task, "leaderboard/?format=csv"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))
    assert [row["run_tag"] for row in rows] == ["'=cmd()", "b_50% & $x$", "c"]
    assert (rows[0]["nDCG@10"], rows[1]["AP"], rows[2]["reason"]) == ("0.5", "", "why")
    assert answer["ETag"]


def test_board_as_latex_escapes_everything(client_of, task, board):
    text = client_of().get(task_url(task, "leaderboard/?format=tex&columns=AP")).content.decode()
    assert r"b\_50\% \& \$x\$" in text
    assert r"& -- \\" in text
    assert r"\begin{tabular}{rllr}" in text


def test_board_without_scores_is_empty(client_of, task):
    body = client_of().get(task_url(task, "leaderboard/")).json()
    assert (body["board"], body["rows"], body["columns"]) == (None, [], [])


def test_etag_is_of_the_bytes_and_answers_304(client_of, task, board):
    url = task_url(task, "leaderboard/")
    first = client_of().get(url)
    again = client_of().get(url, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    board.rows.filter(rank=1).update(reason="changed")
    assert client_of().get(url, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 200


def test_caches_are_told_what_they_may_keep(client_of, task, board, member, team):
    run = factories.RunFactory(task=task, team=team)
    url = task_url(task, "leaderboard/")
    assert client_of().get(url)["Cache-Control"] == "no-cache"
    assert client_of(member).get(url)["Cache-Control"] == "private, no-cache"
    own = client_of(member).get(f"/api/v1/runs/{run.pk}/")
    assert own["Cache-Control"] == "private, no-store"
    assert "Authorization" in own["Vary"]
