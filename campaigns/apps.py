"""The Django app that holds campaigns, runs and scores."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Registers the models; nothing happens at start-up."""

    name = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Centreboard"
