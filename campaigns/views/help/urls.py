"""Addresses of the help, below ``/help/``."""

from __future__ import annotations

from django.urls import path

from campaigns.views.help import pages

app_name = "help"

PLAIN = ("taking-part", "ranks", "deadlines", "visibility", "citing")
urlpatterns = [
    path("", pages.index, name="index"),
    path("formats/", pages.formats, name="formats"),
    path("messages/", pages.messages, name="messages"),
    path("measures/", pages.measures, name="measures"),
    path("terms/", pages.terms, name="terms"),
    path("privacy/", pages.privacy, name="privacy"),
    *(path(f"{name}/", pages.plain, {"name": name}, name=name) for name in PLAIN),
]
