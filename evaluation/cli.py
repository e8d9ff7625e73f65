"""The command line: ``python -m evaluation check | score | compare | effects | sigir2020``."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.arguments import DEFAULT_MEASURES, PAPER_TABLES, parser
from evaluation.errors import EvaluationError, Message
from evaluation.notation import Measure, parse_all
from evaluation.rules import GIBIBYTE, Budgets, CheckRules

if TYPE_CHECKING:
    from evaluation.commands import Answer

OWN_FILES = Budgets(upload_bytes=64 * GIBIBYTE, text_bytes=64 * GIBIBYTE, lines=2_000_000_000)
"""Nobody pays for the files on one's own disk but oneself; a gzip bomb is still found out."""

GOOD, REJECTED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def _answer(options: argparse.Namespace) -> Answer:
    # Loaded late: NumPy and SciPy are not needed to say what is wrong with the arguments.
    from evaluation import commands  # noqa: PLC0415
    from evaluation.compiled import Cache  # noqa: PLC0415
    from evaluation.pairs import Pair  # noqa: PLC0415

    given = vars(options)
    rules = CheckRules(
        levels=dict(options.rule),
        depth=given.get("depth") if options.command == "check" else None,
        tag_pattern=given.get("tag_pattern"),
        precision=given.get("precision", "double"),
        budgets=OWN_FILES,
    )
    named = given.get("measure") or DEFAULT_MEASURES
    measures = parse_all(one for one in named if isinstance(one, str | Measure))
    if options.command == "check":
        return commands.check(
            options.run,
            rules,
            topics=options.topics,
            qrels=options.qrels,
            pool=options.pool,
            documents=options.documents,
        )
    averaging: Any = options.topics_averaged
    cache = None
    if options.cache is not None:
        Path(options.cache).mkdir(mode=0o700, parents=True, exist_ok=True)
        cache = Cache(options.cache)
    if options.command == "score":
        return commands.score(
            options.run,
            options.qrels,
            measures,
            rules,
            topics=options.topics,
            averaging=averaging,
            graded=not options.real_valued,
            with_intervals=options.json or options.format != "trec",
            others=[one for one in named if not isinstance(one, str | Measure)],
            cache=cache,
        )
    if options.command == "compare":
        return commands.compare_runs(
            options.original,
            options.submitted,
            options.qrels,
            measures,
            rules,
            depth=options.depth,
            rbo_p=options.rbo_p,
            averaging=averaging,
            cache=cache,
        )
    return commands.effects(
        Pair(*options.original),
        Pair(*options.submitted),
        options.qrels,
        options.new_qrels,
        measures,
        rules,
        averaging=averaging,
        cache=cache,
    )


def _print_answer(options: argparse.Namespace, data: dict[str, Any]) -> None:
    from evaluation import tables  # noqa: PLC0415 - rich is not needed for --json

    if options.command == "score" and options.format == "trec":
        for line in tables.trec_lines(data, options.per_topic):
            print(line)
        return
    made = {
        "check": lambda: tables.check_tables(data),
        "score": lambda: tables.score_tables(data, options.per_topic),
        "compare": lambda: tables.compare_tables(data, options.per_topic),
        "effects": lambda: tables.effects_tables(data),
    }[options.command]()
    console = tables.console(sys.stdout)
    for one in made:
        console.print(one)
    for note in tables.notes(data):
        print(note)


def _print_messages(messages: Iterable[tuple[str, Message]]) -> None:
    for file, message in messages:
        print(f"{file}: {message}", file=sys.stderr)


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, allow_nan=False, indent=2))


def _print_paper(options: argparse.Namespace) -> int:
    from evaluation import paper_layout, tables  # noqa: PLC0415 - see _answer
    from evaluation.published_tables import PaperTables  # noqa: PLC0415 - see _answer

    found = PaperTables(Path(options.folder))
    names = options.table or PAPER_TABLES
    if options.json:
        _print_json(paper_layout.data(found, names))
        return GOOD
    console = tables.console(sys.stdout)
    for one in paper_layout.printed(found, names):
        console.print(tables.table(one.title, one.columns, one.rows))
    return GOOD


def _run(options: argparse.Namespace) -> int:
    if options.command == "sigir2020":
        return _print_paper(options)
    from evaluation.commands import Refused  # noqa: PLC0415 - see _answer

    try:
        answer = _answer(options)
    except Refused as refused:
        if options.json:
            listed = [message.as_dict() for message in refused.messages]
            _print_json({"outcome": "rejected", "file": refused.file, "messages": listed})
        else:
            _print_messages((refused.file, message) for message in refused.messages)
        return REJECTED
    if options.json:
        _print_json(answer.data)
    else:
        _print_messages(answer.messages)
        _print_answer(options, answer.data)
    return REJECTED if answer.is_rejected else GOOD


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Δ must not end a command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = parser().parse_args(arguments)
    try:
        status = _run(options)
        if sys.stdout is not None:  # as it is when it was closed before the start
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not complain on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except MemoryError:
        print("There is not enough memory for this.", file=sys.stderr)
        return WRONG_USAGE
    except OSError as error:
        print(f"{error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return WRONG_USAGE
    except EvaluationError as error:
        print(error, file=sys.stderr)
        return WRONG_USAGE
    return status
