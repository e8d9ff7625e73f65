"""Fields that organizers add to the submission form: their definition and their values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from campaigns.services.marks import REMEDY, has_hidden_marks

TYPES = ("choice", "text", "number", "flag", "url")
MAX_TEXT = 2000


def definition_faults(fields: Any) -> list[str]:
    """Everything wrong with a list of field definitions; empty when it is sound."""
    if not isinstance(fields, list):
        return ["must be a list"]
    faults: list[str] = []
    names: set[str] = set()
    for position, one in enumerate(fields):
        at = f"[{position}]"
        if not isinstance(one, dict):
            faults.append(f"{at} must be a mapping")
            continue
        name = one.get("name")
        if not isinstance(name, str) or not name.isidentifier() or len(name) > 60:
            faults.append(f"{at}.name must be a short identifier")
        elif name in names:
            faults.append(f"{at}.name {name!r} stands twice")
        else:
            names.add(name)
        if one.get("type") not in TYPES:
            faults.append(f"{at}.type must be one of {', '.join(TYPES)}")
        choices = one.get("choices")
        if one.get("type") == "choice" and not (
            isinstance(choices, list) and choices and all(isinstance(c, str) for c in choices)
        ):
            faults.append(f"{at}.choices must list the choices as texts")
        faults += [
            f"{at}.{flag} must be true or false"
            for flag in ("required", "public")
            if not isinstance(one.get(flag, False), bool)
        ]
        words = (one.get("label"), one.get("help"), *(choices if isinstance(choices, list) else ()))
        if any(isinstance(word, str) and has_hidden_marks(word) for word in words):
            faults.append(f"{at} holds invisible control characters: remove them")
        unknown = sorted(
            set(one) - {"name", "type", "choices", "required", "public", "label", "help"}
        )
        faults += [f"{at}.{key} is not known" for key in unknown]
    return faults


def _clean_number(value: Any) -> float | int:
    if isinstance(value, str) and ("_" in value or not value.isascii()):
        raise ValueError
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError
    return int(number) if number.is_integer() else number


def _is_storable(text: str) -> bool:
    """PostgreSQL stores neither NUL nor half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _clean_one(definition: Mapping[str, Any], value: Any) -> tuple[Any, str]:
    """The stored value and a fault, one of which is empty."""
    kind = definition["type"]
    if kind == "choice":
        choices = definition["choices"]
        return (value, "") if value in choices else (None, f"Choose one of {', '.join(choices)}.")
    if kind == "number":
        try:
            return _clean_number(value), ""
        except (TypeError, ValueError, OverflowError):
            return None, "Give a number."
    if kind == "flag":
        words = {"true": True, "false": False, "on": True, "1": True, "0": False}
        flag = value if isinstance(value, bool) else words.get(str(value).lower())
        return (flag, "") if flag is not None else (None, "Give true or false.")
    if not isinstance(value, str) or len(value) > MAX_TEXT or not _is_storable(value):
        return None, f"Give a text of at most {MAX_TEXT} characters."
    if has_hidden_marks(value):
        return None, REMEDY
    if kind == "url":
        try:
            parts = urlsplit(value)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            return None, "Give an address that begins with https:// or http://."
    return value, ""


def clean_metadata(
    fields: Sequence[Mapping[str, Any]], given: Any
) -> tuple[dict[str, Any], dict[str, str]]:
    """Values to store and faults by field. Unknown fields are refused, not dropped."""
    if not isinstance(given, Mapping):
        return {}, {"metadata": "Give a JSON object."}
    known = {one["name"]: one for one in fields}
    values: dict[str, Any] = {}
    faults = {str(name)[:60]: "This task has no such field." for name in given if name not in known}
    for name, definition in known.items():
        value = given.get(name)
        if value is None or value == "":
            if definition.get("required"):
                faults[name] = "This field is required."
            continue
        cleaned, fault = _clean_one(definition, value)
        if fault:
            faults[name] = fault
        else:
            values[name] = cleaned
    return values, faults
