"""The form of an original pair."""

from __future__ import annotations

from django import forms

from campaigns.forms.organize.base import EditForm, long_text, slug_input


class OriginalForm(EditForm):
    """An original pair to be; its runs come as files."""

    title = forms.CharField(
        label="Title", max_length=200, help_text="What teams choose it by: WCrobust04 to 0405."
    )
    slug = slug_input(label="Short name")
    paper = long_text("Paper", "Where the experiment was published.", rows=2)
