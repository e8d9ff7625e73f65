"""Registers the system checks and makes Celery's application the current one."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Installation"

    def ready(self) -> None:
        from config import celery, checks  # noqa: F401, PLC0415  (both need the settings)
