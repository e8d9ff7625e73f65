"""The forms of accounts, in the words of this site: labels that stand alone, one line of rules."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account

LABELS = {
    "email": "E-mail",
    "login": "E-mail",
    "remember": "Stay logged in",
    "oldpassword": "Current password",
    "password1": "Password",
    "password2": "Password (again)",
}
NEW_PASSWORD = {"password1": "New password", "password2": "New password (again)"}
RULES = "At least 8 characters. No common password, not only digits, and unlike your address."


class _PlainMixin:
    """Labels of ours; no placeholders, which would vanish while one types."""

    own_labels: dict[str, str] = {}
    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = (LABELS | self.own_labels).get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
        if "password1" in self.fields:
            self.fields["password1"].help_text = RULES


class LoginForm(_PlainMixin, account.LoginForm):
    """Log in."""


class SignupForm(_PlainMixin, account.SignupForm):
    """Get an account."""


class AddEmailForm(_PlainMixin, account.AddEmailForm):
    """Another address."""


class ChangePasswordForm(_PlainMixin, account.ChangePasswordForm):
    """Change the password, knowing it."""

    own_labels = NEW_PASSWORD


class SetPasswordForm(_PlainMixin, account.SetPasswordForm):
    """Set the first password."""


class ResetPasswordForm(_PlainMixin, account.ResetPasswordForm):
    """Ask for a link that sets a new password."""


class ResetPasswordKeyForm(_PlainMixin, account.ResetPasswordKeyForm):
    """Set a new password by a link."""

    own_labels = NEW_PASSWORD


class ReauthenticateForm(_PlainMixin, account.ReauthenticateForm):
    """Show that it is still you."""
