"""``manage.py prepare_demo``: example campaigns and demo accounts, for ``make run``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Campaign
from campaigns.services.demo import prepare_demo
from examples.demo import CAMPAIGNS

ACCOUNTS_FILE = "demo-accounts.json"
SMALL = "small-centre"


class Command(BaseCommand):
    """Load the example campaigns and make the demo accounts; doing it again changes nothing."""

    help = "Load the example campaigns and make the demo accounts, unless they are there."
    # Every start of ``make run`` waits for this, so only what depends on settings is checked.
    requires_system_checks = [Tags.compatibility]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--migrate", action="store_true", help="first bring the database up to date"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("The demo accounts are not made on a production site.")
        if options["migrate"]:
            call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        var_dir = Path(settings.VAR_DIR)
        demo = prepare_demo(_campaigns(var_dir / "demo"), var_dir / ACCOUNTS_FILE)
        for slug in demo.loaded:
            self.stdout.write(f"Campaign {slug}: loaded")
        for email, password in demo.passwords.items():
            self.stdout.write(f"{email}  {password}")


def _campaigns(folder: Path) -> dict[str, Callable[[], Campaign]]:
    """What loads each example campaign; the folder of ``SMALL`` lies ready."""
    made = {slug: partial(_made, slug, folder / slug) for slug in CAMPAIGNS}
    return made | {SMALL: partial(_loaded, settings.BASE_DIR / "examples" / SMALL)}


def _made(slug: str, folder: Path) -> Campaign:
    CAMPAIGNS[slug](folder, datetime.now(UTC).date())
    return _loaded(folder)


def _loaded(folder: Path) -> Campaign:
    # Imported here, because a start that has nothing to load should not wait for NumPy.
    from campaigns.numerics.folder import FolderInspector  # noqa: PLC0415  (as said above)
    from campaigns.services.folders import (  # noqa: PLC0415  (as said above)
        FolderRefusedError,
        load_folder,
    )

    try:
        return load_folder(folder, FolderInspector()).campaign
    except FolderRefusedError as refused:
        raise CommandError(f"The example in {folder} has faults:\n{refused}") from refused
