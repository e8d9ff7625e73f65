"""What can be done to a run: withdraw it, start its failed work again."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.services.refusals import RefusalError
from campaigns.services.retries import retry_run
from campaigns.services.withdrawals import withdraw_run
from campaigns.views.lookups import run_or_404, viewer_of


@require_POST
@login_required
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take a run off the boards."""
    viewer = viewer_of(request)
    run = run_or_404(viewer, pk)
    try:
        withdraw_run(viewer, run)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        messages.success(request, "The run is withdrawn. It no longer stands on boards.")
    return redirect("pages:run", pk=run.pk)


@require_POST
@login_required
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Start failed work again."""
    viewer = viewer_of(request)
    run = run_or_404(viewer, pk)
    try:
        retry_run(viewer, run)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        messages.success(request, "The work has been started again.")
    return redirect("pages:run", pk=run.pk)
