"""Boards are rendered once for all who see the same; readers who have a page get a 304.

What is shown changes when a board is ranked again, but also when a date passes, which writes
nothing: keys hold the phase now, who is looking, and every row that the page words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

from campaigns.policies import Viewer

Made = TypeVar("Made")

KEPT_SECONDS = 600
LONGEST_QUERY = 600
FORM = 1  # raised when what is kept looks different


def state_of(row: Model | None) -> tuple[Any, ...]:
    """Every column of a row, for a key: the page words many of them."""
    if row is None:
        return ()
    return tuple(row.__dict__.get(one.attname) for one in row._meta.concrete_fields)


def kept(what: str, parts: tuple[Any, ...], make: Callable[[], Made]) -> Made:
    """What was made for the same parts, or made now."""
    # Pages name stylesheets by their contents: after an upgrade the old names are gone.
    looks = getattr(staticfiles_storage, "manifest_hash", "")
    digest = hashlib.sha256(repr((FORM, looks, parts)).encode()).hexdigest()
    key = f"{what}:{digest}"
    found: Made | None = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, KEPT_SECONDS)
    return found


def is_nobody(request: HttpRequest, viewer: Viewer) -> bool:
    """A visitor of whom nothing is known and to whom nothing is to be said."""
    known = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
    return viewer.user is None and not any(name in request.COOKIES for name in known)


def answered(request: HttpRequest, viewer: Viewer, body: bytes) -> HttpResponse:
    """The page with an ETag from its bytes, or that the reader has it."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body)
    response["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=viewer.user is not None)
    found = get_conditional_response(request, etag=etag, response=response)
    return found if found is not None else response
