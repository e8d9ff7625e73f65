"""A form that makes a secret is carried out once, however often the page is loaded again."""

from __future__ import annotations

import secrets

from django.http import HttpRequest

FIELD = "once"
_USED = "forms_used"
_KEPT = 20


def new_ticket() -> str:
    """Goes out with the form."""
    return secrets.token_urlsafe(12)


def is_used(request: HttpRequest) -> bool:
    """Whether a form with this ticket has been carried out in this session."""
    return request.POST.get(FIELD, "") in request.session.get(_USED, [])


def use(request: HttpRequest) -> None:
    """Note the ticket of the form that has just been carried out."""
    ticket = request.POST.get(FIELD, "")[:64]
    request.session[_USED] = [*request.session.get(_USED, []), ticket][-_KEPT:]
