"""``manage.py import_sigir2020 DIR``: the paper's published scores become a campaign."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Campaign
from campaigns.numerics.sigir2020 import SLUG, write_folder
from evaluation.published_series import BadSeries


class Command(BaseCommand):
    """Load the campaign ``sigir2020``, or bring it up to date."""

    help = "Load the published scores of the SIGIR 2020 paper in DIR as the campaign sigir2020."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        with tempfile.TemporaryDirectory(prefix="sigir2020-") as place:
            try:
                write_folder(options["folder"], Path(place))
            except (BadSeries, OSError) as error:
                raise CommandError(f"Nothing was changed: {error}") from error
            call_command(
                "load_campaign",
                place,
                update=Campaign.objects.filter(slug=SLUG).exists(),
                stdout=self.stdout,
                stderr=self.stderr,
            )
