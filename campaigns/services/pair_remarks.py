"""What looks like a slip in a pair: it is taken, and said, since it may be meant."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Effect, Origin, Pair, Run, RunRole

WORDS = {RunRole.BASELINE.value: "baseline", RunRole.ADVANCED.value: "advanced"}


def remarks_of(pair: Pair, effects: Iterable[Effect]) -> list[str]:
    """Sentences for those who may see the scores: the original's own file, or swapped runs."""
    found = _files(pair)
    # Of an original without a gain a ratio below 0 says the opposite.
    ratios = [
        one.effect_ratio
        for one in effects
        if one.effect_ratio is not None and (one.original_effect or 0.0) > 0
    ]
    if not found and ratios and all(ratio < 0 for ratio in ratios):
        found.append(
            "Every effect is the other way round: baseline and advanced run may be swapped."
        )
    return found


def _files(pair: Pair) -> list[str]:
    members: dict[str, Run | None] = {
        RunRole.BASELINE.value: pair.baseline,
        RunRole.ADVANCED.value: pair.advanced,
    }
    sums = {run.text_sha256: role for role, run in members.items() if run and run.text_sha256}
    same = Run.objects.filter(
        original=pair.original_id,
        origin=Origin.ORIGINAL,
        text_sha256__in=list(sums),
        deleted_at__isnull=True,
    )
    found = sorted(same.values_list("role", "text_sha256"), reverse=True)
    return [_same_file(sums[text], theirs) for theirs, text in found]


def _same_file(role: str, theirs: str) -> str:
    mine, own = WORDS[role], WORDS[theirs]
    if role == theirs:
        return f"The {mine} run is the original’s own {own} file: nothing was reproduced."
    return f"The {mine} run is the original’s {own} file: the two may be swapped."
