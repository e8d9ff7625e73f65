"""The cases of files, scores and boards."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import cases


@pytest.mark.django_db
def test_cases_agree(shared: Path, capsys: pytest.CaptureFixture[str]):
    tally = cases.run(shared / "cases")
    with capsys.disabled():
        print(f"\ncases: {tally.summary}")
    assert tally.failures == []
    assert (tally.passed, tally.skipped) == (62, 0)


def test_runner_is_a_program_of_its_own(shared: Path, tmp_path: Path):
    """It sets up Django and a database itself, prints what failed, and says so by its status."""
    given = json.loads((shared / "cases/cases.json").read_text(encoding="utf-8"))
    chosen = {
        case["id"]: case for case in given["cases"] if case["id"][:3] in ("H01", "H57", "H62")
    }
    for name in chosen:
        (tmp_path / name).symlink_to(shared / "cases" / name)
    chosen["H57-equal-scores-share-a-rank"]["expect"]["ranks"] = [1, 2, 3]
    cases_json = json.dumps({"cases": [*chosen.values(), {"id": "H99", "area": "unknown"}]})
    (tmp_path / "cases.json").write_text(cases_json, encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "tests.cases", tmp_path],
        cwd=Path(cases.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.splitlines() == [
        "H57-equal-scores-share-a-rank ranks: expected [1, 2, 3], got [1, 1, 3]",
        "2 passed, 1 failed, 1 skipped",
    ], told.stderr
    assert told.returncode == 1


@pytest.mark.parametrize(
    ("expected", "got", "is_good"),
    [
        (0.5, 0.5000009, True),
        (0.5, 0.500002, False),
        (None, float("nan"), True),
        (0.0, float("nan"), False),
        ([1, None], [1, None], True),
        ("accepted", "rejected", False),
    ],
)
def test_case_agreement_follows_the_tolerance(expected, got, is_good):
    assert cases.agrees(expected, got) is is_good
