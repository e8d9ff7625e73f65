"""Who may see and do what: one rule set for pages, API, exports, charts and mail.

Every rule takes a ``Viewer`` and the object, and reads only the object's own columns and the
viewer's roles and teams. ``querysets`` says the same in SQL; a test proves that both agree.
"""

from __future__ import annotations

from campaigns.policies.campaigns import (
    may_see_board,
    may_see_campaign,
    may_see_qrels,
    may_see_task,
)
from campaigns.policies.dates import (
    closed_reason,
    is_open,
    is_past_deadline,
    is_reached,
    phase,
)
from campaigns.policies.pairs import (
    is_own_pair,
    may_see_pair,
    may_see_pair_scores,
)
from campaigns.policies.roles import (
    VISITOR,
    audience,
    may_be_offered_to_organize,
    may_change_role,
    may_create_campaign,
    may_organize,
    oversees,
    takes_part,
)
from campaigns.policies.runs import (
    is_own_run,
    may_retry,
    may_see_file,
    may_see_messages,
    may_see_organizer_messages,
    may_see_run,
    may_see_scores,
    may_see_topic_scores,
    may_withdraw,
)
from campaigns.policies.teams import (
    may_manage_team,
    may_see_team,
    may_see_team_name,
    may_start_team,
    may_submit_for,
)
from campaigns.policies.viewer import (
    NO_TEAM,
    SeenAs,
    Viewer,
)

__all__ = [
    "NO_TEAM",
    "VISITOR",
    "SeenAs",
    "Viewer",
    "audience",
    "closed_reason",
    "is_open",
    "is_own_pair",
    "is_own_run",
    "is_past_deadline",
    "is_reached",
    "may_be_offered_to_organize",
    "may_change_role",
    "may_create_campaign",
    "may_manage_team",
    "may_organize",
    "may_retry",
    "may_see_board",
    "may_see_campaign",
    "may_see_file",
    "may_see_messages",
    "may_see_organizer_messages",
    "may_see_pair",
    "may_see_pair_scores",
    "may_see_qrels",
    "may_see_run",
    "may_see_scores",
    "may_see_task",
    "may_see_team",
    "may_see_team_name",
    "may_see_topic_scores",
    "may_start_team",
    "may_submit_for",
    "may_withdraw",
    "oversees",
    "phase",
    "takes_part",
]
