"""Why a production installation must not start."""

from collections.abc import Sequence

LEAST_SECRET = 32


def production_faults(secret: str, debug: bool, hosts: Sequence[str]) -> list[str]:
    """One sentence a fault, with its remedy; empty when the site may start."""
    faults = []
    if not secret:
        faults.append("SECRET_KEY is missing: set it to a long random string")
    elif len(secret) < LEAST_SECRET:
        faults.append(f"SECRET_KEY is too short: at least {LEAST_SECRET} characters")
    if debug:
        faults.append("DEBUG is on: remove it")
    if not hosts:
        faults.append("ALLOWED_HOSTS is missing: name the site's host names")
    if any(host.strip() in ("*", ".") for host in hosts):
        faults.append("ALLOWED_HOSTS has a wildcard: name the site's host names")
    return faults
