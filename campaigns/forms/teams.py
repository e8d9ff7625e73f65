"""The form of a new team."""

from __future__ import annotations

import unicodedata

from django import forms

from campaigns.forms.marks import one_line


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
        name = one_line(self.cleaned_data["name"])
        if not any(unicodedata.category(one)[0] in "LNPS" for one in name):
            raise forms.ValidationError("Give a name with at least one letter or digit.")
        return name

    def clean_affiliation(self) -> str:
        """One line."""
        return one_line(self.cleaned_data["affiliation"])
