"""Invisible characters that would reach beyond the name in which they stand."""

from __future__ import annotations

import unicodedata
from typing import Any

from django import forms

# They turn the direction of what follows: a name must not reach into its neighbours.
_TURNING = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
TEXT = "Remove the invisible control characters."


def has_hidden_marks(text: str) -> bool:
    """Whether a text holds control characters other than line breaks and tabs.

    >>> has_hidden_marks("two\\nlines"), has_hidden_marks("a\\u202eb")
    (False, True)
    """
    return any(
        one in _TURNING or (unicodedata.category(one) == "Cc" and one not in "\n\r\t")
        for one in text
    )


def one_line(text: str) -> str:
    """Runs of blanks as one; raises a form's fault where something is hidden in it."""
    text = " ".join(text.split())
    if has_hidden_marks(text):
        raise forms.ValidationError(TEXT)
    return text


class VisibleTextMixin:
    """A form whose texts hold only what can be seen."""

    add_error: Any

    def clean(self) -> dict[str, Any]:
        """Each text that hides something is told beside its field."""
        cleaned: dict[str, Any] = super().clean()  # type: ignore[misc]
        found = self.cleaned_data if cleaned is None else cleaned  # type: ignore[attr-defined]
        for name, value in list(found.items()):
            if isinstance(value, str) and has_hidden_marks(value):
                self.add_error(name, forms.ValidationError(TEXT))
        return found
