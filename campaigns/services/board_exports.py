"""Boards as CSV and LaTeX. Text of users can neither become a formula nor a command."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
LEADING = ("rank", "team", "team_name", "run_tag", "run", "pair")

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "Δ": r"$\Delta$",
    "′": r"$'$",
}


def csv_cell(value: Any) -> Any:
    """A cell that a spreadsheet shows as text; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


def tex_text(value: Any) -> str:
    """Text without a command: every special character is escaped, control characters go."""
    return "".join(_TEX.get(sign, sign) for sign in str(value) if sign.isprintable())


def as_csv(rows: Iterable[dict[str, Any]], keys: Sequence[str]) -> str:
    """The rows with all digits; an undefined value is an empty cell."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*LEADING, *map(csv_cell, keys), "reason"])
    for row in rows:
        cells = [row[name] for name in LEADING] + [row["values"].get(key) for key in keys]
        writer.writerow([csv_cell(cell) for cell in (*cells, row["reason"])])
    return out.getvalue()


def _tex_number(value: Any) -> str:
    if value is None:
        return "--"
    return str(value) if isinstance(value, int) else f"{value:.4f}".replace("-", "$-$")


def as_tex(rows: Iterable[dict[str, Any]], columns: Sequence[tuple[str, str]], note: str) -> str:
    """A table for the package booktabs; ``columns`` are keys and labels, ``note`` a comment."""
    head = ["Rank", "Team", "Run", *(tex_text(label) for _, label in columns)]
    lines = [
        "% " + "".join(sign for sign in note if sign.isprintable()),
        r"\begin{tabular}{rll" + "r" * len(columns) + "}",
        r"\toprule",
        " & ".join(head) + r" \\",
        r"\midrule",
    ]
    for row in rows:
        cells = [
            "--" if row["rank"] is None else str(row["rank"]),
            tex_text(row["team_name"] or "--"),
            tex_text(row["run_tag"] or "--"),
            *(_tex_number(row["values"].get(key)) for key, _ in columns),
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])
