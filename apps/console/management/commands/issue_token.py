"""`manage.py issue_token USER NAME`: a new API token for a user, printed once."""

import argparse
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.access.commands import issue_token


class Command(BaseCommand):
    help = "Print a new API token for a user. It is kept nowhere: store it now."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", help="the user's name")
        parser.add_argument("name", help="what the token is for, as in 'laptop'")
        parser.add_argument(
            "--days", type=int, help="after how many days it ends; else when it is revoked"
        )
        parser.add_argument(
            "--read-only", action="store_true", help="it can look, and change nothing"
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(
                f"There is no user {options['user']!r}: create one with create_user "
                "or in the admin."
            )
        days = options["days"]
        if days is not None and days < 1:
            raise CommandError("--days takes a number of days from 1.")
        ends = None if days is None else timezone.now() + timedelta(days=days)
        token = issue_token(
            user, options["name"], expires_at=ends, reads_only=options["read_only"]
        )
        self.stdout.write(token)
