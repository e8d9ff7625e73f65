"""Plotly's script, taken from its Python package: nothing of it is copied into the repository."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

SCRIPT = "plotly.min.js"
PREFIX = "plotly"

# What Plotly adds to the page: an empty element that it fills rule by rule, and rules for maps.
# A test computes both from the script anew, so that a new version cannot change them unseen.
STYLE_HASHES = (
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
    "'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='",
)


def folder() -> Path:
    """Where the package keeps the script; the package itself is not loaded."""
    spec = find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package plotly is not installed.")
    return Path(next(iter(spec.submodule_search_locations))) / "package_data"


class PackageFiles(FileSystemStorage):
    """The package's folder; ``prefix`` is where ``collectstatic`` puts its files."""

    prefix = PREFIX


class PlotlyFinder(BaseFinder):
    """Finds ``plotly/plotly.min.js`` and nothing else of the package."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.storage = PackageFiles(location=folder())

    def check(self, **options: Any) -> list[Any]:
        """Nothing to check: the package is there, or starting has failed."""
        return []

    def find(self, path: str, find_all: bool = False, **options: Any) -> Any:
        """The script's path, if it is asked for; an empty list otherwise, as Django has it."""
        if path != f"{PREFIX}/{SCRIPT}":
            return []
        found = str(folder() / SCRIPT)
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, Any]]:
        """The one file, for ``collectstatic``."""
        if not matches_patterns(SCRIPT, ignore_patterns or []):
            yield SCRIPT, self.storage
