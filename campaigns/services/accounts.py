"""What people change of their own account beside what allauth does."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from campaigns.models import User


def rename(user: User, name: str) -> None:
    """Change how others see a person; audit entries and events keep the older label."""
    user.name = name
    user.save(update_fields=["name"])


def end_other_sessions(user: User, keep: str | None) -> int:
    """Log the person out everywhere but here; how many browsers that were."""
    ended = 0
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        is_own = session.get_decoded().get("_auth_user_id") == str(user.pk)
        if is_own and session.session_key != keep:
            session.delete()
            ended += 1
    return ended
