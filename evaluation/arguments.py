"""What the command line takes: commands, options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluation.errors import BadRules
from evaluation.notation import ACCEPTED, Measure, UnknownMeasureError, is_own, parse
from evaluation.rules import parse_level

if TYPE_CHECKING:
    from evaluation.others import OtherMeasure

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10")
PAPER_TABLES = ("1", "2", "3", "4", "5", "A1", "A2", "A3")
AVERAGING = ("judged", "judged_with_relevant", "retrieved")
LONGEST_DEPTH = 9
"""Digits of a depth; no list is longer, and larger numbers do not fit into an array."""


def _measure(text: str) -> Measure:
    try:
        return parse(text)
    except UnknownMeasureError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _measure_of_any(text: str) -> Measure | OtherMeasure:
    if is_own(text):
        return _measure(text)
    from evaluation.others import parse_other  # noqa: PLC0415 - only if one is named

    try:
        return parse_other(text)
    except UnknownMeasureError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _depth(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= LONGEST_DEPTH
    if not is_number or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not a whole number of at least 1 and at most {LONGEST_DEPTH} digits"
        )
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


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    made = argparse.ArgumentParser(
        prog="python -m evaluation",
        description="Check, score and compare TREC runs. Files may be plain text or gzip.",
        epilog="Exit status: 0 done, 1 a file is rejected, 2 wrong usage, 130 interrupted.",
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
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
    return made


def _add_measures(
    command: argparse.ArgumentParser, kind: Callable[[str], Measure | OtherMeasure] = _measure
) -> None:
    command.add_argument(
        "--measure",
        type=kind,
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
    command.add_argument(
        "--cache", metavar="DIR", help="keep what was read in this folder, and read no text twice"
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
    _add_measures(command, _measure_of_any)
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
