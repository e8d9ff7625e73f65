"""The audit list: who did what, when and why; on pages and as CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.models import ALWAYS, AuditEntry
from campaigns.services.board_exports import csv_cell
from campaigns.templatetags.times import utc
from campaigns.views.organize.base import Place, organizers_only, shown
from campaigns.views.paging import page_links

PAGE_ENTRIES = 50
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
COLUMNS = ("at", "actor", "action", "target", "reason", "detail")


def _entries(place: Place, query: Any) -> QuerySet[AuditEntry]:
    rows = AuditEntry.objects.filter(campaign=place.campaign)
    if query.get("action"):
        rows = rows.filter(action=query["action"])
    if query.get("actor"):
        rows = rows.filter(actor_label=query["actor"])
    if query.get("q"):
        word = query["q"][:200]
        rows = rows.filter(Q(target__icontains=word) | Q(reason__icontains=word))
    return rows


def _as_csv(place: Place, rows: QuerySet[AuditEntry]) -> HttpResponse:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for entry in rows:
        cells = (
            entry.at.isoformat(timespec="seconds"), entry.actor_label, entry.action, entry.target,
            entry.reason, json.dumps(entry.detail, ensure_ascii=False) if entry.detail else "",
        )  # fmt: skip
        writer.writerow([csv_cell(cell) for cell in cells])
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="audit-{place.campaign.slug}.csv"'
    return response


def _lines_of(entry: AuditEntry) -> list[tuple[str, str]]:
    """The details of an entry as words: a change as before → after."""
    lines = []
    for name, value in entry.detail.items():
        if name == "changed" and isinstance(value, dict):
            lines += [
                (column.replace("_", " "), f"{_word(before)} → {_word(after)}")
                for column, (before, after) in value.items()
            ]
        else:
            lines.append((name.replace("_", " "), _word(value)))
    return lines


def _word(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return _moment(str(value))
    return json.dumps(value, ensure_ascii=False)


def _moment(text: str) -> str:
    """A moment as pages write it; any other text as it is."""
    if not _ISO.fullmatch(text):
        return text
    moment = datetime.fromisoformat(text)
    return "always" if moment == ALWAYS else utc(moment)


@require_safe
@organizers_only()
def audit_list(request: HttpRequest, place: Place) -> HttpResponse:
    """The list with its filters."""
    query = request.GET
    rows = _entries(place, query)
    if query.get("format") == "csv":
        return _as_csv(place, rows)
    every = AuditEntry.objects.filter(campaign=place.campaign).order_by()
    page = Paginator(rows, PAGE_ENTRIES).get_page(query.get("page"))
    kept = {name: query[name] for name in ("action", "actor", "q") if query.get(name)}
    context = {
        "lines": [(entry, _lines_of(entry)) for entry in page],
        "page": page,
        "pages": page_links(page, lambda number: f"?{urlencode({**kept, 'page': number})}"),
        "actions": sorted(set(every.values_list("action", flat=True))),
        "actors": sorted(set(every.values_list("actor_label", flat=True))),
        "query": query,
        "is_filtered": bool(kept),
        "csv_href": f"?{urlencode({**kept, 'format': 'csv'})}",
    }
    return shown(request, place, "audit", context, tab="audit")
