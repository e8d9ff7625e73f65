"""Plotly's script: one file of its package, and the styles that the policy must let through."""

from base64 import b64encode
from hashlib import sha256

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from config import plotly_files

EMPTY_ELEMENT = 'appendChild(document.createTextNode("")),document.head.appendChild('
MAP_STYLE = "textContent='.maplibregl-map{"


@pytest.fixture(scope="module")
def script() -> str:
    return (plotly_files.folder() / plotly_files.SCRIPT).read_text(encoding="utf-8")


def source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_hashes_are_those_of_the_styles_in_the_script(script):
    assert script.count(EMPTY_ELEMENT) == 1
    begin = script.index(MAP_STYLE) + len("textContent='")
    rules = script[begin : script.index("'", begin)]
    assert "\\" not in rules  # else the text in the page would differ from that in the script
    assert (source(""), source(rules)) == plotly_files.STYLE_HASHES


def test_script_adds_no_other_style(script):
    assert script.count('createElement("style")') == 2


def test_policy_names_both_hashes_and_nothing_unsafe():
    styles = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["style-src"]
    assert set(plotly_files.STYLE_HASHES) < set(styles)
    assert not any("unsafe" in one for one in styles)


def test_finder_knows_the_script_alone():
    assert finders.find("plotly/plotly.min.js") == str(plotly_files.folder() / plotly_files.SCRIPT)
    assert finders.find("plotly/widgetbundle.js") is None
    assert finders.find("plotly/../plotly.min.js") is None
    assert [name for name, _ in plotly_files.PlotlyFinder().list(None)] == ["plotly.min.js"]


def test_collectstatic_puts_the_script_into_the_manifest(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_FINDERS = ["config.plotly_files.PlotlyFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    finders.get_finder.cache_clear()
    call_command("collectstatic", interactive=False, verbosity=0)
    made = sorted(path.name for path in (tmp_path / "plotly").iterdir())
    assert len(made) == 2
    assert made[1] == "plotly.min.js"
    assert '"plotly/plotly.min.js"' in (tmp_path / "staticfiles.json").read_text()
