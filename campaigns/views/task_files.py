"""Files of a task for participants."""

from __future__ import annotations

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from campaigns.services.task_downloads import download_of
from campaigns.views.lookups import task_or_404, viewer_of


@require_safe
def task_file(request: HttpRequest, campaign: str, task: str, name: str) -> StreamingHttpResponse:
    """Topics, candidates, initial run or document ids."""
    found = task_or_404(viewer_of(request), campaign, task)
    one = download_of(found, name)
    if one is None:
        raise Http404
    try:
        pieces = one.pieces()
    except FileNotFoundError as error:
        raise Http404 from error
    response = StreamingHttpResponse(pieces, content_type=one.content_type)
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-{one.name}"'
    return response
