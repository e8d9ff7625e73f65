"""Rendered pages that are kept."""

from types import SimpleNamespace

from campaigns.views import kept_pages

LOCAL = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def test_new_stylesheets_make_new_pages(monkeypatch, settings):
    settings.CACHES = LOCAL
    made = []

    def make():
        made.append(len(made))
        return made[-1]

    for looks, expected in (("one", 0), ("one", 0), ("two", 1), ("one", 0)):
        storage = SimpleNamespace(manifest_hash=looks)
        monkeypatch.setattr(kept_pages, "staticfiles_storage", storage)
        assert kept_pages.kept("looks", ("board", 1), make) == expected
