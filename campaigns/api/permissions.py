"""What a token may be used for. What may be seen is decided by ``campaigns.policies``."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from campaigns.models import ApiToken, Scope


class HasScope(BasePermission):
    """A token needs ``read`` to look and ``submit`` to hand in; a browser's session has both."""

    message = "This token lacks a scope."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the token, if any, has the scope of the method."""
        scope = Scope.READ if request.method in SAFE_METHODS else Scope.SUBMIT
        token = request.auth
        if isinstance(token, ApiToken) and scope not in token.scopes:
            self.message = f"This token lacks the scope “{scope}”. Create one that has it."
            return False
        return True


class IsSomebody(BasePermission):
    """Needs an account: without one the answer is 401."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the caller is known."""
        return bool(request.user and request.user.is_authenticated)
