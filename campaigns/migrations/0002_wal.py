"""Write-ahead logging for SQLite; inside a transaction it would silently stay off."""

from django.db import migrations


def switch_on(_apps, schema_editor):  # type: ignore[no-untyped-def]
    """Readers no longer wait for the writer."""
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode=WAL")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("campaigns", "0001_initial")]

    operations = [migrations.RunPython(switch_on, migrations.RunPython.noop)]
