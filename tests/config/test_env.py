"""The environment is read in one place, and says what is wrong with a value."""

from pathlib import Path

import pytest

from config import env


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("Yes", True), ("off", False), ("", True), (" ", True)]
)
def test_flag_reads_words(monkeypatch, value, expected):
    monkeypatch.setenv("CB_SWITCH", value)
    assert env.flag("CB_SWITCH", default=True) is expected


def test_flag_with_other_word_names_variable_and_remedy(monkeypatch):
    monkeypatch.setenv("CB_SWITCH", "maybe")
    with pytest.raises(env.EnvironmentFault, match="CB_SWITCH is 'maybe': write true or false"):
        env.flag("CB_SWITCH")


def test_integer_unset_gives_default(monkeypatch):
    monkeypatch.delenv("CB_NUMBER", raising=False)
    assert env.integer("CB_NUMBER", 7) == 7


@pytest.mark.parametrize(
    ("value", "message"), [("two", "write a whole number"), ("3", "the least value is 4")]
)
def test_integer_out_of_order_is_refused(monkeypatch, value, message):
    monkeypatch.setenv("CB_NUMBER", value)
    with pytest.raises(env.EnvironmentFault, match=message):
        env.integer("CB_NUMBER", 5, least=4)


def test_listing_drops_blanks_and_empty_parts(monkeypatch):
    monkeypatch.setenv("CB_HOSTS", " a.example , ,b.example,")
    assert env.listing("CB_HOSTS", ("c",)) == ["a.example", "b.example"]


def test_path_expands_home_and_becomes_absolute(monkeypatch):
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("CB_DIR", "~/state")
    assert env.path("CB_DIR", Path("x")) == Path("/somewhere/state")


def test_child_environment_has_own_and_changed_variables(monkeypatch):
    monkeypatch.setenv("CB_A", "1")
    monkeypatch.setenv("CB_B", "2")
    found = env.child({"CB_B": "3"})
    assert (found["CB_A"], found["CB_B"]) == ("1", "3")
