"""Collections are created and changed; their files come as uploads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from campaigns.models import Campaign, Collection
from campaigns.policies import Viewer
from campaigns.services.events import audit
from campaigns.services.organizing.edits import apply, refuse_if_changed
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.refusals import RefusalError

SETTINGS = ("title", "description", "languages", "documents")


def create_collection(
    viewer: Viewer, campaign: Campaign, slug: str, columns: Mapping[str, Any]
) -> Collection:
    """A new collection without files; raises ``RefusalError``."""
    require_organizer(viewer, campaign)
    taken = f"This campaign has a collection {slug} already."
    try:
        with transaction.atomic():
            row = Collection.objects.create(campaign=campaign, slug=slug, **columns)
            audit(campaign, viewer.user, "create collection", slug)
    except IntegrityError as error:
        raise RefusalError("bad_field", taken, 409, {"slug": taken}) from error
    return row


def change_collection(
    viewer: Viewer, collection: Collection, columns: Mapping[str, Any], seen: str
) -> Collection:
    """Change settings; raises ``RefusalError``, also when somebody else was faster."""
    campaign = collection.campaign
    require_organizer(viewer, campaign)
    with transaction.atomic():
        row = Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
        refuse_if_changed(row, SETTINGS, seen, campaign)
        changed = apply(row, columns)
        if changed:
            audit(campaign, viewer.user, "change collection", row.slug, changed=changed)
    return row
