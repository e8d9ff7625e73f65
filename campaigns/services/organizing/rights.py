"""The first question of every verb here: may this viewer organize the campaign?"""

from __future__ import annotations

from campaigns import policies
from campaigns.models import Campaign
from campaigns.policies import Viewer
from campaigns.services.refusals import RefusalError


def require_organizer(viewer: Viewer, campaign: Campaign) -> None:
    """Raises ``RefusalError`` (403) for everybody but owners, organizers, administrators."""
    if not policies.may_organize(viewer, campaign.pk):
        raise RefusalError("may_not_organize", "Only organizers of the campaign do this.", 403)
