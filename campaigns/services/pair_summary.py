"""A pair in plain words, by rules that the help states: what came back, and what is shared.

Standard library only: pages and REST say the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaigns import recipes
from campaigns.models import Comparison, Effect, Task

SMALL_P = 0.05
WHOLE = 0.005
"""An effect ratio this near to 1 counts as the whole effect, this near to 0 as none of it."""
SAME_MEAN = 0.0005
OVERLAP = "overlap"


@dataclass(frozen=True, slots=True)
class PairNumbers:
    """What the sentences are made of, by one measure; None where it is undefined or not known.

    ``baseline_lower`` is the original baseline's mean minus the submitted one's, ``shared`` the
    share of the original baseline's documents that the submitted one holds.
    """

    measure: str
    effect_ratio: float | None
    effect_reason: str
    original_effect: float | None
    original_p: float | None
    baseline_lower: float | None = None
    shared: float | None = None


def sentences(numbers: PairNumbers) -> list[str]:
    """The summary, a sentence each; ``HELP`` words the rules.

    >>> sentences(PairNumbers("AP", 0.86, "", 0.06, 0.08, 0.031, 0.31))[0]
    '86 % of the effect on AP came back.'
    """
    found = [_effect(numbers), _baseline(numbers), _shared(numbers), _chance(numbers)]
    return [one for one in found if one]


def _effect(numbers: PairNumbers) -> str:
    ratio, measure = numbers.effect_ratio, numbers.measure
    if numbers.original_effect is not None and numbers.original_effect <= 0:
        return f"The original has no gain on {measure}, so there is no effect to bring back."
    if ratio is None:
        why = f": {numbers.effect_reason}" if numbers.effect_reason else ""
        return f"How much of the effect on {measure} came back cannot be said{why}."
    if ratio < -WHOLE:
        return f"The effect on {measure} is the other way round: the baseline scores higher."
    if ratio <= WHOLE:
        return f"Nothing of the effect on {measure} came back."
    if abs(ratio - 1) <= WHOLE:
        return f"The whole effect on {measure} came back."
    if ratio > 1:
        return f"The effect on {measure} is larger than the original: {_percent(ratio)} of it."
    return f"{_percent(ratio)} of the effect on {measure} came back."


def _baseline(numbers: PairNumbers) -> str | None:
    lower = numbers.baseline_lower
    if lower is None:
        return None
    if abs(lower) < SAME_MEAN:
        return "The baseline scores as the original does."
    way = "lower" if lower > 0 else "higher"
    return f"The baseline scores {way} by {f'{abs(lower):.3f}'.lstrip('0')} {numbers.measure}."


def _shared(numbers: PairNumbers) -> str | None:
    if numbers.shared is None:
        return None
    share = _percent(numbers.shared)
    return f"{share} of the original baseline’s documents are in the submitted one."


def _chance(numbers: PairNumbers) -> str | None:
    p = numbers.original_p
    if p is None or p <= SMALL_P:
        return None
    # Near the limit two digits would say the limit itself.
    text = f"{p:.2f}" if p >= SMALL_P + 0.005 else f"{p:.4f}"
    return f"The original effect itself may be chance, p = {text.lstrip('0')}."


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


HELP = (
    (
        f"An effect ratio within {WHOLE:g} of 1 is the whole effect, within {WHOLE:g} of 0 nothing "
        "of it; below that it is the other way round; else its percentage is said."
    ),
    (
        "The baseline’s mean is compared with the original baseline’s; less than "
        f"{SAME_MEAN:g} is no difference. On a new collection the topics differ, so this says how "
        "hard they are, too."
    ),
    "Where there are rankings, the share of the original baseline’s documents is said.",
    (
        f"A p of the original effect above {SMALL_P:g} is said last: the ratio then compares with "
        "noise. Of an original without a gain no share is said."
    ),
)


def summaries_of(
    task: Task, effects: Mapping[str, Effect], comparisons: Iterable[Comparison]
) -> dict[str, list[str]]:
    """The sentences on a pair by measure; for those who may see its scores.

    ``comparisons`` are those of its baseline run with the original's.
    """
    by_name = {one.recipe.name: one for one in comparisons}
    return {
        measure: _summary(task, effect, measure, by_name) for measure, effect in effects.items()
    }


def _summary(
    task: Task, effect: Effect, measure: str, comparisons: Mapping[str, Comparison]
) -> list[str]:
    overlap = comparisons.get(OVERLAP)
    deviation = comparisons.get(recipes.deviation_recipe(task, measure).name)
    return sentences(
        PairNumbers(
            measure,
            effect.effect_ratio,
            str(effect.reasons.get("effect_ratio", "")),
            effect.original_effect,
            effect.original_effect_p,
            _lower(deviation),
            None if overlap is None else overlap.value,
        )
    )


def _lower(deviation: Comparison | None) -> float | None:
    """By how much the submitted mean is lower; the stored ΔARP has lost its sign."""
    means = (
        []
        if deviation is None
        else [deviation.detail.get(name) for name in ("arp_original", "arp_submitted")]
    )
    return means[0] - means[1] if means and None not in means else None
