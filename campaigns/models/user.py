"""People. An account is known by its e-mail address."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone


def normal_email(email: str) -> str:
    """The one spelling under which an address is stored: trimmed and lower case."""
    return email.strip().lower()


class UserManager(BaseUserManager["User"]):
    """Creates accounts; addresses are lower-cased in Python, so every database agrees."""

    def create_user(self, email: str, password: str | None = None, **extra: Any) -> User:
        """An ordinary account; without a password it cannot log in by password."""
        if not email or "@" not in email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=normal_email(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **extra: Any) -> User:
        """An account that runs the site."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **extra)

    def get_by_natural_key(self, username: str | None) -> User:
        """Log-in finds the account however the address was typed."""
        return self.get(email=normal_email(username or ""))


class User(AbstractBaseUser, PermissionsMixin):
    """An account. Teams and roles hang on it, never runs directly."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_staff = models.BooleanField("may open the admin", default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: list[str] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(email=Lower("email")), name="user_email_is_lower_case"
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def clean(self) -> None:
        """Forms store the address in its one spelling too."""
        super().clean()
        self.email = normal_email(self.email)
