"""Looks into every file before anything is created: what is wrong, and what the files hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from campaigns.kinds import KINDS
from campaigns.models import Task
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.specs import (
    CampaignSpec,
    CollectionSpec,
    FileUse,
    FormSpec,
    RunSpec,
    TaskSpec,
)
from campaigns.services.folders.storing import StoredFiles
from campaigns.services.rules import check_rules
from campaigns.work import StoredText
from evaluation.errors import BadRules
from evaluation.notation import UnknownMeasureError
from evaluation.rules import Budgets, CheckRules

LISTED = 20
TOPIC_CHARACTERS = 128

Facts = dict[str, Any]


class Inspector(Protocol):
    """Reads stored files; ``numerics`` has the one that does, and services must not load it."""

    def qrels(
        self, stored: StoredText, *, is_graded: bool, topics: Iterable[str] | None
    ) -> Facts: ...

    def topics(self, stored: StoredText, form: str = "", language: str = "") -> Facts: ...

    def document_ids(self, stored: StoredText) -> Facts: ...

    def run(
        self,
        stored: StoredText,
        rules: CheckRules,
        topics: Iterable[str] | None,
        document_ids: StoredText | None,
    ) -> Facts: ...

    def scores(self, stored: StoredText, measure: str | None) -> Facts: ...


@dataclass(slots=True)
class Findings:
    """What the files hold. ``topics``: ids by collection; ``texts`` and others by YAML path."""

    topics: dict[str, set[str]] = field(default_factory=dict)
    texts: dict[str, Mapping[str, str]] = field(default_factory=dict)
    qrels: dict[str, Facts] = field(default_factory=dict)
    series: dict[str, Mapping[str, float | None]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def inspect(
    spec: CampaignSpec, stored: StoredFiles, faults: Faults, inspector: Inspector
) -> Findings:
    """Look into all files that were received; faults go to the list."""
    return _Inspection(spec, stored, faults, inspector).findings()


class _Inspection:
    def __init__(
        self, spec: CampaignSpec, stored: StoredFiles, faults: Faults, inspector: Inspector
    ) -> None:
        self.spec, self.stored, self.faults, self.inspector = spec, stored, faults, inspector
        self.found = Findings()
        self.sound_ids: set[str] = set()
        self.collections = {one.slug: one for one in spec.collections}

    def findings(self) -> Findings:
        for collection in self.spec.collections:
            self._collection(collection)
        for task in self.spec.tasks:
            self._task(task)
        for submission in self.spec.submissions:
            for run in submission.runs:
                self._scores(run)
            for parts in submission.series.values():
                for use in parts.values():
                    self._values(use)
        self._repeats()
        for collection in self.spec.collections:
            for topic in self.found.topics[collection.slug]:
                if len(topic) > TOPIC_CHARACTERS:
                    text = f"topic id {topic[:40]!r}… has more than {TOPIC_CHARACTERS} characters"
                    self.faults.add(collection.at, text)
        return self.found

    def _judge(self, use: FileUse, facts: Facts) -> bool:
        """Make faults of errors and notes of warnings; whether the file is sound."""
        errors = [one for one in facts["messages"] if one["level"] == "error"]
        for message in errors[:LISTED]:
            self.faults.add(use.at, _sentence(use, message))
        if len(errors) > LISTED:
            self.faults.add(use.at, f"{use.path.name}: {len(errors) - LISTED} more faults")
        self.found.notes += [
            f"{use.at}: {_sentence(use, one)}"
            for one in facts["messages"][:LISTED]
            if one["level"] == "warning"
        ]
        return not errors

    def _collection(self, one: CollectionSpec) -> None:
        if self.stored.has(one.document_ids) and one.document_ids:
            facts = self.inspector.document_ids(self.stored.text(one.document_ids))
            if self._judge(one.document_ids, facts):
                self.sound_ids.add(one.document_ids.at)
        known: set[str] = set()
        if self.stored.has(one.topics) and one.topics:
            known |= set(self._texts(one.topics))
        topics = self._given_topics(one)
        if self.stored.has(one.qrels) and one.qrels:
            facts = self.inspector.qrels(
                self.stored.text(one.qrels), is_graded=True, topics=topics or None
            )
            if self._judge(one.qrels, facts):
                self.found.qrels[one.qrels.at] = facts
                if one.topics is None:
                    known |= set(facts["topics"])
        self.found.topics[one.slug] = known
        for form in one.forms:
            self._form(one, form)

    def _form(self, one: CollectionSpec, form: FormSpec) -> None:
        if not self.stored.has(form.file):
            return
        texts = self._texts(form.file, form.form, form.language)
        unknown = sorted(set(texts) - self.found.topics[one.slug])
        if one.topics is not None and unknown:
            shown = ", ".join(unknown[:5]) + (", …" if len(unknown) > 5 else "")
            self.found.notes.append(
                f"{form.file.at}: {len(unknown)} topics are not those of the collection and are "
                f"left out: {shown}"
            )
        elif one.topics is None and one.qrels is None:
            self.found.topics[one.slug] |= set(texts)

    def _texts(self, use: FileUse, form: str = "", language: str = "") -> Mapping[str, str]:
        facts = self.inspector.topics(self.stored.text(use), form, language)
        texts: Mapping[str, str] = facts["texts"] if self._judge(use, facts) else {}
        self.found.texts[use.at] = texts
        return texts

    def _given_topics(self, one: CollectionSpec) -> tuple[str, ...]:
        """Topics of the collection's own file."""
        return tuple(self.found.texts.get(one.topics.at, ())) if one.topics else ()

    def _task(self, task: TaskSpec) -> None:
        collection = self.collections.get(task.collection)
        topics = (self._given_topics(collection) if collection else ()) or None
        if self.stored.has(task.pool) and task.pool:
            facts = self.inspector.qrels(
                self.stored.text(task.pool), is_graded=False, topics=topics
            )
            if self._judge(task.pool, facts):
                self.found.qrels[task.pool.at] = facts
                if collection and collection.topics is None:
                    self.found.topics[collection.slug] |= set(facts["topics"])
        if self.stored.has(task.initial_run) and task.initial_run:
            rules = CheckRules(levels={"tied_scores": "ignore"})
            text = self.stored.text(task.initial_run)
            self._judge(task.initial_run, self.inspector.run(text, rules, None, None))
        side = self.collections.get(task.original_collection) or collection
        for original in task.originals:
            for run in original.runs.values():
                self._scores(run)
                self._original(task, run, side)

    def _original(self, task: TaskSpec, run: RunSpec, side: CollectionSpec | None) -> None:
        rules = _original_rules(task)
        if run.file is None or not self.stored.has(run.file) or rules is None:
            return
        ids = side.document_ids if side else None
        facts = self.inspector.run(
            self.stored.text(run.file),
            rules,
            (self._given_topics(side) or None) if side else None,
            self.stored.text(ids) if ids is not None and ids.at in self.sound_ids else None,
        )
        if self._judge(run.file, facts) and side is not None and side.topics is None:
            self.found.topics[side.slug] |= set(facts["topics"])

    def _scores(self, run: RunSpec) -> None:
        for measure, use in run.scores.items():
            if not self.stored.has(use):
                continue
            facts = self.inspector.scores(self.stored.text(use), measure)
            if self._judge(use, facts) and facts["selected"] is not None:
                self.stored.replace(use, facts["selected"])

    def _values(self, use: FileUse) -> None:
        if self.stored.has(use):
            facts = self.inspector.scores(self.stored.text(use), None)
            if self._judge(use, facts):
                self.found.series[use.at] = facts["values"]

    def _repeats(self) -> None:
        """The same text twice from a team for a task; two pairs may share a run in its role."""
        seen: dict[tuple[object, ...], tuple[str, object]] = {}
        for one in self.spec.submissions:
            for run in one.runs:
                if not run.files or not all(map(self.stored.has, run.files)):
                    continue
                is_withdrawn = run.columns["withdrawn_at"] is not None
                key = (one.task, one.team, self.stored.fingerprint(run), is_withdrawn)
                part = run.files[0].owner if one.pair else None
                first, its_part = seen.setdefault(key, (run.at, part))
                if first != run.at and (part is None or part != its_part):
                    self.faults.add(run.at, f"is the same text as {first}, from the same team")


def _sentence(use: FileUse, message: Mapping[str, Any]) -> str:
    line = "" if message["line"] is None else f", line {message['line']}"
    return f"{use.path.name}{line}: {message['text']} [{message['kind']}]. {message['remedy']}"


def _original_rules(task: TaskSpec) -> CheckRules | None:
    """As originals are checked later: their tag and depth are as they are."""
    if task.kind not in KINDS:
        return None
    try:
        rules = check_rules(Task(slug=task.slug, kind=task.kind, **task.columns))
    except (BadRules, UnknownMeasureError):
        return None
    return CheckRules(
        levels={**rules.levels, "unknown_topic": "ignore"},
        precision=rules.precision,
        budgets=Budgets(text_bytes=rules.budgets.text_bytes),
    )
