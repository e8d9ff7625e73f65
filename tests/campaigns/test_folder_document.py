"""The YAML reader: values of YAML 1.2, lines by path, and bounds that nothing gets around."""

from __future__ import annotations

import pytest

from campaigns.services.folders.document import (
    MAX_BYTES,
    parse_document,
    plain_value,
    read_document,
)
from campaigns.services.folders.faults import FolderRefusedError, suggestion


def fault_of(text: str) -> str:
    with pytest.raises(FolderRefusedError) as refused:
        parse_document(text)
    (fault,) = refused.value.faults
    return str(fault)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("-17", -17),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("9" * 30, float("9" * 30)),
    ],
)
def test_plain_value_reads_yaml_1_2_and_leaves_times_alone(text: str, value: object) -> None:
    assert plain_value(text) == value
    assert type(plain_value(text)) is type(value)


def test_quoted_scalars_are_text() -> None:
    assert parse_document('[ "1", \'true\', "~" ]').value == ["1", "true", "~"]


def test_lines_are_known_by_path() -> None:
    document = parse_document("a:\n  b:\n    - {c: 1}\n    - {c: 2,\n       d: 3}\n'odd key': 4\n")
    assert document.lines["a.b[1].d"] == 5
    assert document.lines["a.b[0].c"] == 3
    assert document.lines["'odd key'"] == 6


def test_aliases_are_copies_that_count_as_written_out() -> None:
    document = parse_document("a: &x [1, {b: 2}]\nc: *x\nd: *x\n")
    assert document.value == {"a": [1, {"b": 2}], "c": [1, {"b": 2}], "d": [1, {"b": 2}]}
    assert document.value["c"] is not document.value["d"]


def test_a_bomb_of_aliases_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "more than 400,000 values" in fault_of("\n".join(lines))


def test_a_ladder_of_aliases_is_refused_by_its_depth() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 3000))]
    assert "levels deep" in fault_of("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: 'a' stands twice"),
        ("a: &x [*x]\n", "no finished value &x"),
        ("a: *gone\n", "gone"),
        ("a: !!int '3'\n", "tags such as"),
        ("[" * 200 + "]" * 200, "deep"),
        ("[" * 50_000, "nesting"),
        ("? [1, 2]\n: 3\n", "must be text"),
        ("a: &x b\n? *x\n: 2\n", "must be text"),
        ("a: 1\n---\nb: 2\n", "more than one document"),
        ("a: [1, 2\nb: 3\n", "not YAML"),
        ("\tx: 1", "not YAML"),
        ('a: "\\0"', "null character"),
        ("a: \x01", "not YAML"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, words: str) -> None:
    assert words in fault_of(text)


def test_a_document_that_is_too_large_is_not_read(tmp_path) -> None:
    path = tmp_path / "campaign.yaml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(FolderRefusedError, match="more than"):
        read_document(path)


def test_suggestion_names_the_nearest_or_everything() -> None:
    assert suggestion("titel", ["title", "slug"]) == "; did you mean 'title'?"
    assert suggestion("zzz", ["title", "slug"]) == "; known: title, slug"
    assert suggestion("zzz", []) == "; there are none"
