"""Tokens of the viewer: create one (its secret is shown once), see them, revoke them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from campaigns.forms.tokens import NewTokenForm
from campaigns.models import ApiToken, Scope
from campaigns.policies import Viewer
from campaigns.services.tokens import create_token, revoke_token
from campaigns.views import once
from campaigns.views.lookups import viewer_of
from campaigns.views.participants.curl import example_for
from campaigns.views.participants.recently import recent_log_in_to_post

SOON = timedelta(days=7)
ENDED_SHOWN = 20


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token in the list."""

    token: ApiToken
    word: str
    tone: str

    @property
    def is_active(self) -> bool:
        """Whether it opens anything."""
        return self.tone in ("ok", "warn")


def _line(token: ApiToken, now: datetime) -> TokenLine:
    if token.revoked_at is not None:
        return TokenLine(token, "revoked", "bad")
    if token.expires_at <= now:
        return TokenLine(token, "ended", "")
    if token.expires_at <= now + SOON:
        days = (token.expires_at - now).days
        left = f"ends in {days} day{'' if days == 1 else 's'}" if days else "ends today"
        return TokenLine(token, left, "warn")
    return TokenLine(token, "active", "ok")


def _shown(
    request: HttpRequest, viewer: Viewer, form: NewTokenForm, status: int = 200, **more: Any
) -> HttpResponse:
    lines = [_line(token, viewer.now) for token in ApiToken.objects.filter(user=viewer.user)]
    context = {
        "section": "tokens",
        "form": form,
        "active": [line for line in lines if line.is_active],
        "ended": [line for line in lines if not line.is_active][:ENDED_SHOWN],
        "example": example_for(request, viewer),
        "once": once.new_ticket(),
        **more,
    }
    return render(request, "tokens/tokens.html", context, status=status)


def _form(viewer: Viewer, *data: Any) -> NewTokenForm:
    return NewTokenForm(*data, is_organizer=bool(viewer.roles) or viewer.is_site_administrator)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@recent_log_in_to_post
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponse:
    """The list with the form of a new one; the answer to the form shows the secret."""
    viewer = viewer_of(request)
    if request.method != "POST":
        return _shown(request, viewer, _form(viewer))
    if once.is_used(request):
        messages.info(request, "This token was made before. Its secret is not shown again.")
        return redirect("participants:tokens")
    form = _form(viewer, request.POST)
    if not form.is_valid() or viewer.user is None:
        return _shown(request, viewer, form, 422)
    data = form.cleaned_data
    token, secret = create_token(viewer.user, data["name"], data["scopes"], data["days"])
    once.use(request)
    return _shown(request, viewer, _form(viewer), made=token, secret=secret)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask, then end a token now."""
    viewer = viewer_of(request)
    token = ApiToken.objects.filter(pk=pk, user=viewer.user).first()
    if token is None:
        raise Http404
    if request.method == "POST":
        revoke_token(token)
        messages.success(request, f"The token “{token.name}” is revoked.")
        return redirect("participants:tokens")
    context = {"section": "tokens", "token": token, "may_submit": Scope.SUBMIT in token.scopes}
    return render(request, "tokens/revoke.html", context)
