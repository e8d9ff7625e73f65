"""Forms whose texts hold only what can be seen."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.services.marks import REMEDY, has_hidden_marks


def one_line(text: str) -> str:
    """Runs of blanks as one; raises a form's fault where something is hidden in it."""
    text = " ".join(text.split())
    if has_hidden_marks(text):
        raise forms.ValidationError(REMEDY)
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
                self.add_error(name, forms.ValidationError(REMEDY))
        return found
