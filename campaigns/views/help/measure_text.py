"""One entry of the page that explains the measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert


@dataclass(frozen=True)
class MeasureText:
    """``keys`` are the anchors: families of ``evaluation.notation`` or pair measures."""

    keys: tuple[str, ...]
    name: str
    formula: str
    where: str
    reading: str
    range: str
    source: str
    variants: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The anchor of the entry; the others stand inside it."""
        return self.keys[0]

    @cached_property
    def mathml(self) -> SafeString:
        """The formula for browsers and screen readers; our own text, so it is safe."""
        return mark_safe(convert(self.formula, display="block"))  # noqa: S308
