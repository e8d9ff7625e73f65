"""The cases of files, scores and boards."""

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
