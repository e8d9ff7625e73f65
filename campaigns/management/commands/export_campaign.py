"""``manage.py export_campaign SLUG DIR``: a campaign becomes a folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Campaign
from campaigns.services.folders import FolderRefusedError, export_folder


class Command(BaseCommand):
    """Write a campaign into a folder that loads back to an equal one."""

    help = "Write a campaign into DIR, which load_campaign reads back (docs/campaign-folder.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("folder", metavar="DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["slug"], deleted_at__isnull=True).first()
        if campaign is None:
            known = ", ".join(
                Campaign.objects.filter(deleted_at__isnull=True).values_list("slug", flat=True)
            )
            raise CommandError(
                f"There is no campaign {options['slug']!r}; there are: {known or 'none'}."
            )
        try:
            count = export_folder(campaign, options["folder"])
        except FolderRefusedError as refused:
            raise CommandError(str(refused)) from refused
        except OSError as error:
            raise CommandError(f"{options['folder']}: {error.strerror or error}") from error
        self.stdout.write(
            self.style.SUCCESS(f"Campaign {campaign.slug} with {count} runs: {options['folder']}")
        )
