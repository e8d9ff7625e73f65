"""Makes and updates the rows of a campaign from its folder, in one transaction.

Creating is updating with nothing there: what is not yet there is added, settings that differ
are changed, and nothing stored is ever rewritten or deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model

from campaigns.models import (
    Campaign,
    Collection,
    FilePurpose,
    Original,
    Qrels,
    QrelsState,
    System,
    Task,
    Team,
    TopicForm,
    User,
)
from campaigns.services.folders.inspection import Findings
from campaigns.services.folders.specs import CampaignSpec, CollectionSpec, FileUse, TaskSpec
from campaigns.services.folders.storing import StoredFiles
from campaigns.services.qrels import add_qrels, publish_qrels, start_evaluation
from campaigns.services.topic_files import MAIN_FORM, add_topics, set_texts

R = TypeVar("R", bound=Model)


class Rows:
    """Rows by slug while a folder is carried over, and what changed on the way."""

    def __init__(
        self, spec: CampaignSpec, stored: StoredFiles, found: Findings, user: User | None
    ) -> None:
        self.spec, self.stored, self.found, self.user = spec, stored, found, user
        self.changes: list[str] = []
        self.collections: dict[str, Collection] = {}
        self.tasks: dict[str, Task] = {}
        self.teams: dict[str, Team] = {}
        self.originals: dict[tuple[str, str], Original] = {}
        self.extended: list[str] = []
        self.campaign = Campaign(slug=spec.slug)

    def settle(self, row: Any, columns: Mapping[str, Any], label: str, *, is_new: bool) -> None:
        """Write what differs; a new row is written whole."""
        changed = [name for name, value in columns.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, columns[name])
        if is_new:
            row.save(force_insert=True)
            self.changes.append(f"{label} added")
        elif changed:
            row.save(update_fields=changed)
            self.changes += [f"{label}: {name} changed" for name in changed]

    def settings(self, existing: Campaign | None) -> None:
        """Campaign, collections, tasks, originals, teams and systems."""
        self.campaign = existing or self.campaign
        label = f"campaign {self.spec.slug}"
        self.settle(self.campaign, self.spec.columns, label, is_new=existing is None)
        for collection in self.spec.collections:
            self._collection(collection)
        for task in self.spec.tasks:
            self._task(task)
        for team in self.spec.teams:
            row, is_new = _found(Team, campaign=self.campaign, slug=team.slug)
            self.settle(row, team.columns, f"team {team.slug}", is_new=is_new)
            self.teams[team.slug] = row
            for system in team.systems:
                one, is_new = _found(System, team=row, slug=system.slug)
                label = f"system {team.slug}/{system.slug}"
                self.settle(one, system.columns, label, is_new=is_new)

    def _collection(self, spec: CollectionSpec) -> None:
        row, is_new = _found(Collection, campaign=self.campaign, slug=spec.slug)
        columns: dict[str, Any] = {**spec.columns, **self._file(row, "document_ids", spec)}
        if spec.topics is not None:
            columns["has_topic_file"] = True
        self.settle(row, columns, f"collection {spec.slug}", is_new=is_new)
        self.collections[spec.slug] = row
        self._topics(row, spec)

    def _file(self, row: Any, name: str, spec: CollectionSpec | TaskSpec) -> dict[str, Any]:
        """A column that holds a file, when its text is another one."""
        use: FileUse | None = getattr(spec, name)
        if use is None:
            return {}
        known = getattr(row, name)
        if known is not None and known.text_sha256 == self.stored.received(use).text_sha256:
            return {}
        return {name: self.stored.row(use)}

    def _topics(self, collection: Collection, spec: CollectionSpec) -> None:
        added = add_topics(collection, self.found.topics[spec.slug])
        if added:
            self.changes.append(f"collection {spec.slug}: {added} topics added")
        if spec.topics is not None:
            self._form(collection, spec.topics, MAIN_FORM, "", "none")
        for form in spec.forms:
            self._form(collection, form.file, form.form, form.language, form.translation)

    def _form(
        self, collection: Collection, use: FileUse, form: str, language: str, translation: str
    ) -> None:
        row, is_new = _found(
            TopicForm,
            collection=collection,
            form=form,
            language=language,
            translation=translation,
        )
        known = None if row.file is None else row.file.text_sha256
        if known == self.stored.received(use).text_sha256:
            return
        label = f"topic form {collection.slug}/{form}"
        self.settle(row, {"file": self.stored.row(use)}, label, is_new=is_new)
        set_texts(row, self.found.texts[use.at])

    def _task(self, spec: TaskSpec) -> None:
        row, is_new = _found(Task, campaign=self.campaign, slug=spec.slug)
        columns: dict[str, Any] = {
            "kind": spec.kind,
            "collection": self.collections[spec.collection],
            "original_collection": self.collections.get(spec.original_collection),
            **spec.columns,
            **self._file(row, "initial_run", spec),
        }
        if is_new:
            row.collection = columns["collection"]
        self.settle(row, columns, f"task {spec.slug}", is_new=is_new)
        self.tasks[spec.slug] = row
        known = set(Original.objects.filter(task=row).values_list("slug", flat=True))
        if is_new or not known.issuperset(one.slug for one in spec.originals):
            self.extended.append(spec.slug)
        for original in spec.originals:
            one, is_new = _found(Original, task=row, slug=original.slug)
            label = f"original {spec.slug}/{original.slug}"
            self.settle(one, original.columns, label, is_new=is_new)
            self.originals[spec.slug, original.slug] = one

    def qrels(self) -> None:
        """New versions of qrels and pools, published; this starts the scoring of all runs."""
        for collection in self.spec.collections:
            if collection.qrels is not None:
                self._version(self.collections[collection.slug], None, collection.qrels)
        for task in self.spec.tasks:
            if task.pool is not None:
                row = self.tasks[task.slug]
                self._version(row.collection, row, task.pool)

    def _version(self, collection: Collection, task: Task | None, use: FileUse) -> None:
        last = (
            Qrels.objects.filter(collection=collection, task=task)
            .select_related("file")
            .order_by("-number")
            .first()
        )
        received = self.stored.received(use)
        if last is not None and last.file.text_sha256 == received.text_sha256:
            if last.state == QrelsState.PUBLISHED:
                return
            qrels = last
        else:
            facts = self.found.qrels[use.at]
            qrels = add_qrels(collection, self.stored.take(use), facts, self.user, task=task)
        publish_qrels(qrels, self.user, "from the campaign folder")
        what = "pool" if use.purpose == FilePurpose.POOL else "qrels"
        self.changes.append(
            f"{what} of {task.slug if task else collection.slug}: {qrels} published"
        )

    def start_evaluations(self) -> None:
        """Boards and scores for tasks and originals that came after their qrels."""
        for slug in self.extended:
            start_evaluation(self.tasks[slug])


def _found(model: type[R], **key: Any) -> tuple[R, bool]:
    """The row of a key, or an unsaved new one; and whether it is new."""
    row = model._default_manager.filter(**key).first()
    return (model(**key), True) if row is None else (row, False)
