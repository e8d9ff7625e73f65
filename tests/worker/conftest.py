"""A house of real processes, and a task whose qrels are published."""

import pytest

from tests.campaigns.factories import TaskFactory, TeamFactory
from tests.campaigns.pipeline import collection_with, publish, qrels_text
from tests.worker.house import House

QRELS = {"101": {"d1": 1, "d2": 0}, "102": {"d3": 1, "d4": 0}}


@pytest.fixture
def house(transactional_db, broker, tmp_path):
    """Its processes end before the database is emptied."""
    made = House(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def task(transactional_db):
    made = TaskFactory(measures=["AP"], primary="AP")
    made.collection = collection_with(made.campaign, list(QRELS))
    made.save()
    publish(made.collection, qrels_text(QRELS))
    return made


@pytest.fixture
def team(task):
    return TeamFactory(campaign=task.campaign)
