"""What must stay secret: the installation's key, and passwords and tokens in the log."""

import logging

import pytest
from django.contrib.auth.hashers import get_hasher

from config import secret, settings
from config.logs import WithoutSecrets


def test_secret_is_made_once_and_readable_by_its_owner_alone(tmp_path):
    folder = tmp_path / "var"
    made = secret.of_installation(folder)
    assert len(made) >= 50
    assert secret.of_installation(folder) == made
    assert (folder / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret_key"]


@pytest.mark.parametrize(
    ("message", "arguments", "shown"),
    [
        ("Authorization: Bearer abc.DEF-1", (), "Authorization: Bearer ***"),
        ("no answer from %s", ("redis://u:p4ss@h/0",), "no answer from redis://u:***@h/0"),
        ("stored %d runs", (3,), "stored 3 runs"),
    ],
)
def test_log_line_keeps_no_secret(message, arguments, shown):
    record = logging.LogRecord("cb", logging.INFO, __file__, 1, message, arguments, None)
    assert WithoutSecrets().filter(record)
    assert record.getMessage() == shown


def test_passwords_are_kept_by_argon2():
    """Tests themselves put a quicker one before it."""
    assert get_hasher("argon2").__module__ + ".Argon2PasswordHasher" == settings.PASSWORD_HASHERS[0]
