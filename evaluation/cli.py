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

from evaluation.errors import BadRules, EvaluationError, Message
from evaluation.notation import ACCEPTED, Measure, UnknownMeasureError, parse, parse_all
from evaluation.rules import GIBIBYTE, Budgets, CheckRules, parse_level

if TYPE_CHECKING:
    from evaluation.commands import Answer

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10")
PAPER_TABLES = ("1", "2", "3", "4", "5", "A1", "A2", "A3")
AVERAGING = ("judged", "judged_with_relevant", "retrieved")
OWN_FILES = Budgets(upload_bytes=64 * GIBIBYTE, text_bytes=64 * GIBIBYTE, lines=2_000_000_000)
"""Nobody pays for the files on one's own disk but oneself; a gzip bomb is still found out."""

GOOD, REJECTED, WRONG_USAGE = 0, 1, 2


def _measure(text: str) -> Measure:
    try:
        return parse(text)
    except UnknownMeasureError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _depth(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} does not lie between 0 and 1")
    return value


def _level(text: str) -> tuple[str, str]:
    try:
        return parse_level(text)
    except BadRules as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation",
        description="Check, score and compare TREC runs. Files may be plain text or gzip.",
        epilog="Exit status: 0 done, 1 a file is rejected, 2 wrong usage.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_check(commands.add_parser("check", help="check a run file and list every fault"))
    _add_score(commands.add_parser("score", help="score a run against judgments"))
    _add_compare(commands.add_parser("compare", help="compare a submitted run with the original"))
    _add_effects(commands.add_parser("effects", help="compare the effects of two pairs of runs"))
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="print JSON instead of tables")
        command.add_argument(
            "--rule",
            type=_level,
            action="append",
            default=[],
            metavar="NAME=LEVEL",
            help="set a kind of message to error, warning or ignore; may be repeated",
        )
    _add_sigir2020(commands.add_parser("sigir2020", help="compute the SIGIR 2020 paper's tables"))
    return parser


def _add_measures(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--measure",
        type=_measure,
        action="append",
        metavar="M",
        help=f"may be repeated; default {', '.join(DEFAULT_MEASURES)}. "
        f"Accepted: {ACCEPTED}".replace("%", "%%"),
    )
    command.add_argument(
        "--topics-averaged",
        choices=AVERAGING,
        default=AVERAGING[0],
        help="all judged topics (default), those with a relevant document, or those of the run",
    )


def _add_check(command: argparse.ArgumentParser) -> None:
    command.add_argument("--run", required=True)
    command.add_argument("--topics", metavar="TSV", help="topic ids and texts, tab-separated")
    command.add_argument("--qrels", metavar="Q", help="also look for signs of wrong ids")
    command.add_argument("--depth", type=_depth, metavar="N", help="documents allowed a topic")
    command.add_argument("--pool", metavar="FILE", help="initial run or pool the run must keep to")
    command.add_argument("--documents", metavar="IDS", help="document ids of the collection")
    command.add_argument("--tag-pattern", metavar="RE", help="the tag must match it as a whole")


def _add_score(command: argparse.ArgumentParser) -> None:
    command.add_argument("--qrels", required=True, metavar="Q")
    command.add_argument("--run", required=True)
    command.add_argument("--topics", metavar="TSV", help="average over these topics only")
    _add_measures(command)
    command.add_argument(
        "--precision",
        choices=("double", "single"),
        default="double",
        help="of the scores that order a run; single is trec_eval 9.0.7 compatible",
    )
    command.add_argument(
        "--real-valued", action="store_true", help="the qrels hold utilities, not grades"
    )
    command.add_argument("--per-topic", action="store_true", help="also list topic scores")
    command.add_argument("--format", choices=("table", "trec"), default="table")


def _add_compare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--original", required=True, metavar="RUN")
    command.add_argument("--submitted", required=True, metavar="RUN")
    command.add_argument("--qrels", metavar="Q", help="also compare scores")
    _add_measures(command)
    command.add_argument("--depth", type=_depth, metavar="N", help="cut both rankings first")
    command.add_argument("--rbo-p", type=_probability, default=0.8, metavar="P")
    command.add_argument("--per-topic", action="store_true", help="also list topics")


def _add_effects(command: argparse.ArgumentParser) -> None:
    command.add_argument("--qrels", required=True, metavar="Q")
    command.add_argument("--new-qrels", metavar="Q2", help="of the submitted pair's collection")
    command.add_argument("--original", required=True, nargs=2, metavar=("B", "A"))
    command.add_argument("--submitted", required=True, nargs=2, metavar=("B2", "A2"))
    _add_measures(command)


def _add_sigir2020(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="DIR", help="the paper's published topic scores")
    command.add_argument(
        "--table", choices=PAPER_TABLES, action="append", help="A: of the appendix; default all"
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _answer(options: argparse.Namespace) -> Answer:
    # Loaded late: NumPy and SciPy are not needed to say what is wrong with the arguments.
    from evaluation import commands  # noqa: PLC0415
    from evaluation.pairs import Pair  # noqa: PLC0415

    given = vars(options)
    rules = CheckRules(
        levels=dict(options.rule),
        depth=given.get("depth") if options.command == "check" else None,
        tag_pattern=given.get("tag_pattern"),
        precision=given.get("precision", "double"),
        budgets=OWN_FILES,
    )
    measures = parse_all(given.get("measure") or DEFAULT_MEASURES)
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
        )
    return commands.effects(
        Pair(*options.original),
        Pair(*options.submitted),
        options.qrels,
        options.new_qrels,
        measures,
        rules,
        averaging=averaging,
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
    options = _parser().parse_args(arguments)
    try:
        status = _run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not complain on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except OSError as error:
        print(f"{error.filename or 'file'}: {error.strerror or error}", file=sys.stderr)
        return WRONG_USAGE
    except EvaluationError as error:
        print(error, file=sys.stderr)
        return WRONG_USAGE
    return status
