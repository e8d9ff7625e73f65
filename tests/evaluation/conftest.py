"""Small files for the commands."""

import gzip
from pathlib import Path

import pytest

RUN = "1 Q0 a 1 3 base\n1 Q0 b 2 2 base\n1 Q0 c 3 1 base\n2 Q0 d 1 2 base\n2 Q0 e 2 1 base\n"
OTHER = "1 Q0 b 1 3 adv\n1 Q0 a 2 2 adv\n1 Q0 x 3 1 adv\n2 Q0 d 1 2 adv\n2 Q0 e 2 1 adv\n"
QRELS = "1 0 b 1\n2 0 d 2\n3 0 a 0\n"
BAD = "1 Q0 a 1 3 base\n1 Q0 a 2 nan base\n"
TOPICS = "1\tone\n2\ttwo\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs, judgments, topics and a bad run, made the current one."""
    texts = {"run": RUN, "other": OTHER, "qrels": QRELS, "bad": BAD, "topics": TOPICS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    monkeypatch.chdir(tmp_path)
    return tmp_path
