"""The ``centreboard`` command."""

import json
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console
from rich.table import Table

from centreboard.client import Client
from centreboard.problem import Problem

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
out, err = Console(), Console(stderr=True)

Site = Annotated[str, typer.Option(envvar="CENTREBOARD_SITE", help="address of the site")]
Token = Annotated[str, typer.Option(envvar="CENTREBOARD_TOKEN", help="access token")]
AsJson = Annotated[bool, typer.Option("--json", help="print what the site answered")]
LOCAL = "http://127.0.0.1:8000"


def as_object(text: str) -> dict[str, Any]:
    """What ``text`` says as JSON; anything but an object is refused in a line."""
    try:
        found = json.loads(text)
    except ValueError as fault:
        raise typer.BadParameter(f"not JSON: {fault}") from fault
    if not isinstance(found, dict):
        raise typer.BadParameter('write an object, such as {"query_text": "title"}')
    return found


@app.command()
def submit(
    campaign: str,
    task: str,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True)],
    team: Annotated[str, typer.Option(help="slug of your team")],
    token: Token,
    site: Site = LOCAL,
    system: Annotated[str | None, typer.Option(help="system that the run belongs to")] = None,
    run_type: Annotated[str | None, typer.Option(help="automatic or manual")] = None,
    description: Annotated[str | None, typer.Option()] = None,
    metadata: Annotated[
        dict[str, Any] | None,
        typer.Option(parser=as_object, help="the task's own fields, as a JSON object"),
    ] = None,
    seconds: Annotated[int, typer.Option("--wait", help="seconds to wait for the scores")] = 60,
    as_json: AsJson = False,
) -> None:
    """Submit a run, wait for its state, and print faults or scores."""
    with Client(site, token) as client:
        sent = client.submit_run(
            campaign,
            task,
            file,
            team=team,
            system=system,
            run_type=run_type,
            description=description,
            metadata=metadata,
        )
        run = client.wait(sent["id"], seconds)
    if as_json:
        out.print_json(json.dumps(run))
    else:
        show_run(run)
    if run.get("state") in ("rejected", "failed"):
        raise typer.Exit(1)


@app.command()
def run(identifier: str, token: Token = "", site: Site = LOCAL, as_json: AsJson = False) -> None:
    """Print the state of a run."""
    with Client(site, token) as client:
        found = client.run(identifier)
    if as_json:
        out.print_json(json.dumps(found))
    else:
        show_run(found)


@app.command()
def leaderboard(
    campaign: str, task: str, token: Token = "", site: Site = LOCAL, as_json: AsJson = False
) -> None:
    """Print a task's leaderboard."""
    with Client(site, token) as client:
        board = client.leaderboard(campaign, task)
    if as_json:
        out.print_json(json.dumps(board))
        return
    names = list(board["rows"][0]["values"]) if board["rows"] else []
    table = Table("rank", "team", "run", *names)
    for row in board["rows"]:
        values = [number(row["values"][name]) for name in names]
        table.add_row(number(row["rank"]), row["team"] or "", row.get("run_tag") or "", *values)
    out.print(table)


def show_run(found: dict[str, Any]) -> None:
    """State and reason, then faults by line, then scores."""
    reason = f": {found['reason']}" if found.get("reason") else ""
    out.print(f"{found['id']} is {found['state']}{reason}", highlight=False)
    for message in found.get("messages") or []:
        where = f"line {message['line']}" if message.get("line") else "file"
        text = f"{message['level']} {message['kind']}, {where}: {message['text']}"
        out.print(f"{text} {message.get('remedy') or ''}".rstrip(), highlight=False, markup=False)
    for name, score in (found.get("scores") or {}).items():
        typer.echo(f"{name}\t{number(score['mean'])}")


def number(value: float | int | None) -> str:
    """Four decimals; a dash for what is undefined."""
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.4f}"


def main() -> None:
    """Run the command; a refusal is a message and exit code 1, never a stack trace."""
    try:
        app()
    except Problem as problem:
        err.print(str(problem), style="red", markup=False)
        for fault in problem.faults:
            err.print(f"- {fault}", markup=False)
        raise SystemExit(1) from None
    except httpx.HTTPError as fault:
        err.print(f"No answer from the site: {fault}", style="red", markup=False)
        raise SystemExit(1) from None
