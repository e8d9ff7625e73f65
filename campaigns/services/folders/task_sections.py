"""Reads one task of the YAML: settings, switches, limits, fields and originals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.kinds import KINDS, Kind
from campaigns.models import Averaging, DepthRule, FilePurpose, Precision, RunRole, TaskKind
from campaigns.models.fields import ALWAYS
from campaigns.services.folders.faults import suggestion
from campaigns.services.folders.paths import Folder
from campaigns.services.folders.run_sections import RunReader
from campaigns.services.folders.section import Section, refuse_repeats
from campaigns.services.folders.specs import CollectionSpec, FileUse, OriginalSpec, TaskSpec
from campaigns.services.form_fields import definition_faults
from campaigns.services.zones import normal_zone, zone_of
from evaluation.notation import Measure, UnknownMeasureError, parse
from evaluation.rules import faults_of_levels, faults_of_settings

SWITCHES = {
    "own_scores": ALWAYS,
    "scores": ALWAYS,
    "team_names": ALWAYS,
    "topic_scores": ALWAYS,
    "submitted_runs": None,
    "original_runs": None,
    "qrels": None,
}
LIMITS = {
    "runs_per_team": ("runs_per_team", None),
    "per_day": ("runs_per_day", None),
    "refused_per_day": ("refused_per_day", 50),
    "attempts": ("attempts", None),
}
FILE_BYTES = 104_857_600
MAX_FILE_BYTES = 1 << 40
TAG_PATTERN = "^[A-Za-z0-9_.-]{1,24}$"


def read_task(
    one: Section,
    position: int,
    folder: Folder,
    collections: Mapping[str, CollectionSpec],
    zone: str,
) -> TaskSpec:
    """The task of one mapping; faults go to its list."""
    return _TaskReader(one, folder, collections).read(position, zone)


class _TaskReader:
    def __init__(
        self, one: Section, folder: Folder, collections: Mapping[str, CollectionSpec]
    ) -> None:
        self.one, self.folder, self.collections = one, folder, collections
        self.slug = one.slug()
        self.name = one.choice("kind", TaskKind.values)
        self.kind: Kind | None = KINDS.get(self.name)

    def read(self, position: int, zone: str) -> TaskSpec:
        one = self.one
        collection = self._collection("collection", required=True)
        original_collection = self._collection(
            "original_collection",
            required=self._offers("original_collection", "needs_original_collection"),
        )
        columns = {
            "title": one.text("title", most=200) or self.slug,
            "summary": one.text("summary", most=500),
            "description": one.text("description"),
            "position": position,
            "is_paused": one.flag("paused"),
            **self._measures(),
            **self._checks(),
            "gains": self._gains(),
            "comparison": self._comparison(),
            **self._times(zone),
            **self._limits(),
            "fields": self._fields(),
        }
        initial_run = self._file("initial_run", "needs_initial_run", FilePurpose.INITIAL_RUN)
        pool = self._file("pool", "needs_pool", FilePurpose.POOL)
        originals = self._originals()
        one.close()
        return TaskSpec(
            self.slug,
            one.path,
            self.name,
            collection,
            original_collection,
            columns,
            initial_run,
            pool,
            originals,
        )

    def _offers(self, name: str, trait: str) -> bool:
        """Whether this kind of task has such a setting; a fault when it is given all the same."""
        if self.kind is None:
            return False
        if not getattr(self.kind, trait) and self.one.has(name):
            self.one.fault(name, f"is not for tasks of kind {self.name}")
        return bool(getattr(self.kind, trait))

    def _collection(self, name: str, *, required: bool) -> str:
        slug = self.one.text(name, required=required)
        if slug and slug not in self.collections:
            near = suggestion(slug, self.collections)
            self.one.fault(name, f"there is no collection {slug!r}{near}")
            return ""
        return slug

    def _measures(self) -> dict[str, Any]:
        one = self.one
        names = one.texts("measures")
        measures: list[Measure] = []
        for position, name in enumerate(names):
            measure = self._measure(f"{one.at('measures')}[{position}]", name)
            if measure is not None and measure in measures:
                one.faults.add(f"{one.at('measures')}[{position}]", f"{name!r} stands twice")
            elif measure is not None:
                measures.append(measure)
        if not one.has("measures") and self.kind is not None:
            measures = [parse(name) for name in self.kind.default_measures]
        elif not names:
            one.fault("measures", "must list at least one measure")
        primary = self._primary(measures)
        averaging = self.kind.averaging if self.kind else Averaging.JUDGED
        return {
            "measures": [measure.name for measure in measures],
            "primary": primary,
            "topics_averaged": one.choice("topics_averaged", Averaging.values, averaging),
            "order_by": self._order(),
        }

    def _measure(self, path: str, name: str) -> Measure | None:
        try:
            measure = parse(name)
        except UnknownMeasureError as error:
            self.one.faults.add(path, str(error))
            return None
        if len(measure.name) > 80:
            self.one.faults.add(path, "is too long")
            return None
        return measure

    def _primary(self, measures: list[Measure]) -> str:
        ranking = [measure.name for measure in measures if measure.is_rankable]
        text = self.one.text("primary")
        if not text:
            if measures and not ranking:
                self.one.fault("measures", "holds no measure that a board can rank by")
            return ranking[0] if ranking else ""
        measure = self._measure(self.one.at("primary"), text)
        if measure is None:
            return ""
        if measures and measure.name not in ranking:
            self.one.fault(
                "primary", f"{text!r} is not among the measures to rank by: {', '.join(ranking)}"
            )
        return measure.name

    def _order(self) -> str:
        if not self._offers("order_by", "is_pair") or self.kind is None:
            self.one.take("order_by")
            return ""
        value = self.one.take("order_by")
        orders = [order.value for order in self.kind.orders]
        if value is not None and value not in orders:
            self.one.fault(
                "order_by", f"{value!r} is not offered by {self.name}: {', '.join(orders)}"
            )
        return value if value in orders else ""

    def _checks(self) -> dict[str, Any]:
        one = self.one
        values = {
            "depth": one.whole("depth", 1000, least=1),
            "depth_rule": one.choice("depth_rule", DepthRule.values, DepthRule.REJECT),
            "precision": one.choice("precision", Precision.values, Precision.DOUBLE),
            "tag_pattern": one.text("tag_pattern", most=200) or TAG_PATTERN,
            "rules": one.mapping("rules"),
        }
        if values["depth"] is None:
            one.fault("depth", "must be a whole number of at least 1")
            values["depth"] = 1000
        for name, text in faults_of_settings(tag_pattern=values["tag_pattern"]):
            one.fault(name, text)
        rules = one.section("rules") if one.has("rules") and values["rules"] else None
        for name, text in faults_of_levels(values["rules"]):
            if rules is not None:
                rules.fault(name, text)
        return values

    def _gains(self) -> dict[str, Any]:
        self._offers("gains", "needs_pool")
        section = self.one.section("gains")
        gains: dict[str, Any] = {}
        if section.has("clip"):
            clip = section.take("clip")
            if clip is not None and (isinstance(clip, bool) or clip != 0):
                section.fault("clip", f"must be 0 (negative utilities count 0) or null, not {clip}")
            else:
                gains["clip"] = clip
        section.close()
        return gains

    def _comparison(self) -> dict[str, Any]:
        self._offers("comparison", "is_pair")
        section = self.one.section("comparison")
        cutoffs = section.values("cutoffs")
        for position, cutoff in enumerate(cutoffs):
            if isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1:
                section.faults.add(
                    f"{section.at('cutoffs')}[{position}]", "must be a whole number of at least 1"
                )
        values = {
            "rbo_p": section.number("rbo_p", above=0, below=1),
            "depth": section.whole("depth", least=1),
            "cutoffs": cutoffs or None,
            "tost_bound": section.number("tost_bound", above=0),
        }
        section.close()
        return {name: value for name, value in values.items() if value is not None}

    def _times(self, zone: str) -> dict[str, Any]:
        one = self.one
        opens, opens_zone = one.time("opens")
        closes, closes_zone = one.time("closes")
        if opens and closes and opens > closes:
            one.fault("closes", "lies before opens")
        given = one.text("timezone", most=64)
        if given and zone_of(given) is None:
            one.fault("timezone", f"{given!r} is no time zone")
        switches = one.section("visible_from")
        columns = {
            f"{name}_from": switches.switch(name, default) for name, default in SWITCHES.items()
        }
        switches.close()
        zone = normal_zone(given) if given else closes_zone or opens_zone or zone
        return {"opens": opens, "closes": closes, "timezone": zone, **columns}

    def _limits(self) -> dict[str, Any]:
        limits = self.one.section("limits")
        columns = {
            column: limits.whole(name, default) for name, (column, default) in LIMITS.items()
        }
        file_bytes = limits.whole("file_bytes", FILE_BYTES, least=1, most=MAX_FILE_BYTES)
        limits.close()
        return {**columns, "file_bytes": file_bytes or FILE_BYTES}

    def _fields(self) -> list[Any]:
        fields = self.one.values("fields")
        for fault in definition_faults(fields):
            place, _, text = fault.partition(" ")
            self.one.faults.add(f"{self.one.at('fields')}{place}", text)
        return fields

    def _file(self, name: str, trait: str, purpose: FilePurpose) -> FileUse | None:
        value = self.one.take(name)
        if not self._offers(name, trait):
            return None
        if value is None:
            self.one.fault(name, f"is missing: a {self.name} task needs it")
            return None
        return self.folder.file(value, self.one.at(name), purpose, (purpose.value, self.slug))

    def _originals(self) -> tuple[OriginalSpec, ...]:
        sections = self.one.sections("originals")
        if not self._offers("originals", "is_pair"):
            return ()
        if not sections:
            self.one.fault("originals", "is missing: a pair task needs an original pair")
        read = [(section, self._original(section, at)) for at, section in enumerate(sections)]
        refuse_repeats([(section, spec.slug) for section, spec in read], "original")
        return tuple(spec for _, spec in read)

    def _original(self, one: Section, position: int) -> OriginalSpec:
        slug = one.slug()
        columns = {
            "title": one.text("title", most=200) or slug,
            "paper": one.text("paper"),
            "position": position,
        }
        runs = {}
        for role in RunRole.values:
            owner = ("original", self.slug, slug, role)
            reader = RunReader(self.folder, owner, [])
            if not one.has(role):
                one.fault(role, "is missing: an original is a pair of runs")
            run = reader.nested(one, role, {})
            if run is not None:
                runs[role] = run
        one.close()
        return OriginalSpec(slug, one.path, columns, runs)
