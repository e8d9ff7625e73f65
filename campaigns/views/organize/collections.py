"""Collections: their settings, topics and qrels, and the page where a version is published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaigns.forms.organize.campaigns import CollectionForm, NewCollectionForm, PublishForm
from campaigns.models import Collection, Qrels, QrelsState, Task, Topic, TopicForm, Upload
from campaigns.services.checks import newest_qrels
from campaigns.services.organizing.collections import (
    SETTINGS,
    change_collection,
    create_collection,
)
from campaigns.services.organizing.edits import stamp
from campaigns.services.organizing.publishing import (
    board_counts,
    boards_of,
    is_moving,
    needs_confirmation,
    publish_draft,
    reach_of,
)
from campaigns.services.refusals import RefusalError
from campaigns.views.findings import findings
from campaigns.views.organize.attention_items import qrels_href
from campaigns.views.organize.base import Place, organizers_only, posted, shown
from campaigns.views.paging import page_links

PAGE_TOPICS = 100
LISTED_UPLOADS = 10


@require_safe
@organizers_only()
def collections(request: HttpRequest, place: Place) -> HttpResponse:
    """All collections of the campaign."""
    rows = Collection.objects.filter(campaign=place.campaign, deleted_at=None)
    lines = [(row, Topic.objects.filter(collection=row).count(), newest_qrels(row)) for row in rows]
    return shown(request, place, "collections", {"lines": lines}, tab="collections")


@organizers_only(changes=True)
def new_collection(request: HttpRequest, place: Place) -> HttpResponse:
    """A form, and then the page of the new collection."""
    form = NewCollectionForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = create_collection(
                place.viewer, place.campaign, form.cleaned_data["slug"], form.values(SETTINGS)
            )
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The collection is there. Next: its topics and qrels.")
            return redirect("organize:collection", place.campaign.slug, made.slug)
    status = 422 if form.is_bound else 200
    context = {"form": form, "heading": "New collection", "action": "Create the collection"}
    return shown(request, place, "form", context, tab="collections", status=status)


def _initial(row: Collection) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in SETTINGS}
    return {**values, "languages": ", ".join(row.languages), "seen": stamp(row, SETTINGS)}


@organizers_only()
def collection(request: HttpRequest, place: Place, collection: str) -> HttpResponse:
    """Topics, document ids, versions of the qrels, and the settings."""
    row = place.collection(collection)
    form = CollectionForm(posted(request), initial=_initial(row))
    if request.method == "POST" and form.is_valid():
        try:
            change_collection(place.viewer, row, form.values(SETTINGS), form.cleaned_data["seen"])
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The settings are saved.")
            return redirect("organize:collection", place.campaign.slug, row.slug)
    topics = Topic.objects.filter(collection=row)
    context = {
        "collection": row,
        "form": form,
        "topic_count": topics.count(),
        "topic_forms": TopicForm.objects.filter(collection=row).select_related("file"),
        "versions": versions_of(place, row, None),
        "uploads": Upload.objects.filter(collection=row, task=None).select_related(
            "file", "uploaded_by", "qrels"
        )[:LISTED_UPLOADS],
        "tasks": Task.objects.filter(collection=row, deleted_at=None),
    }
    status = 422 if form.is_bound else 200
    return shown(request, place, "collection", context, tab="collections", status=status)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of qrels or of a pool in a list."""

    row: Qrels
    href: str
    is_used: bool
    boards: str


def versions_of(place: Place, collection: Collection, task: Task | None) -> list[Version]:
    """Versions, newest first, with the boards that stand on each."""
    rows = (
        Qrels.objects.filter(collection=collection, task=task)
        .select_related("file", "collection", "task", "topic_order", "uploaded_by")
        .order_by("-number")
    )
    published = [row.pk for row in rows if row.state == QrelsState.PUBLISHED]
    counted = board_counts(rows)
    return [
        Version(
            row,
            qrels_href(place.campaign, row),
            row.pk in published[:1],
            ", ".join(f"{count} {state}" for state, count in counted.get(row.pk, [])),
        )
        for row in rows
    ]


@require_safe
@organizers_only()
def topics(request: HttpRequest, place: Place, collection: str) -> HttpResponse:
    """The topics with their wording."""
    row = place.collection(collection)
    rows = Topic.objects.filter(collection=row).prefetch_related("texts__form")
    page = Paginator(rows, PAGE_TOPICS).get_page(request.GET.get("page"))
    context = {
        "collection": row,
        "page": page,
        "pages": page_links(page, lambda number: f"?page={number}"),
    }
    return shown(request, place, "topics", context, tab="collections")


@organizers_only()
def qrels(request: HttpRequest, place: Place, collection: str, number: int) -> HttpResponse:
    """A version of a collection's qrels."""
    return _version(request, place, place.collection(collection), None, number)


@organizers_only()
def pool(request: HttpRequest, place: Place, task: str, number: int) -> HttpResponse:
    """A version of a task's pool."""
    found = place.task(task)
    return _version(request, place, found.collection, found, number)


def _version(
    request: HttpRequest, place: Place, collection: Collection, task: Task | None, number: int
) -> HttpResponse:
    row = (
        Qrels.objects.filter(collection=collection, task=task, number=number)
        .select_related("file", "topic_order", "uploaded_by", "collection__campaign", "task")
        .first()
    )
    if row is None:
        raise Http404
    is_draft = row.state == QrelsState.DRAFT
    word = f"v{row.number}" if is_draft and needs_confirmation(row) else ""
    form = PublishForm(posted(request), initial={"changelog": row.changelog}, word=word)
    if request.method == "POST" and form.is_valid():
        try:
            publish_draft(
                place.viewer,
                row,
                changelog=form.cleaned_data["changelog"],
                confirmation=form.cleaned_data.get("confirmation", ""),
            )
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, f"Version {row.number} is published. Runs are being scored.")
            return redirect(qrels_href(place.campaign, row))
    boards = boards_of(row)
    if request.method == "GET" and request.GET.get("part") == "boards":
        progress = {"campaign": place.campaign, "boards": boards, "is_moving": is_moving(row)}
        return render(request, "organize/parts/boards.html", progress)
    before = newest_qrels(collection, task)
    context = {
        "collection": collection,
        "task": task,
        "qrels": row,
        "before": before if before and before.pk != row.pk else None,
        "is_draft": is_draft,
        "is_superseded": is_draft and before is not None and before.number > row.number,
        "reach": reach_of(row) if is_draft else [],
        "boards": boards,
        "is_moving": is_moving(row),
        "findings": findings(row.messages),
        "form": form,
    }
    status = 422 if form.is_bound else 200
    return shown(request, place, "qrels", context, tab="collections", status=status)
