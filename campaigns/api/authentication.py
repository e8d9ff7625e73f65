"""Who calls: the owner of a bearer token, or a person logged in by browser."""

from __future__ import annotations

import copy

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from campaigns.models import ApiToken, User
from campaigns.services.tokens import TokenError, use_token


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer <token>``; a bad token is 401 even where nobody need log in."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's owner and the token, or None when the header is absent."""
        header = request.headers.get("Authorization", "")
        scheme, _, secret = header.partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            token = use_token(secret.strip())
        except TokenError as refusal:
            raise AuthenticationFailed(str(refusal)) from refusal
        return token.user, token

    def authenticate_header(self, _request: Request) -> str:
        """Makes a refusal 401."""
        return 'Bearer realm="Centreboard"'


class HeaderSessionAuthentication(SessionAuthentication):
    """A browser's session. Its CSRF token comes in the header, so that no body is read for it."""

    def enforce_csrf(self, request: Request) -> None:
        """Check as for a method whose form Django does not look into."""
        without_form = copy.copy(getattr(request, "_request", request))
        without_form.method = "PUT"
        super().enforce_csrf(without_form)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names token log-in."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """A bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your tokens page or from `manage.py create_token`.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    """How the schema names a browser's session."""

    target_class = HeaderSessionAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The session cookie; writing needs the header X-CSRFToken too."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
