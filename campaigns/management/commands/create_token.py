"""Create a REST token for an account and print it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Scope, User, normal_email
from campaigns.services.tokens import create_token


class Command(BaseCommand):
    """``manage.py create_token EMAIL [--scope SCOPE]... [--days N] [--name NAME]``."""

    help = "Create a REST token for an account and print it on the last line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="address of an account that exists")
        parser.add_argument(
            "--scope",
            action="append",
            choices=Scope.values,
            dest="scopes",
            help="what the token may be used for; may be repeated (default: read and submit)",
        )
        parser.add_argument("--days", type=int, help="how long it lives")
        parser.add_argument("--name", default="command line", help="how its owner recognises it")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(email=normal_email(options["email"])).first()
        if user is None:
            raise CommandError(f"There is no account {options['email']}.")
        if not user.is_active:
            raise CommandError(f"The account {user.email} is closed.")
        scopes = options["scopes"] or [Scope.READ.value, Scope.SUBMIT.value]
        try:
            token, secret = create_token(user, options["name"][:120], scopes, options["days"])
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Token of {user.email} for {', '.join(token.scopes)}, "
            f"ends {token.expires_at:%Y-%m-%d %H:%M} UTC. It is shown only now:"
        )
        self.stdout.write(secret)
