"""What the forms of organizers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from campaigns.forms.marks import VisibleTextMixin
from campaigns.models.fields import SLUG, slug_validator
from campaigns.services.refusals import RefusalError
from campaigns.services.zones import normal_zone, zone_of

SLUG_HELP = (
    "Lower-case letters, digits, dots and hyphens. It stands in addresses and never changes."
)
ZONE_HELP = "AoE, UTC, an offset like +02:00, or a name like Europe/Berlin."


class EditForm(VisibleTextMixin, forms.Form):
    """A form that knows of which state of the row it was made."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def add_refusal(self, refusal: RefusalError) -> None:
        """What the service refused: beside its field where there is one, else on top."""
        placed = False
        for name, text in refusal.errors.items():
            if name in self.fields:
                self.add_error(name, text)
                placed = True
        if not placed:
            self.add_error(None, " ".join(refusal.errors.values()) or refusal.text)

    def values(self, names: Sequence[str]) -> dict[str, Any]:
        """The cleaned columns."""
        return {name: self.cleaned_data[name] for name in names}


def check_slug(value: str) -> None:
    """The whole text is a slug; a form's fault otherwise."""
    if not SLUG.fullmatch(value):
        raise forms.ValidationError(slug_validator.message)


def slug_input(**options: Any) -> forms.CharField:
    """A field for a slug, in place of a model's own."""
    return forms.CharField(max_length=64, validators=[check_slug], help_text=SLUG_HELP, **options)


def long_text(label: str, help_text: str = "", rows: int = 6, **options: Any) -> forms.CharField:
    """A field of several lines."""
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": rows}),
        **options,
    )


def checked_zone(name: str) -> str:
    """The one spelling of a zone's name; raises a form's fault."""
    if zone_of(name) is None:
        raise forms.ValidationError(f"This is no time zone. Write {ZONE_HELP}")
    return normal_zone(name)
