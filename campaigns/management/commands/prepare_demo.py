"""``manage.py prepare_demo``: example campaigns and demo accounts, for ``make run``."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaigns.numerics.folder import FolderInspector
from campaigns.services.demo import prepare_demo
from campaigns.services.folders import FolderRefusedError

ACCOUNTS_FILE = "demo-accounts.json"


class Command(BaseCommand):
    """Load the example campaigns and make the demo accounts; doing it again changes nothing."""

    help = "Load the example campaigns and make the demo accounts, unless they are there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--examples", type=Path, default=settings.BASE_DIR / "examples", metavar="DIR"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("The demo accounts are not made on a production site.")
        accounts = Path(settings.VAR_DIR) / ACCOUNTS_FILE
        try:
            demo = prepare_demo(options["examples"], accounts, FolderInspector())
        except FolderRefusedError as refused:
            raise CommandError(f"An example campaign has faults:\n{refused}") from refused
        for slug in demo.loaded:
            self.stdout.write(f"Campaign {slug}: loaded")
        for email, password in demo.passwords.items():
            self.stdout.write(f"{email}  {password}")
