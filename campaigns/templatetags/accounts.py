"""What the pages of an account ask about addresses and mail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.conf import settings

register = template.Library()


@register.filter
def has_unconfirmed(addresses: Iterable[Any]) -> bool:
    """Whether one of the addresses still waits for its link to be opened."""
    return any(not one.verified for one in addresses)


@register.simple_tag
def keeps_mail() -> bool:
    """Whether mail is written to a folder, because no mail server is configured."""
    return bool(settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"))
