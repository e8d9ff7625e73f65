"""The golden files, through the library."""

from pathlib import Path

import pytest

from tests import golden


def test_golden_cases_agree(shared: Path, capsys: pytest.CaptureFixture[str]):
    tally = golden.run(shared / "golden")
    with capsys.disabled():
        print(f"\ngolden: {tally.summary}")
    assert tally.failures == []
    assert tally.passed >= 1899
    assert tally.skipped_keys == {}


def test_own_worked_cases_agree():
    tally = golden.run(Path(__file__).parent / "golden_own")
    assert tally.failures == []
    assert (tally.passed, tally.skipped_keys) == (48, {})


def test_golden_runner_reports_a_wrong_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "one.json").write_text(
        '{"cases": [{"id": "off", "kind": "correlation", "inputs": {"x": [1, 2], "y": [1, 2]},'
        ' "params": {}, "expected": {"kendall_tau_b": 0.5, "other": 1}}]}'
    )
    tally = golden.run(tmp_path)
    assert tally.report() == 1
    assert capsys.readouterr().out.splitlines() == [
        "off kendall_tau_b: expected 0.5, got 1.0",
        "0 passed, 1 failed, 1 skipped",
    ]


@pytest.mark.parametrize(
    ("key", "expected", "got", "is_good"),
    [
        ("er", 1.0, 1.0 + 5e-10, True),
        ("er", 1.0, 1.0 + 5e-9, False),
        ("er", None, float("nan"), True),
        ("er", 0.0, float("nan"), False),
        ("p_paired", 1e-8, 2e-8, False),
        ("accepted", True, 1, True),
        ("region", 1, True, False),
    ],
)
def test_golden_agreement_follows_the_tolerance(key, expected, got, is_good):
    assert golden.agrees(key, expected, got) is is_good
