"""``python -m examples.demo DIR [DAY]``: write the folders of the three example campaigns."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from pathlib import Path

from examples.demo import CAMPAIGNS


def main() -> None:
    """Write all three below the named folder."""
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("usage: python -m examples.demo DIR [DAY]")
    day = date.fromisoformat(sys.argv[2]) if len(sys.argv) == 3 else datetime.now(UTC).date()
    for slug, write in CAMPAIGNS.items():
        write(Path(sys.argv[1]) / slug, day)


if __name__ == "__main__":
    main()
