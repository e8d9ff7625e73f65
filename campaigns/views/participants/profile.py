"""The viewer's own account: name, other browsers, ways to the pages of allauth."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.forms.profile import ProfileForm
from campaigns.models import User
from campaigns.services.accounts import end_other_sessions, rename


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The name, and what else there is."""
    user = cast(User, request.user)
    form = ProfileForm(request.POST or None, initial={"name": user.name})
    if request.method == "POST" and form.is_valid():
        rename(user, form.cleaned_data["name"])
        messages.success(request, "Your name is saved.")
        return redirect("participants:profile")
    status = 422 if form.is_bound else 200
    return render(request, "account/profile.html", {"form": form}, status=status)


@login_required
@require_POST
def log_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """End the sessions of all other browsers."""
    ended = end_other_sessions(cast(User, request.user), request.session.session_key)
    where = f"{ended} other browser{'' if ended == 1 else 's'}"
    text = f"Logged out of {where}." if ended else "You were logged in nowhere else."
    messages.success(request, text)
    return redirect("participants:profile")
