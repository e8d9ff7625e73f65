"""Invisible characters that would reach beyond the name in which they stand."""

from __future__ import annotations

import unicodedata

# They turn the direction of what follows: a name must not reach into its neighbours.
_TURNING = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
REMEDY = "Remove the invisible control characters."


def _is_hidden(one: str) -> bool:
    return one in _TURNING or (unicodedata.category(one) == "Cc" and one not in "\n\r\t")


def has_hidden_marks(text: str) -> bool:
    """Whether a text holds control characters other than line breaks and tabs.

    >>> has_hidden_marks("two\\nlines"), has_hidden_marks("a\\u202eb")
    (False, True)
    """
    return any(map(_is_hidden, text))


def without_hidden_marks(text: str) -> str:
    """What is left of a text for which nobody can be asked again.

    >>> without_hidden_marks("run\\u202etxt.exe")
    'runtxt.exe'
    """
    return "".join(one for one in text if not _is_hidden(one))
