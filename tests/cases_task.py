"""The task of a case, on the site."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from campaigns.models import Task
from evaluation.topics import read_topics
from tests.campaigns import pipeline
from tests.campaigns.factories import TaskFactory
from tests.cases_library import MISSING

Case = Mapping[str, Any]
UNKNOWN = {"reject": "error", "warn": "warning", "ignore": "ignore"}


def task_of(case: Case, folder: Path, **columns: Any) -> Task:
    """A task with the topics, measures and limits of the case."""
    given, limits = case["task"], case["task"]["limits"]
    task = TaskFactory(
        measures=given["measures"],
        primary=given["measures"][0],
        depth=limits["max_docs_per_topic"],
        file_bytes=limits["max_file_bytes"],
        tag_pattern=limits["tag_pattern"],
        rules={
            "missing_topic": MISSING[limits["missing_topics"]],
            "unknown_topic": UNKNOWN[limits["unknown_topics"]],
        },
        **columns,
    )
    topics = list(read_topics(folder / given["topics"]).sound())
    task.collection = pipeline.collection_with(task.campaign, topics)
    task.save(update_fields=["collection"])
    return task
