"""``manage.py load_campaign DIR``: a folder becomes a campaign."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from campaigns.numerics.folder import FolderInspector
from campaigns.services.folders import FolderRefusedError, load_folder
from campaigns.services.refusals import RefusalError

NOTES = 20


class Command(BaseCommand):
    """Create a campaign from a folder, or update it with ``--update``."""

    help = (
        "Create a campaign from DIR/campaign.yaml and the files it names (docs/campaign-folder.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)
        parser.add_argument(
            "--update",
            action="store_true",
            help="bring the campaign of this slug up to date; nothing stored is removed",
        )
        parser.add_argument("--slug", help="load it under this slug instead of the folder's own")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            loaded = load_folder(
                options["folder"],
                FolderInspector(),
                is_update=options["update"],
                slug=options["slug"],
            )
        except FolderRefusedError as refused:
            listed = "\n".join(f"  {fault}" for fault in refused.faults)
            count = f"{len(refused.faults)} fault{'s' if len(refused.faults) > 1 else ''}"
            nothing = "nothing was changed" if options["update"] else "nothing was created"
            raise CommandError(f"{count} in {options['folder']}, {nothing}:\n{listed}") from refused
        except RefusalError as refused:
            raise CommandError(f"Nothing was changed: {refused.text}") from refused
        except IntegrityError as error:
            raise CommandError(
                "Nothing was changed: something else changed the campaign at the same moment. "
                "Run the command again."
            ) from error
        for note in loaded.notes[:NOTES]:
            self.stdout.write(f"note: {note}")
        if len(loaded.notes) > NOTES:
            self.stdout.write(f"note: {len(loaded.notes) - NOTES} more remarks")
        for change in loaded.changes:
            self.stdout.write(change)
        done = "loaded" if loaded.is_new else "updated" if loaded.changes else "unchanged"
        self.stdout.write(self.style.SUCCESS(f"Campaign {loaded.campaign.slug}: {done}"))
