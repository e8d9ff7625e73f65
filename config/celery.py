"""The Celery application: configured by the CELERY_* settings."""

from typing import Any

from celery import Celery
from celery.signals import worker_process_init

from config import env
from config.leash import die_with_parent

env.use_project_settings()

app = Celery("centreboard", set_as_current=True)
app.config_from_object("django.conf:settings", namespace="CELERY")
# current_app is per thread; without a default, gunicorn's other threads would ring no broker.
app.set_default()
app.autodiscover_tasks()


@worker_process_init.connect
def leash_pool_child(**_: Any) -> None:
    """A pool child must not outlive a worker that was killed."""
    die_with_parent()
