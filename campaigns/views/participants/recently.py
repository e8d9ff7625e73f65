"""What makes a secret asks for a log-in of the last minutes; allauth asks for the password."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]


def logged_in_recently(request: HttpRequest) -> bool:
    """Whether this browser has given the password, or a second factor, a short while ago."""
    earliest = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    user: Any = request.user
    return any(record["at"] >= earliest for record in get_authentication_records(request, user))


def recent_log_in_to_post(view: View) -> View:
    """The page may be read; its form is kept while the password is asked for, then carried out."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.method == "POST" and not logged_in_recently(request):
            raise ReauthenticationRequired
        return view(request, *args, **more)

    return inner
