"""The form of the profile."""

from __future__ import annotations

from django import forms

from campaigns.forms.marks import one_line


class ProfileForm(forms.Form):
    """How others of a team and the organizers see a person."""

    name = forms.CharField(
        label="Name",
        max_length=120,
        required=False,
        help_text="Shown to your teams and to organizers. Without it they see your e-mail address.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self) -> str:
        """One line without control characters."""
        return one_line(self.cleaned_data["name"])
