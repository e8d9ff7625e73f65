"""Which commands run before the site starts, and in what order."""

import pytest
from django.conf import settings
from django.core.checks import Tags

from campaigns.management.commands import prepare_demo
from config import preparation


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"DEMO": "true"}, ["collectstatic", "prepare_demo --migrate"]),
        ({"DEMO": "false"}, ["migrate", "collectstatic"]),
        ({"PRODUCTION": "true"}, ["migrate", "collectstatic"]),
    ],
    ids=["demo", "none", "production"],
)
def test_every_start_brings_the_database_up_to_date(monkeypatch, changed, expected):
    monkeypatch.delenv("DEMO", raising=False)
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    quiet = ("--no-input", "--clear", "--verbosity", "0")
    found = [
        " ".join(one for one in step.arguments if one not in quiet) for step in preparation.steps()
    ]
    assert found == expected


def test_demo_checks_what_depends_on_settings():
    """Time limits and the database's mode come from outside, so each start looks at them."""
    assert prepare_demo.Command.requires_system_checks == [Tags.compatibility]


def _static_root():
    (found,) = [step.stamp.parent for step in preparation.steps() if step.stamp]
    return found


def test_static_files_of_one_installation_are_not_cleared_under_another(monkeypatch, tmp_path):
    monkeypatch.delenv("STATIC_ROOT", raising=False)
    roots = []
    for name in ("one", "other"):
        monkeypatch.setenv("VAR_DIR", str(tmp_path / name))
        roots.append(_static_root())
    assert roots == [tmp_path / "one" / "static", tmp_path / "other" / "static"]


def test_static_files_are_collected_where_they_are_served_from():
    assert _static_root() == settings.STATIC_ROOT
