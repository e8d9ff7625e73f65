"""What workers keep of the files that they read: scoring again parses no text."""

from __future__ import annotations

import pytest
from django.db import transaction

from campaigns.models import Evaluation
from campaigns.numerics import files
from campaigns.services.qrels import start_evaluation
from campaigns.services.uploads import runs_storage
from tests.campaigns.factories import TaskFactory, TeamFactory
from tests.campaigns.pipeline import collection_with, drain, publish, qrels_text, run_text, submit

pytestmark = pytest.mark.django_db

QRELS = {"101": {"d1": 1, "d2": 0}, "102": {"d3": 1}}
TEXT = run_text({"101": ["d2", "d1"], "102": ["d3"]}, "kept")


@pytest.fixture
def parsed(monkeypatch, settings, tmp_path):
    """Which readers parsed a text."""
    settings.COMPILED_ROOT = tmp_path / "compiled"
    files.qrels_of.cache_clear()
    done = []
    for name in ("read_run", "read_qrels"):
        reader = getattr(files, name)

        def counted(*given, name=name, reader=reader, **more):
            done.append(name)
            return reader(*given, **more)

        monkeypatch.setattr(files, name, counted)
    return done


@pytest.fixture
def scored(parsed):
    task = TaskFactory(measures=["AP"], primary="AP")
    task.collection = collection_with(task.campaign, list(QRELS))
    task.save()
    publish(task.collection, qrels_text(QRELS))
    run = submit(task, TeamFactory(campaign=task.campaign), TEXT)
    drain()
    return run


def score_again(run) -> float:
    Evaluation.objects.all().delete()
    files.qrels_of.cache_clear()  # as another worker, or the same one started anew
    with transaction.atomic():
        start_evaluation(run.task)
    drain()
    return Evaluation.objects.get(run=run).mean


def test_second_score_parses_nothing_and_is_the_same(scored, parsed):
    assert parsed == ["read_qrels", "read_run"] or parsed == ["read_run", "read_qrels"]
    parsed.clear()
    assert score_again(scored) == 0.75
    assert parsed == []


def test_damaged_cache_is_read_again_from_the_text(scored, parsed, settings):
    for path in settings.COMPILED_ROOT.iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    parsed.clear()
    assert score_again(scored) == 0.75
    assert sorted(parsed) == ["read_qrels", "read_run"]


def test_run_whose_file_is_gone_is_not_scored_from_the_cache(scored):
    runs_storage().delete(scored.file.key)
    Evaluation.objects.all().delete()
    with transaction.atomic():
        start_evaluation(scored.task)
    drain()
    assert not Evaluation.objects.exists()
