"""The form of a new team."""

from __future__ import annotations

import unicodedata

from django import forms

from campaigns.forms.marks import TEXT, has_hidden_marks


def _line(text: str) -> str:
    """One line without control characters; raises a form's fault."""
    text = " ".join(text.split())
    if has_hidden_marks(text):
        raise forms.ValidationError(TEXT)
    return text


class NewTeamForm(forms.Form):
    """Name and affiliation; the address follows from the name."""

    name = forms.CharField(
        label="Name of the team",
        max_length=120,
        help_text="As boards show it, once the organizers show team names.",
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    affiliation = forms.CharField(
        label="Affiliation",
        max_length=200,
        required=False,
        help_text="University, company or group.",
    )

    def clean_name(self) -> str:
        """One line, and something that can be seen."""
        name = _line(self.cleaned_data["name"])
        if not any(unicodedata.category(one)[0] in "LNPS" for one in name):
            raise forms.ValidationError("Give a name with at least one letter or digit.")
        return name

    def clean_affiliation(self) -> str:
        """One line."""
        return _line(self.cleaned_data["affiliation"])
