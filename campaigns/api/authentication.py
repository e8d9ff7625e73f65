"""Bearer tokens for the REST interface."""

from __future__ import annotations

from rest_framework.authentication import BaseAuthentication
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
