"""Fields that organizers add to the submission form: definitions and values."""

from __future__ import annotations

import json

import pytest

from campaigns.services.form_fields import clean_metadata, definition_faults

LANGUAGE = {"name": "language", "type": "choice", "choices": ["eng", "zho"], "required": True}


def test_sound_definitions_have_no_faults():
    fields = [
        {**LANGUAGE, "label": "Language", "help": "Of the queries", "public": True},
        *({"name": f"own_{kind}", "type": kind} for kind in ("text", "number", "flag", "url")),
    ]
    assert definition_faults(fields) == []
    assert definition_faults([]) == []


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": "a"}, "must be a list"),
        (["a"], "[0] must be a mapping"),
        ([{"type": "text"}], "[0].name must be a short identifier"),
        ([{"name": "two words", "type": "text"}], "[0].name must be a short identifier"),
        ([{"name": "a" * 61, "type": "text"}], "[0].name must be a short identifier"),
        ([{"name": 1, "type": "text"}], "[0].name must be a short identifier"),
        ([LANGUAGE, LANGUAGE], "[1].name 'language' stands twice"),
        ([{"name": "a"}], "[0].type must be one of choice, text, number, flag, url"),
        ([{"name": "a", "type": ["text"]}], "[0].type must be one of"),
        ([{"name": "a", "type": "choice"}], "[0].choices must list the choices as texts"),
        ([{"name": "a", "type": "choice", "choices": []}], "[0].choices must list"),
        ([{"name": "a", "type": "choice", "choices": [1]}], "[0].choices must list"),
        ([{"name": "a", "type": "text", "required": "yes"}], "[0].required must be true or false"),
        ([{"name": "a", "type": "text", "public": 1}], "[0].public must be true or false"),
        ([{"name": "a", "type": "text", "requierd": True}], "[0].requierd is not known"),
    ],
)
def test_wrong_definition_is_named(fields, fault):
    [found] = definition_faults(fields)
    assert found.startswith(fault)


def test_every_fault_of_the_definitions_is_listed():
    faults = definition_faults([{"name": "-", "type": "-", "x": 1}, "a", {"name": "a"}])
    assert [fault.split(" ")[0] for fault in faults] == [
        "[0].name",
        "[0].type",
        "[0].x",
        "[1]",
        "[2].type",
    ]


@pytest.mark.parametrize(
    ("kind", "given", "stored"),
    [
        ("text", "BM25, k1 = 0.9", "BM25, k1 = 0.9"),
        ("text", "x" * 2000, "x" * 2000),
        ("number", 4, 4),
        ("number", "4", 4),
        ("number", "4.0", 4),
        ("number", 0, 0),
        ("number", "-1.5e-3", -0.0015),
        ("flag", True, True),
        ("flag", False, False),
        ("flag", "true", True),
        ("flag", "FALSE", False),
        ("flag", "on", True),
        ("flag", 1, True),
        ("url", "https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("choice", "eng", "eng"),
    ],
)
def test_value_is_stored_in_its_type(kind, given, stored):
    definition = {"name": "own", "type": kind, "choices": ["eng", "zho"]}
    values, faults = clean_metadata([definition], {"own": given})
    assert (values, faults) == ({"own": stored}, {})
    assert type(values["own"]) is type(stored)
    assert json.loads(json.dumps(values)) == values


@pytest.mark.parametrize(
    ("kind", "given", "word"),
    [
        ("text", 5, "text"),
        ("text", ["a"], "text"),
        ("text", "x" * 2001, "2000"),
        ("text", "a\0b", "text"),
        ("text", "\ud800", "text"),
        ("text", "a\u202eb", "invisible"),
        ("url", "https://example.org/\u2066", "invisible"),
        ("number", "four", "number"),
        ("number", "nan", "number"),
        ("number", float("inf"), "number"),
        ("number", "1e999", "number"),
        ("number", 10**400, "number"),
        ("number", "1_000", "number"),
        ("number", "٤", "number"),
        ("number", True, "number"),
        ("number", [1], "number"),
        ("flag", "perhaps", "true or false"),
        ("flag", 2, "true or false"),
        ("flag", ["true"], "true or false"),
        ("url", "example.org", "https://"),
        ("url", "javascript:alert(1)", "https://"),
        ("url", "ftp://example.org", "https://"),
        ("url", "https://", "https://"),
        ("url", "http://[", "https://"),
        ("url", 5, "text"),
        ("choice", "deu", "eng, zho"),
        ("choice", "ENG", "eng, zho"),
        ("choice", ["eng"], "eng, zho"),
        ("choice", {"eng": 1}, "eng, zho"),
    ],
)
def test_wrong_value_is_refused_with_a_remedy(kind, given, word):
    definition = {"name": "own", "type": kind, "choices": ["eng", "zho"]}
    values, faults = clean_metadata([definition], {"own": given})
    assert values == {}
    assert list(faults) == ["own"]
    assert word in faults["own"]


@pytest.mark.parametrize("given", [{}, {"language": None}, {"language": ""}])
def test_required_field_must_be_given(given):
    assert clean_metadata([LANGUAGE], given) == ({}, {"language": "This field is required."})
    assert clean_metadata([{**LANGUAGE, "required": False}], given) == ({}, {})


def test_required_flag_may_be_false_and_required_number_zero():
    fields = [
        {"name": "a", "type": "flag", "required": True},
        {"name": "b", "type": "number", "required": True},
    ]
    assert clean_metadata(fields, {"a": False, "b": 0}) == ({"a": False, "b": 0}, {})


def test_unknown_fields_are_refused_and_every_fault_is_listed():
    values, faults = clean_metadata([LANGUAGE], {"langauge": "eng", "x" * 99: 1})
    assert values == {}
    assert faults == {
        "langauge": "This task has no such field.",
        "x" * 60: "This task has no such field.",
        "language": "This field is required.",
    }


@pytest.mark.parametrize("given", [None, [], "{}", 5])
def test_metadata_must_be_an_object(given):
    assert clean_metadata([LANGUAGE], given) == ({}, {"metadata": "Give a JSON object."})
