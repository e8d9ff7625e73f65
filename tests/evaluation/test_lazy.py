"""Importing the package, its rules and its texts must not bring NumPy into a process."""

import subprocess
import sys

import pytest

import evaluation


@pytest.mark.parametrize(
    "module", ["evaluation", "evaluation.errors", "evaluation.rules", "evaluation.report"]
)
def test_import_without_numpy(module):
    code = f"import sys, {module}; print([n for n in ('numpy', 'django') if n in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_every_exported_name_is_found():
    assert {name for name in evaluation.__all__ if getattr(evaluation, name, None) is None} == set()
    assert evaluation.read_run.__module__ == "evaluation.trec"
    assert set(evaluation.__all__) == set(evaluation._HOME_OF)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        evaluation.nothing
