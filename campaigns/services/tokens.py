"""REST tokens: hashed, named, scoped, expiring, with their last use."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from campaigns.models import ApiToken, Scope, User

PREFIX = "cb_"
LAST_USED_STEP = timedelta(minutes=1)


class TokenError(Exception):
    """A token that opens nothing, with the reason its owner should read."""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def create_token(
    user: User, name: str, scopes: Sequence[str], days: int | None = None
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is shown once and kept nowhere.

    Raises ``ValueError`` for an unknown scope or a life outside 1 to ``TOKEN_MAX_DAYS`` days.
    """
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        raise ValueError(
            f"Scopes are {', '.join(Scope.values)}; got {', '.join(unknown) or 'none'}."
        )
    life = settings.TOKEN_DAYS if days is None else days
    if not 1 <= life <= settings.TOKEN_MAX_DAYS:
        raise ValueError(f"A token lives 1 to {settings.TOKEN_MAX_DAYS} days; got {life}.")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        digest=_digest(secret),
        prefix=secret[:10],
        scopes=[scope for scope in Scope.values if scope in scopes],
        expires_at=timezone.now() + timedelta(days=life),
    )
    return token, secret


def use_token(secret: str) -> ApiToken:
    """The token behind a secret, noting its use; raises ``TokenError`` with the reason."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(secret)).first()
    now = timezone.now()
    if token is None:
        raise TokenError("This token is not known. Create one on your tokens page.")
    if token.revoked_at is not None:
        raise TokenError(
            f"The token “{token.name}” was revoked on {token.revoked_at:%Y-%m-%d %H:%M} UTC. "
            "Create a new one on your tokens page."
        )
    if token.expires_at <= now:
        raise TokenError(
            f"The token “{token.name}” ended on {token.expires_at:%Y-%m-%d %H:%M} UTC. "
            "Create a new one on your tokens page."
        )
    if not token.user.is_active:
        raise TokenError("The account of this token is closed.")
    if token.last_used_at is None or token.last_used_at < now - LAST_USED_STEP:
        # Seldom: on SQLite a write holds up every other one.
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def revoke_token(token: ApiToken) -> None:
    """End a token now; a token ended before keeps its time."""
    ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
