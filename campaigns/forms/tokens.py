"""The form of a new token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from campaigns.models import Scope

SCOPES = {
    Scope.READ: "Read: your runs, scores and all that you may see",
    Scope.SUBMIT: "Submit and withdraw runs for your teams",
    Scope.ORGANIZE: "Organize campaigns",
}


class NewTokenForm(forms.Form):
    """Name, scopes, days."""

    name = forms.CharField(
        label="Name",
        max_length=120,
        help_text="What will use it, for example “lab server”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="May",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one."},
    )
    days = forms.IntegerField(
        label="Days",
        min_value=1,
        max_value=settings.TOKEN_MAX_DAYS,
        initial=settings.TOKEN_DAYS,
        help_text=f"It ends by itself after 1 to {settings.TOKEN_MAX_DAYS} days.",
    )

    def __init__(self, *args: Any, is_organizer: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [scope for scope in SCOPES if scope != Scope.ORGANIZE or is_organizer]
        field = self.fields["scopes"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [(scope.value, SCOPES[scope]) for scope in offered]
        self.initial.setdefault("scopes", [Scope.READ.value, Scope.SUBMIT.value])
