"""What programs ask for at fixed addresses."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

# Pages of people, and lists without an end.
_LEAVE_ALONE = ("/accounts/", "/admin/", "/api/", "/join/", "/organize/", "/search/", "/tokens/")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Search engines may read campaigns and boards."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _LEAVE_ALONE)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it where no page names another."""
    return HttpResponsePermanentRedirect(static("img/mark.svg"))
