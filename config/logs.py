"""Keeps secrets out of the logs."""

import logging
import re

SECRETS = (
    (re.compile(r"(?i)(bearer\s+)[A-Za-z0-9._~+/=-]+"), r"\1***"),
    (re.compile(r"(/join/)[A-Za-z0-9_-]+"), r"\1***"),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+(@)"), r"\1***\2"),
)


class WithoutSecrets(logging.Filter):
    """Blanks bearer tokens and the passwords of addresses in every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        for pattern, blank in SECRETS:
            message = pattern.sub(blank, message)
        record.msg, record.args = message, None
        return True
