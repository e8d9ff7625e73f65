"""Writes a campaign as a folder that loads back to an equal campaign."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from campaigns.models import (
    ALWAYS,
    Campaign,
    Collection,
    Original,
    Qrels,
    QrelsState,
    StoredFile,
    Task,
    Team,
    TopicForm,
)
from campaigns.services.folders.document import plain_value
from campaigns.services.folders.reading import FILE_NAME
from campaigns.services.folders.task_sections import LIMITS, SWITCHES
from campaigns.services.topic_files import MAIN_FORM
from campaigns.services.uploads import PIECE, runs_storage
from campaigns.services.zones import write_time

Mapping = dict[str, Any]

_ODD = re.compile(r"[^A-Za-z0-9._-]+")


class FolderWriter:
    """Writes the files of a campaign below a folder, and their names into the YAML."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._written: dict[str, str] = {}

    def file(self, stored: StoredFile, *place: str) -> str:
        """Copy a stored file, byte by byte, into the folder; its relative name."""
        known = self._written.get(stored.key)
        if known is not None:
            return known
        name = _ODD.sub("_", stored.name).strip("._") or "file"
        relative = self._free("/".join(place), name[-120:])
        path = self.root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        with runs_storage().open(stored.key, "rb") as source, path.open("xb") as target:
            while piece := source.read(PIECE):
                target.write(piece)
        self._written[stored.key] = relative
        return relative

    def text(self, text: str, *place: str) -> str:
        """Write a small text; its relative name."""
        relative = self._free("/".join(place[:-1]), place[-1])
        path = self.root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return relative

    def _free(self, folder: str, name: str) -> str:
        """A name below the folder that is not taken yet."""
        number, relative = 1, f"{folder}/{name}"
        while (self.root / relative).exists():
            number += 1
            relative = f"{folder}-{number}/{name}"
        return relative

    def document(self, value: Mapping) -> None:
        """Write ``campaign.yaml``."""
        text = yaml.dump(
            value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100, indent=2
        )
        (self.root / FILE_NAME).write_text(text, encoding="utf-8", newline="\n")


class _Dumper(yaml.SafeDumper):
    """Quotes every text that would be read as something else; writes no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    text = str(value)  # a choice stands as its value
    style = None if plain_value(text) == text else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_multi_representer(str, _represent_text)


def campaign_section(campaign: Campaign) -> Mapping:
    """The head of the document."""
    return {
        "slug": campaign.slug,
        "title": campaign.title,
        "summary": campaign.summary,
        "description": campaign.description,
        "vocabulary": campaign.vocabulary,
        "contact": campaign.contact,
        "website": campaign.website,
        "citation": campaign.citation,
        "timezone": campaign.timezone,
        "public": campaign.is_public,
        "example": campaign.is_example,
    }


def newest(collection: Collection, task: Task | None) -> Qrels | None:
    """The published version that counts now."""
    return (
        Qrels.objects.filter(collection=collection, task=task, state=QrelsState.PUBLISHED)
        .select_related("file")
        .order_by("-number")
        .first()
    )


def collection_section(collection: Collection, writer: FolderWriter) -> Mapping:
    """One collection with its files."""
    place = ("collections", collection.slug)
    section: Mapping = {
        "slug": collection.slug,
        "title": collection.title,
        "description": collection.description,
        "languages": collection.languages,
        "documents": collection.documents,
    }
    if collection.document_ids is not None:
        section["document_ids"] = writer.file(collection.document_ids, *place, "document_ids")
    forms = []
    for form in TopicForm.objects.filter(collection=collection).select_related("file"):
        if form.file is None:
            continue
        if form.form == MAIN_FORM:
            section["topics"] = writer.file(form.file, *place, "topics")
        else:
            forms.append(
                {
                    "form": form.form,
                    "language": form.language,
                    "translation": form.translation,
                    "file": writer.file(form.file, *place, f"form-{form.pk}"),
                }
            )
    qrels = newest(collection, None)
    if qrels is not None:
        section["qrels"] = writer.file(qrels.file, *place, "qrels")
    if forms:
        section["topic_forms"] = forms
    return section


def task_section(
    task: Task, writer: FolderWriter, original_runs: Callable[..., Mapping]
) -> Mapping:
    """One task with all its settings."""
    section: Mapping = {
        "slug": task.slug,
        "title": task.title,
        "summary": task.summary,
        "description": task.description,
        "kind": task.kind,
        "collection": task.collection.slug,
        "measures": task.measures,
        "primary": task.primary,
        "topics_averaged": task.topics_averaged,
        "depth": task.depth,
        "depth_rule": task.depth_rule,
        "rules": task.rules,
        "tag_pattern": task.tag_pattern,
        "precision": task.precision,
        "paused": task.is_paused,
    }
    for name, value in (("order_by", task.order_by), ("gains", task.gains)):
        if value:
            section[name] = value
    if task.comparison:
        section["comparison"] = task.comparison
    section |= _times(task)
    section["limits"] = {
        **{name: getattr(task, column) for name, (column, _) in LIMITS.items()},
        "file_bytes": task.file_bytes,
    }
    section["fields"] = task.fields
    place = ("tasks", task.slug)
    if task.original_collection is not None:
        section["original_collection"] = task.original_collection.slug
    if task.initial_run is not None:
        section["initial_run"] = writer.file(task.initial_run, *place, "initial_run")
    pool = newest(task.collection, task)
    if pool is not None:
        section["pool"] = writer.file(pool.file, *place, "pool")
    originals = Original.objects.filter(task=task)
    if originals:
        section["originals"] = [
            {
                "slug": original.slug,
                "title": original.title,
                "paper": original.paper,
                **original_runs(original, *place, original.slug),
            }
            for original in originals
        ]
    return section


def _times(task: Task) -> Mapping:
    zone = task.timezone or "UTC"

    def shown(moment: datetime | None) -> str:
        if moment is None:
            return "never"
        return "always" if moment == ALWAYS else write_time(moment, zone)

    times: Mapping = {"timezone": task.timezone} if task.timezone else {}
    for name, moment in (("opens", task.opens), ("closes", task.closes)):
        if moment is not None:
            times[name] = write_time(moment, zone)
    times["visible_from"] = {name: shown(getattr(task, f"{name}_from")) for name in SWITCHES}
    return times


def team_section(team: Team) -> Mapping:
    """One team and its systems; people are not written."""
    return {
        "slug": team.slug,
        "name": team.name,
        "affiliation": team.affiliation,
        "organizers": team.is_organizers,
        "systems": [
            {
                "slug": system.slug,
                "name": system.name,
                "description": system.description,
                "metadata": system.metadata,
            }
            for system in team.systems.all()
        ],
    }
