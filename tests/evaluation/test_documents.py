"""Examples in the documents give the values that stand there."""

import doctest
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["measures.md", "library.md"])
def test_examples_give_what_is_printed(name):
    found = doctest.testfile(str(DOCUMENTS / name), module_relative=False, encoding="utf-8")
    assert found.attempted > 8
    assert found.failed == 0
