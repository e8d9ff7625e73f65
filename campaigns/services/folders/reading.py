"""Reads ``campaign.yaml`` into specs: campaign, collections and teams; the rest by neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email

from campaigns.models import FilePurpose, Translation, Vocabulary
from campaigns.services.folders.document import read_document
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.paths import Folder
from campaigns.services.folders.run_sections import read_submission
from campaigns.services.folders.section import Section, refuse_repeats
from campaigns.services.folders.specs import (
    CampaignSpec,
    CollectionSpec,
    FileUse,
    FormSpec,
    SystemSpec,
    TeamSpec,
)
from campaigns.services.folders.task_sections import read_task
from campaigns.services.topic_files import MAIN_FORM
from campaigns.services.zones import normal_zone, zone_of

FILE_NAME = "campaign.yaml"
MAX_RUNS = 100_000


def read_folder(root: Path, slug: str | None = None) -> tuple[CampaignSpec, Faults]:
    """The campaign that a folder describes, and its faults so far.

    Raises ``FolderRefusedError`` where nothing can be read at all. With faults, the spec holds
    what could be understood, so that the files can still be looked at. ``slug`` overrides.
    """
    faults = Faults()
    if not root.is_dir():
        faults.add("", f"{root.name!r} is not a folder")
        faults.refuse_if_any()
    if not (root / FILE_NAME).resolve().is_relative_to(root.resolve()):
        faults.add("", f"{FILE_NAME} leads out of the folder")
        faults.refuse_if_any()
    document = read_document(root / FILE_NAME)
    faults = Faults(document.lines)
    if document.value is None:
        faults.add("", f"{FILE_NAME} is empty")
        faults.refuse_if_any()
    return _Reader(Folder(root, faults), faults, slug).read(document.value), faults


class _Reader:
    def __init__(self, folder: Folder, faults: Faults, slug: str | None) -> None:
        self.folder, self.faults, self.slug = folder, faults, slug

    def read(self, value: Any) -> CampaignSpec:
        top = Section(value, "", self.faults)
        head = top.section("campaign")
        if top.is_mapping and not top.has("campaign"):
            top.fault("campaign", "is missing")
        slug = head.slug()
        if self.slug is not None:
            slug = Section({"slug": self.slug}, "campaign", self.faults).slug()
        organizers = tuple(head.texts("organizers"))
        columns = self._campaign(head)
        collections = [(one, self._collection(one)) for one in top.sections("collections")]
        refuse_repeats([(one, spec.slug) for one, spec in collections], "collection")
        known = {spec.slug: spec for _, spec in collections}
        tasks = [
            (one, read_task(one, position, self.folder, known, columns["timezone"]))
            for position, one in enumerate(top.sections("tasks"))
        ]
        refuse_repeats([(one, spec.slug) for one, spec in tasks], "task")
        teams = [(one, self._team(one)) for one in top.sections("teams")]
        refuse_repeats([(one, spec.slug) for one, spec in teams], "team")
        runs = top.sections("runs")
        if len(runs) > MAX_RUNS:
            top.fault("runs", f"lists more than {MAX_RUNS:,} runs")
            runs = []
        by_slug = {spec.slug: spec for _, spec in tasks}
        slugs = {spec.slug for _, spec in teams}
        submissions = [read_submission(one, self.folder, by_slug, slugs) for one in runs]
        top.close()
        return CampaignSpec(
            slug,
            columns,
            tuple(spec for _, spec in collections),
            tuple(spec for _, spec in tasks),
            tuple(spec for _, spec in teams),
            tuple(spec for spec in submissions if spec is not None),
            organizers,
        )

    def _campaign(self, head: Section) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "title": head.text("title", most=200, required=True),
            "summary": head.text("summary", most=500),
            "description": head.text("description"),
            "vocabulary": head.choice("vocabulary", Vocabulary.values, Vocabulary.CENTRE),
            "contact": head.text("contact", most=254),
            "website": head.text("website", most=200),
            "citation": head.text("citation"),
            "timezone": read_zone(head, "timezone", "AoE"),
            "is_public": head.flag("public", True),
            "is_example": head.flag("example"),
        }
        for name, check in (
            ("contact", validate_email),
            ("website", URLValidator(schemes=["http", "https"])),
        ):
            try:
                if columns[name]:
                    check(columns[name])
            except ValidationError as error:
                head.fault(name, f"{columns[name]!r} is not valid: {error.messages[0]}")
        head.close()
        return columns

    def _collection(self, one: Section) -> CollectionSpec:
        slug = one.slug()
        columns = {
            "title": one.text("title", most=200) or slug,
            "description": one.text("description"),
            "languages": one.texts("languages"),
            "documents": one.whole("documents", most=10**15),
        }
        spec = CollectionSpec(
            slug,
            one.path,
            columns,
            self._file(one, "document_ids", FilePurpose.DOCUMENT_IDS, slug),
            self._file(one, "topics", FilePurpose.TOPICS, slug, MAIN_FORM, "", ""),
            self._file(one, "qrels", FilePurpose.QRELS, slug),
            tuple(
                form
                for section in one.sections("topic_forms")
                if (form := self._form(section, slug)) is not None
            ),
        )
        seen: set[tuple[str, str, str]] = set()
        for position, form in enumerate(spec.forms):
            if (key := (form.form, form.language, form.translation)) in seen:
                self.faults.add(f"{one.path}.topic_forms[{position}]", "stands twice")
            seen.add(key)
        one.close()
        return spec

    def _file(
        self, one: Section, name: str, purpose: FilePurpose, slug: str, *more: str
    ) -> FileUse | None:
        value = one.take(name)
        if value is None:
            return None
        return self.folder.file(value, one.at(name), purpose, (purpose.value, slug, *more))

    def _form(self, one: Section, slug: str) -> FormSpec | None:
        form = one.text("form", most=40, required=True)
        language = one.text("language", most=12)
        translation = one.choice("translation", Translation.values, Translation.NONE)
        if form == MAIN_FORM:
            one.fault("form", f"{MAIN_FORM!r} is the name of the collection's own topic file")
        if not one.has("file"):
            one.fault("file", "is missing")
        file = self._file(one, "file", FilePurpose.TOPICS, slug, form, language, translation)
        one.close()
        return None if file is None else FormSpec(form, language, translation, file)

    def _team(self, one: Section) -> TeamSpec:
        slug = one.slug()
        columns = {
            "name": one.text("name", most=120) or slug,
            "affiliation": one.text("affiliation", most=200),
            "is_organizers": one.flag("organizers"),
        }
        systems = [(section, self._system(section)) for section in one.sections("systems")]
        refuse_repeats([(section, spec.slug) for section, spec in systems], "system")
        members = tuple(one.texts("members"))
        one.close()
        return TeamSpec(slug, one.path, columns, tuple(spec for _, spec in systems), members)

    def _system(self, one: Section) -> SystemSpec:
        slug = one.slug()
        columns = {
            "name": one.text("name", most=120) or slug,
            "description": one.text("description"),
            "metadata": one.mapping("metadata"),
        }
        one.close()
        return SystemSpec(slug, columns)


def read_zone(section: Section, name: str, default: str) -> str:
    """The name of a time zone."""
    zone = section.text(name, most=64) or default
    if zone_of(zone) is None:
        section.fault(
            name, f"{zone!r} is no time zone: write AoE, UTC, +02:00 or a name like Europe/Berlin"
        )
        return default
    return normal_zone(zone)
