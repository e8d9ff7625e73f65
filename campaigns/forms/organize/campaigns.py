"""Forms for campaigns, collections, people and teams."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.forms.organize.base import ZONE_HELP, EditForm, checked_zone, long_text, slug_input
from campaigns.models import Role, Vocabulary

ROLES = (Role.ORGANIZER, Role.ASSESSOR, Role.OWNER)


class CampaignForm(EditForm):
    """Settings of a campaign."""

    title = forms.CharField(label="Title", max_length=200)
    summary = forms.CharField(
        label="Summary",
        max_length=500,
        required=False,
        help_text="One or two sentences for the list of campaigns.",
    )
    description = long_text(
        "Description", "Markdown: what the campaign asks, data, rules.", rows=10
    )
    vocabulary = forms.ChoiceField(
        label="Words for reproduction",
        choices=Vocabulary.choices,
        help_text="Pages explain both traditions wherever they use the words.",
    )
    timezone = forms.CharField(
        label="Time zone of deadlines",
        max_length=64,
        initial="AoE",
        help_text=f"{ZONE_HELP} A task may have another one.",
    )
    contact = forms.EmailField(label="Contact address", required=False)
    website = forms.URLField(label="Website", required=False, assume_scheme="https")
    citation = long_text("How to cite", "BibTeX or text.", rows=5)
    is_public = forms.BooleanField(
        label="Public: everybody may see that the campaign exists",
        required=False,
        initial=True,
        help_text="Otherwise only its organizers and teams see it; all others get “no such page”.",
    )

    def clean_timezone(self) -> str:
        """A zone that exists, in its one spelling."""
        return checked_zone(self.cleaned_data["timezone"])


class NewCampaignForm(CampaignForm):
    """A campaign to be."""

    slug = slug_input(label="Short name")
    field_order = ["title", "slug"]


class CollectionForm(EditForm):
    """Settings of a collection."""

    title = forms.CharField(label="Title", max_length=200)
    description = long_text("Description", "Where the documents can be had, and their version.", 4)
    languages = forms.CharField(
        label="Languages",
        required=False,
        max_length=200,
        help_text="ISO 639-3 codes with commas between them: eng, fas, zho.",
    )
    documents = forms.IntegerField(
        label="Number of documents", required=False, min_value=0, max_value=10**15
    )

    def clean_languages(self) -> list[str]:
        """The codes as a list."""
        codes = [code.strip() for code in self.cleaned_data["languages"].split(",")]
        return [code for code in codes if code]


class NewCollectionForm(CollectionForm):
    """A collection to be."""

    slug = slug_input(label="Short name")
    field_order = ["title", "slug"]


class PersonForm(EditForm):
    """An account and its role."""

    email = forms.EmailField(label="E-mail address of the account")
    role = forms.ChoiceField(
        label="Role",
        choices=[(role.value, role.value.capitalize()) for role in ROLES],
        help_text="Organizers see and change everything. Assessors see everything and change "
        "nothing. Owners also make and remove owners.",
    )


class TeamForm(EditForm):
    """Settings of a team."""

    name = forms.CharField(label="Name", max_length=120)
    affiliation = forms.CharField(label="Affiliation", max_length=200, required=False)


class NewTeamForm(TeamForm):
    """A team to be."""

    slug = slug_input(label="Short name")
    field_order = ["name", "slug"]


class MemberForm(EditForm):
    """Somebody who joins a team."""

    email = forms.EmailField(label="E-mail address of the account")


class ReasonForm(EditForm):
    """Why something is done."""

    reason = forms.CharField(label="Reason", max_length=1000, required=False)


class DeletionForm(EditForm):
    """Whether a thing is to go: its short name is typed."""

    confirmation = forms.CharField(
        max_length=64, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, word: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["confirmation"]
        field.label = f"Type {word} to confirm"
        field.error_messages["required"] = f"Type {word}, the short name."


class PublishForm(EditForm):
    """A draft that is put to use."""

    changelog = long_text(
        "What is new in this version", "Everybody who may see the qrels reads it.", rows=3
    )
    confirmation = forms.CharField(
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Type the version: runs are scored again."},
    )

    def __init__(self, *args: Any, word: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["confirmation"].label = f"Type {word} to confirm"
        if not word:
            del self.fields["confirmation"]
