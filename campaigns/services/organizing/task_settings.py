"""Settings of a task as a form gives them, read by the very code that reads campaign folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaigns.models import Collection
from campaigns.services.folders.faults import Faults, FolderRefusedError
from campaigns.services.folders.paths import Folder
from campaigns.services.folders.section import Section
from campaigns.services.folders.specs import CollectionSpec, TaskSpec
from campaigns.services.folders.task_sections import SWITCHES, read_task
from campaigns.services.refusals import RefusalError

# Files and originals come after the task is there.
LATER = ("initial_run", "pool", "originals")
PLAN = ("opens", "closes", "timezone", "is_paused", *(f"{name}_from" for name in SWITCHES))
"""Columns of the page of dates; all others are those of the page of settings."""

_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Settings:
    """What was read: columns of the row, and the slugs that it refers to."""

    kind: str
    collection: str
    original_collection: str
    columns: dict[str, Any]


def _spec(
    values: Mapping[str, Any], collections: Iterable[Collection], position: int
) -> tuple[TaskSpec, dict[str, str]]:
    faults = Faults()
    known = {
        one.slug: CollectionSpec(one.slug, "", {}, None, None, None, ()) for one in collections
    }
    section = Section(dict(values), "", faults)
    spec = read_task(section, position, Folder(Path(), faults), known, "AoE")
    errors: dict[str, str] = {}
    try:
        faults.refuse_if_any()
    except FolderRefusedError as refused:
        for fault in refused.faults:
            if fault.path not in LATER:
                name, text = _placed(fault.path, fault.text)
                errors[name] = f"{errors[name]} {text}" if name in errors else text
    return spec, errors


def _placed(path: str, text: str) -> tuple[str, str]:
    """The form's field of a YAML path, and the fault as a sentence."""
    name, _, rest = path.partition(".")
    index = _INDEX.search(name)
    name = _INDEX.sub("", name)
    if name in ("limits", "comparison", "gains", "visible_from") and rest:
        inner = _INDEX.sub("", rest)
        if name == "comparison" and inner == "depth":
            inner = "comparison_depth"
        return (f"{inner}_from" if name == "visible_from" else inner), _sentence(text)
    if name == "rules" and rest:
        return "rules", _sentence(f"{rest} {text}")
    if name == "fields" and index is not None:
        return "fields", _sentence(f"Field {int(index[1]) + 1}, {rest or 'itself'}, {text}")
    return name, _sentence(text)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?")) else f"{text}."


def read_settings(
    values: Mapping[str, Any],
    collections: Iterable[Collection],
    *,
    position: int = 0,
    only: Iterable[str] | None = None,
) -> Settings:
    """Read values named as in ``campaign.yaml``; raises ``RefusalError`` with faults by field.

    ``only``: the columns wanted, with faults of others left aside.
    """
    spec, errors = _spec(values, collections, position)
    columns = dict(spec.columns)
    if only is not None:
        wanted = set(only)
        columns = {name: value for name, value in columns.items() if name in wanted}
        errors = {name: text for name, text in errors.items() if name in wanted}
    else:
        columns = {name: value for name, value in columns.items() if name not in PLAN}
    if errors:
        raise RefusalError("bad_field", "Some settings need another value.", 422, errors)
    return Settings(spec.kind, spec.collection, spec.original_collection, columns)
