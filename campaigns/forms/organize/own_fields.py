"""Fields that organizers add to the submission form, one small form each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from campaigns.services.form_fields import TYPES


class OwnFieldForm(forms.Form):
    """One field that the submission form asks for beside its own; without a name there is none."""

    name = forms.CharField(label="Name", required=False, max_length=60)
    label = forms.CharField(label="Label", required=False, max_length=120)
    type = forms.ChoiceField(
        label="Type", choices=[(one, one) for one in TYPES], required=False, initial="text"
    )
    choices = forms.CharField(
        label="Choices",
        required=False,
        max_length=2000,
        help_text="One a line.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    help = forms.CharField(label="Hint", required=False, max_length=300)
    required = forms.BooleanField(label="Required", required=False)
    public = forms.BooleanField(label="Shown to everybody", required=False)

    def definition(self) -> dict[str, Any] | None:
        """As ``campaign.yaml`` has it; None for an empty line."""
        data = self.cleaned_data
        if not data.get("name"):
            return None
        found: dict[str, Any] = {"name": data["name"], "type": data["type"] or "text"}
        if found["type"] == "choice":
            lines = data["choices"].splitlines()
            found["choices"] = [line.strip() for line in lines if line.strip()]
        found |= {name: data[name] for name in ("label", "help") if data[name]}
        found |= {name: True for name in ("required", "public") if data[name]}
        return found


OwnFields = forms.formset_factory(OwnFieldForm, extra=2, max_num=40)


def own_fields_initial(fields: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Stored definitions as the forms show them."""
    return [{**one, "choices": "\n".join(one.get("choices", []))} for one in fields]
