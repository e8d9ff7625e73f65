"""Every model has a factory, and what it makes is valid."""

import pytest
from django.apps import apps
from factory.django import DjangoModelFactory

from tests.campaigns import factories

FACTORIES = {
    factory._meta.model: factory
    for factory in vars(factories).values()
    if isinstance(factory, type)
    and issubclass(factory, DjangoModelFactory)
    and factory is not DjangoModelFactory
}


def test_factories_cover_every_model():
    assert set(apps.get_app_config("campaigns").get_models()) == set(FACTORIES)


@pytest.mark.django_db
@pytest.mark.parametrize("factory", FACTORIES.values(), ids=lambda factory: factory.__name__)
def test_factory_makes_a_valid_row(factory):
    row = factory()
    row.refresh_from_db()
    empty = {field.name for field in row._meta.fields if not getattr(row, field.attname)}
    row.full_clean(exclude=empty)


@pytest.mark.django_db
def test_pair_factory_keeps_one_team_and_task():
    pair = factories.PairFactory()
    assert {run.team_id for run in (pair.baseline, pair.advanced)} == {pair.team_id}
    assert {run.task_id for run in (pair.baseline, pair.advanced)} == {pair.task_id}
