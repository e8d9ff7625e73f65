"""Names of measures: our own parser of ir_measures notation, and what each measure means.

Standard library only, because the web process reads measure names without loading NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from evaluation.errors import EvaluationError

Value = str | int | float | None

RANK_DECIMALS = 12
"""Ranks compare values rounded to this many decimals, so that rounding noise ties."""


class UnknownMeasureError(EvaluationError, ValueError):
    """A measure name that cannot be read; the text lists what is accepted."""


@dataclass(frozen=True, slots=True)
class Family:
    """What one family of effectiveness measures accepts and promises."""

    name: str
    title: str
    cutoff: Literal["required", "optional", "none"]
    defaults: Mapping[str, Value] = field(default_factory=dict)
    always_shown: tuple[str, ...] = ()
    uses_grades: bool = False


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            Family(
                "nDCG",
                "normalised discounted cumulative gain",
                "optional",
                {"dcg": "log2", "ideal": "judged", "clip": 0},
                uses_grades=True,
            ),
            Family("AP", "average precision", "optional", {"rel": 1}),
            Family("P", "precision", "required", {"rel": 1}),
            Family("R", "recall", "required", {"rel": 1}),
            Family("RR", "reciprocal rank", "optional", {"rel": 1}),
            Family("Rprec", "R-precision", "none", {"rel": 1}),
            Family("Bpref", "binary preference", "none", {"rel": 1}),
            Family(
                "RBP",
                "rank-biased precision",
                "optional",
                {"p": 0.8, "rel": 1},
                always_shown=("p", "rel"),
            ),
            Family("Judged", "share of judged documents", "required"),
            Family(
                "ERR",
                "expected reciprocal rank",
                "optional",
                {"maxgrade": None},
                uses_grades=True,
            ),
        )
    }
)

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"dcg": ("log2", "exp-log2"), "ideal": ("judged", "pool", "run")}
)

ACCEPTED = (
    "nDCG, nDCG@k, nDCG(dcg='exp-log2')@k, nDCG(ideal='pool')@k, nDCG(ideal='run')@k, "
    "AP, AP@k, P@k, R@k, RR, RR@k, Rprec, Bpref, RBP(p=0.8, rel=1), ERR, ERR@k, "
    "ERR(maxgrade=4)@k, Judged@k; "
    "rel=2 sets the lowest relevant grade, as in AP(rel=2); also MAP, MRR, NDCG@k, Recall@k "
    "and trec_eval's ndcg_cut_k, map, map_cut_k, recip_rank, P_k, recall_k, Rprec, bpref"
)

_ALIASES = {
    "ndcg": "nDCG",
    "ap": "AP",
    "map": "AP",
    "p": "P",
    "precision": "P",
    "r": "R",
    "recall": "R",
    "rr": "RR",
    "mrr": "RR",
    "recip_rank": "RR",
    "rprec": "Rprec",
    "bpref": "Bpref",
    "rbp": "RBP",
    "judged": "Judged",
    "err": "ERR",
}
_TREC_EVAL = {"ndcg_cut": "nDCG", "map_cut": "AP", "p": "P", "recall": "R"}
# Numbers are bounded, so that no name can hold one that overflows.
_SHAPE = re.compile(r"([A-Za-z][A-Za-z_]*)(?:\(([^()]*)\))?(?:@([0-9]{1,9}))?")
_TREC_EVAL_SHAPE = re.compile(r"([A-Za-z_]+)_([0-9]{1,9})")
_ARGUMENT = re.compile(
    r"""\s*([a-z]+)\s*=\s*('[^'"]*'|"[^'"]*"|None|[0-9]{1,9}|[0-9]{0,9}\.[0-9]{1,15})\s*"""
)


@dataclass(frozen=True, slots=True)
class Measure:
    """An effectiveness measure: family, cutoff and the values of all its parameters.

    >>> parse("NDCG@10").name, parse("ndcg_cut_10") == parse("nDCG@10")
    ('nDCG@10', True)
    >>> parse("AP(rel=2)").parameters
    (('rel', 2),)
    """

    family: str
    cutoff: int | None = None
    parameters: tuple[tuple[str, Value], ...] = ()

    def __getitem__(self, parameter: str) -> Value:
        return dict(self.parameters)[parameter]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Canonical name in ir_measures notation; parameters at their default are left out."""
        family = FAMILIES[self.family]
        shown = ", ".join(
            f"{key}={value!r}"
            for key, value in self.parameters
            if key in family.always_shown or value != self._default(key)
        )
        cut = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.family + (f"({shown})" if shown else "") + cut

    def _default(self, key: str) -> Value:
        if key == "clip" and self["ideal"] == "run":
            return None
        return FAMILIES[self.family].defaults[key]

    @property
    def trec_eval_name(self) -> str | None:
        """What trec_eval calls it, None if it has no such measure.

        >>> parse("AP").trec_eval_name, parse("nDCG@10").trec_eval_name, parse("Judged@5").name
        ('map', 'ndcg_cut_10', 'Judged@5')
        """
        if any(value != self._default(key) for key, value in self.parameters):
            return None
        if self.cutoff is None:
            whole = {"RR": "recip_rank", "nDCG": "ndcg", "AP": "map", "Bpref": "bpref"}
            return "Rprec" if self.family == "Rprec" else whole.get(self.family)
        cut = {"nDCG": "ndcg_cut", "AP": "map_cut", "P": "P", "R": "recall"}.get(self.family)
        return None if cut is None else f"{cut}_{self.cutoff}"

    @property
    def title(self) -> str:
        """The measure's name in words."""
        return FAMILIES[self.family].title

    @property
    def is_higher_better(self) -> bool:
        """True for every effectiveness measure."""
        return True

    @property
    def target(self) -> float | None:
        """None: the best value is the largest one."""
        return None

    @property
    def low(self) -> float | None:
        """Least possible value, None if there is none (unclipped negative utilities)."""
        return None if self.family == "nDCG" and self["clip"] is None else 0.0

    @property
    def high(self) -> float | None:
        """Largest possible value, None if there is none."""
        if self.family == "nDCG" and self["clip"] is None and self["ideal"] != "run":
            return None
        return 1.0

    @property
    def is_bounded_by_one(self) -> bool:
        """True when all values lie in [0, 1], as nRMSE needs."""
        return self.low == 0.0 and self.high == 1.0

    @property
    def decimals(self) -> int:
        """How many decimals to print: 4, and 2 for the share of judged documents."""
        return 2 if self.family == "Judged" else 4

    @property
    def needs_qrels(self) -> bool:
        """True for every effectiveness measure."""
        return True

    @property
    def uses_grades(self) -> bool:
        """True when grades count beyond relevant or not."""
        return FAMILIES[self.family].uses_grades

    @property
    def is_rankable(self) -> bool:
        """Whether a board may rank by it: not by the share of judged documents."""
        return self.family != "Judged"

    def rank_key(self, value: float) -> float:
        """Sort key, smaller is better, equal for values that tie."""
        return -round(value, RANK_DECIMALS)


def parse(text: str) -> Measure:
    """Read a measure name in ir_measures notation, an alias, or a trec_eval name.

    Raises UnknownMeasureError, whose text lists what is accepted.

    >>> parse("nDCG(dcg='exp-log2')@10").name
    "nDCG(dcg='exp-log2')@10"
    >>> [parse(name).name for name in ("MAP", "recip_rank", "P_10", "Recall@1000", "RBP")]
    ['AP', 'RR', 'P@10', 'R@1000', 'RBP(p=0.8, rel=1)']
    """
    stripped = text.strip()
    cut_name = _TREC_EVAL_SHAPE.fullmatch(stripped)
    if cut_name and cut_name[1].lower() in _TREC_EVAL:
        return _build(text, _TREC_EVAL[cut_name[1].lower()], cut_name[2], {})
    shape = _SHAPE.fullmatch(stripped)
    if shape is None or shape[1].lower() not in _ALIASES:
        raise UnknownMeasureError(f"Unknown measure {text!r}. Accepted: {ACCEPTED}.")
    return _build(text, _ALIASES[shape[1].lower()], shape[3], _arguments(text, shape[2]))


def is_own(text: str) -> bool:
    """Whether a name, well written or not, is of a measure that this library defines.

    >>> is_own("P@x"), is_own("ndcg_cut_10"), is_own("Success@5")
    (True, True, False)
    """
    stripped = text.strip()
    cut_name = _TREC_EVAL_SHAPE.fullmatch(stripped)
    if cut_name and cut_name[1].lower() in _TREC_EVAL:
        return True
    return re.split(r"[@(]", stripped, maxsplit=1)[0].strip().lower() in _ALIASES


def parse_all(names: Iterable[str | Measure]) -> list[Measure]:
    """Read several names, dropping repeats, in the order given."""
    read = (name if isinstance(name, Measure) else parse(name) for name in names)
    return list(dict.fromkeys(read))


def _arguments(text: str, inside: str | None) -> dict[str, Value]:
    if not (inside or "").strip():
        return {}
    given: dict[str, Value] = {}
    for part in str(inside).split(","):
        found = _ARGUMENT.fullmatch(part)
        if found is None or found[1] in given:
            raise UnknownMeasureError(
                f"The parameters of {text!r} cannot be read: write name=value, each once, text in "
                "quotes, as in nDCG(dcg='exp-log2')@10."
            )
        given[found[1]] = _value(found[2])
    return given


def _value(text: str) -> Value:
    if text == "None":
        return None
    if text[0] in "'\"":
        return text[1:-1]
    return int(text) if text.isdigit() else float(text)


def _build(text: str, name: str, cutoff: str | None, given: Mapping[str, Value]) -> Measure:
    family = FAMILIES[name]
    if cutoff is None and family.cutoff == "required":
        raise UnknownMeasureError(f"{text!r} needs a cutoff, as in {name}@10.")
    if cutoff is not None and (family.cutoff == "none" or int(cutoff) < 1):
        raise UnknownMeasureError(
            f"{text!r}: {name} takes no cutoff."
            if family.cutoff == "none"
            else f"{text!r}: a cutoff is 1 or more."
        )
    values = dict(family.defaults)
    if given.get("ideal") == "run":
        values["clip"] = None
    for key, value in given.items():
        if key not in family.defaults:
            offered = ", ".join(family.defaults) or "none"
            raise UnknownMeasureError(
                f"{text!r}: {name} has no parameter {key!r}; it has: {offered}."
            )
        _check(text, key, value)
        values[key] = value
    if "clip" in given and values["ideal"] != "pool":
        raise UnknownMeasureError(f"{text!r}: clip goes with ideal='pool' only.")
    return Measure(name, None if cutoff is None else int(cutoff), tuple(values.items()))


def _check(text: str, key: str, value: Value) -> None:
    if key in CHOICES:
        is_good, wanted = value in CHOICES[key], " or ".join(map(repr, CHOICES[key]))
    elif key == "p":
        is_good, wanted = isinstance(value, float) and 0.0 < value < 1.0, "between 0 and 1"
    elif key == "clip":
        is_good, wanted = value is None or (type(value) is int and value == 0), "0 or None"
    else:
        is_good, wanted = type(value) is int and value >= 1, "a whole number, 1 or more"
    if not is_good:
        raise UnknownMeasureError(f"{text!r}: {key} must be {wanted}, not {value!r}.")
