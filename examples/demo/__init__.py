"""Three example campaigns from a seeded model; ``README.md`` says how. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

from examples.demo import centre, iclerb, neuclir

CAMPAIGNS: Mapping[str, Callable[[Path, date], None]] = {
    centre.SLUG: centre.write,
    neuclir.SLUG: neuclir.write,
    iclerb.SLUG: iclerb.write,
}
"""What writes the folder of each campaign, with its times counted from a day."""
