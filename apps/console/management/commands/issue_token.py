"""`manage.py issue_token USER NAME`: a new API token for a user, printed once."""

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from apps.access.commands import issue_token


class Command(BaseCommand):
    help = "Print a new API token for a user. It is kept nowhere: store it now."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", help="the user's name")
        parser.add_argument("name", help="what the token is for, as in 'laptop'")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(
                f"There is no user {options['user']!r}: create one with createsuperuser "
                "or in the admin."
            )
        self.stdout.write(issue_token(user, options["name"]))
