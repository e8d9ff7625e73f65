"""The settings of processes under test: the database of the test, and a way to hold them."""

from config import env, settings
from config.settings import *  # noqa: F403

DATABASES = {
    "default": {
        **settings.DATABASES["default"],
        "NAME": env.text("TEST_DATABASE_NAME") or settings.DATABASES["default"]["NAME"],
    }
}
CELERY_IMPORTS = ("tests.worker.holds",)
