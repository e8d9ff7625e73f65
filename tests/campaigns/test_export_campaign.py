"""A campaign written as a folder loads back to an equal campaign, scores included."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from campaigns.management.commands import prepare_demo
from campaigns.models import (
    Campaign,
    Comparison,
    Effect,
    Evaluation,
    GivenScores,
    Origin,
    Pair,
    Run,
    RunState,
    Task,
)
from campaigns.services.folders import export_folder
from campaigns.services.uploads import runs_storage
from examples.demo import CAMPAIGNS
from tests.campaigns.folders import RUN_A, five_kinds, load, write_folder
from tests.campaigns.pipeline import drain
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db

EXAMPLE = ROOT / "examples" / "small-centre"

NOT_COMPARED = {"id", "key", "created_at", "deleted_at", "campaign", "slug"}


def columns(row: Any, *more: str) -> dict[str, Any]:
    """The plain columns of a row, without those that name the row or another one."""
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.name not in NOT_COMPARED and field.name not in more and not field.is_relation
    }


def picture(campaign: Campaign) -> dict[str, Any]:
    """All that has to survive, in an order that does not depend on ids."""
    tasks = Task.objects.filter(campaign=campaign)
    return {
        "campaign": columns(campaign),
        "collections": [
            {
                **columns(one),
                "topics": list(one.topics.values_list("identifier", "position")),
                "texts": sorted(
                    one.topics.values_list("texts__form__form", "identifier", "texts__text")
                ),
                "forms": sorted(one.topic_forms.values_list("form", "language", "translation")),
                "documents": one.document_ids and one.document_ids.sha256,
            }
            for one in campaign.collections.all()
        ],
        "tasks": [
            {
                **columns(one),
                "slug": one.slug,
                "collections": (
                    one.collection.slug,
                    one.original_collection and one.original_collection.slug,
                ),
                "initial_run": one.initial_run and one.initial_run.sha256,
                "pools": list(one.pools.values_list("file__sha256", flat=True))[-1:],
                "originals": [{**columns(original), "slug": original.slug}
                              for original in one.originals.all()],
            }
            for one in tasks
        ],
        "teams": [
            {**columns(team), "systems": [{**columns(one), "slug": one.slug}
                                          for one in team.systems.all()]}
            for team in campaign.teams.all()
        ],
        "runs": sorted(
            (_run(one) for one in Run.objects.filter(task__in=tasks).select_related(
                "task", "team", "file", "system", "original")),
            key=lambda one: (one["received_at"], one["task"], one["file"] or ""),
        ),
        "pairs": [
            {
                **columns(one),
                "runs": [run and _run(run) for run in (one.baseline, one.advanced)],
            }
            for one in Pair.objects.filter(task__in=tasks).order_by("created_at")
        ],
    }  # fmt: skip


def _run(run: Run) -> dict[str, Any]:
    return {
        **columns(run),
        "task": run.task.slug,
        "team": run.team and run.team.slug,
        "system": run.system and run.system.name,
        "original": run.original and run.original.slug,
        "file": run.file and run.file.sha256,
        "given": sorted(
            (one.measure, one.file.text_sha256)
            for one in GivenScores.objects.filter(run=run).select_related("file")
        ),
    }


def numbers(campaign: Campaign) -> dict[str, list[Any]]:
    """Every score, comparison and effect, to the last bit."""
    of_campaign = {"run__task__campaign": campaign}
    return {
        "evaluations": sorted(
            Evaluation.objects.filter(**of_campaign).values_list(
                "run__task__slug", "run__text_sha256", "run__role", "recipe__digest", "mean"
            ),
            key=str,
        ),
        "comparisons": sorted(
            Comparison.objects.filter(**of_campaign).values_list(
                "run__task__slug", "run__text_sha256", "recipe__digest", "value"
            ),
            key=str,
        ),
        "effects": sorted(
            Effect.objects.filter(pair__task__campaign=campaign).values_list(
                "pair__task__slug", "pair__title", "recipe__digest", "effect_ratio", "delta_ri"
            ),
            key=str,
        ),
    }


def there_and_back(campaign: Campaign, folder: Path) -> Campaign:
    """Export, load under another slug, and let the workers finish."""
    export_folder(campaign, folder)
    copy = load(folder, slug="copy").campaign
    drain()
    return copy


def test_the_example_comes_back_equal_with_its_scores(tmp_path: Path) -> None:
    campaign = load(EXAMPLE).campaign
    drain(5000)
    copy = there_and_back(campaign, tmp_path / "out")
    assert picture(copy) == picture(campaign)
    scores = numbers(campaign)
    assert numbers(copy) == scores
    # 2 originals and 6 reproductions by 3 measures, 4 runs by 4.
    assert len(scores["evaluations"]) == 8 * 3 + 4 * 4
    assert len(scores["effects"]) == 3 * 3


def test_all_kinds_and_every_kind_of_run_come_back_equal(tmp_path: Path) -> None:
    def change(d: dict[str, Any]) -> None:
        pair = d["runs"][3]
        d["runs"] += [
            {"task": "adhoc", "team": "blue", "scores": {"AP": "ap.csv"}, "title": "no"},
            {"task": "adhoc", "team": "blue", "run": "bad.run", "description": "1e5\n: #x "},
            {
                "task": "rerank",
                "team": "blue",
                "run": "a.run",
                "withdrawn": "2026-03-02T00:00:00Z",
                "final": True,
                "priority": 2,
            },
            {
                "task": "rerank",
                "team": "blue",
                "run": "b.run",
                "disqualified": "2026-03-02T00:00:00Z",
                "disqualified_reason": "Used the qrels",
                "pooled": True,
            },
            {**pair, "team": "blue", "baseline": {"run": "b.run", "title": "", "system": "B"},
             "advanced": {"scores": {"AP": "ap.csv"}}, "series": {"x": {"baseline": "tau.csv"}}},
            {"task": "new", "team": "red", "original": "o", "baseline": "b.run"},
        ]  # fmt: skip
        d["teams"][0] |= {"affiliation": "12:30", "organizers": True}

    files = {"bad.run": "1 Q0 d1 x\n"}
    campaign = load(write_folder(tmp_path / "in", five_kinds(change), files)).campaign
    drain()
    states = set(Run.objects.values_list("state", flat=True))
    assert states >= {RunState.SCORED, RunState.REJECTED}
    copy = there_and_back(campaign, tmp_path / "out")
    before, after = picture(campaign), picture(copy)
    for part in before:
        assert after[part] == before[part], part
    assert numbers(copy) == numbers(campaign)


def test_an_export_holds_the_files_as_uploaded_and_the_scores_to_read(tmp_path: Path) -> None:
    campaign = load(write_folder(tmp_path / "in", five_kinds())).campaign
    drain()
    out = tmp_path / "out"
    export_folder(campaign, out)
    document = yaml.safe_load((out / "campaign.yaml").read_text(encoding="utf-8"))
    first = next(one for one in document["runs"] if one.get("title") == "A")
    assert (out / first["run"]).read_text() == RUN_A
    assert Path(first["run"]).name == "a.run"
    with (out / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    run = Run.objects.get(title="A")
    assert [row["mean"] for row in rows if (row["run"], row["measure"]) == (str(run.pk), "AP")] == [
        "1.0"
    ]


def test_a_refused_run_and_its_second_attempt_are_one_in_the_export(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "in", five_kinds(), {"pooled.run": "1 Q0 d9 1 1 x\n"})
    campaign = load(root).campaign
    drain()
    run = Run.objects.get(task__slug="pool")
    assert run.state == RunState.REJECTED
    stored = run.file
    run.pk = None
    key = f"{stored.key}-again"
    with runs_storage().open(stored.key, "rb") as source:
        runs_storage().save(key, source)
    stored.pk, stored.key = None, key
    stored.save(force_insert=True)
    run.file = stored
    run.save(force_insert=True)
    export_folder(campaign, tmp_path / "out")
    document = yaml.safe_load((tmp_path / "out" / "campaign.yaml").read_text(encoding="utf-8"))
    assert [one["task"] for one in document["runs"]].count("pool") == 1


def test_a_folder_in_use_and_an_unknown_campaign_are_refused_in_words(tmp_path: Path) -> None:
    load(write_folder(tmp_path, five_kinds()))
    with pytest.raises(CommandError, match="not an empty folder"):
        call_command("export_campaign", "five-kinds", str(tmp_path), stdout=StringIO())
    with pytest.raises(CommandError, match=r"no campaign 'six'; there are: five-kinds"):
        call_command("export_campaign", "six", str(tmp_path / "out"), stdout=StringIO())


def test_the_command_writes_the_folder(tmp_path: Path) -> None:
    load(write_folder(tmp_path / "in", five_kinds()))
    out = StringIO()
    call_command("export_campaign", "five-kinds", str(tmp_path / "out"), stdout=out)
    assert out.getvalue().startswith("Campaign five-kinds with 11 runs: ")
    assert load(tmp_path / "out", slug="copy").is_new


def test_the_example_ranks_the_faithful_reproduction_first() -> None:
    campaign = load(EXAMPLE).campaign
    drain(5000)
    board = campaign.boards.get(subject="pairs")
    rows = board.rows.filter(version=board.version).order_by("position")
    assert [(row.team.slug, row.rank) for row in rows] == [
        ("alder", 1), ("birch", 2), ("demo-team", 3),
    ]  # fmt: skip
    assert not Run.objects.filter(state=RunState.REJECTED).exists()
    assert {run.state for run in Run.objects.filter(origin=Origin.SUBMITTED)} == {RunState.SCORED}


def test_the_example_is_small_and_made_by_its_script(tmp_path: Path) -> None:
    assert sum(path.stat().st_size for path in EXAMPLE.rglob("*") if path.is_file()) < 400_000
    spec = importlib.util.spec_from_file_location("make_small", ROOT / "examples/make_small.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.FOLDER = tmp_path
    script.main()
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(EXAMPLE) for path in EXAMPLE.rglob("*") if path.is_file()}
    assert made == kept - {Path("campaign.yaml")}
    for name in made:
        assert _text(tmp_path / name) == _text(EXAMPLE / name), name


def _text(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def test_prepare_demo_makes_accounts_with_passwords_of_their_own(
    settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR = tmp_path
    # The large ones are loaded in test_demo_campaigns.py and by the first start of the site.
    monkeypatch.setattr(prepare_demo, "CAMPAIGNS", {})
    out = StringIO()
    call_command("prepare_demo", stdout=out)
    passwords = json.loads((tmp_path / "demo-accounts.json").read_text())
    assert set(passwords) == {"organizer@example.org", "participant@example.org"}
    assert (tmp_path / "demo-accounts.json").stat().st_mode & 0o077 == 0
    assert f"participant@example.org  {passwords['participant@example.org']}" in out.getvalue()
    campaign = Campaign.objects.get(slug="small-centre")
    assert campaign.is_example
    assert [role.user.email for role in campaign.roles.all()] == ["organizer@example.org"]
    member = campaign.teams.get(slug="demo-team").memberships.get().user
    assert member.email == "participant@example.org"
    assert member.check_password(passwords[member.email])
    again = StringIO()
    call_command("prepare_demo", stdout=again)
    assert again.getvalue() == "".join(f"{mail}  {word}\n" for mail, word in passwords.items())
    (tmp_path / "demo-accounts.json").unlink()
    call_command("prepare_demo", stdout=StringIO())
    member.refresh_from_db()
    fresh = json.loads((tmp_path / "demo-accounts.json").read_text())
    assert fresh[member.email] != passwords[member.email]
    assert member.check_password(fresh[member.email])


def test_prepare_demo_loads_every_example(tmp_path: Path) -> None:
    assert set(prepare_demo._campaigns(tmp_path)) == {*CAMPAIGNS, "small-centre"}


def test_prepare_demo_refuses_production(settings) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="production"):
        call_command("prepare_demo")
