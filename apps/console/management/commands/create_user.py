"""`manage.py create_user NAME`: a new user of the service, who is no administrator."""

import argparse
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.access.commands import UserUnfit, create_user, issue_token


class Command(BaseCommand):
    help = "Create a user who is no administrator; createsuperuser creates one who is."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="what the user is called, as in 'isabella'")
        parser.add_argument(
            "--password",
            action="store_true",
            help="ask for a password; without one only tokens let the user in",
        )
        parser.add_argument(
            "--token",
            metavar="NAME",
            help="issue a token of this name, too, and print it alone on standard output",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        password = _asked_for() if options["password"] else None
        try:
            user = create_user(options["name"], password)
        except UserUnfit as refusal:
            raise CommandError(refusal.message) from None
        name = user.get_username()
        if options["token"]:
            self.stderr.write(f"The user {name} was created; standard output has the token.")
            self.stdout.write(issue_token(user, options["token"]))
            return
        let_in = "" if password else " without a password: only tokens let them in"
        self.stdout.write(
            f"There is a user {name} now{let_in}.\n"
            f"  a token          manage.py issue_token {name} laptop\n"
            f"  a role           POST /api/v1/simulations/ID/members "
            f'{{"username": "{name}", "role": "guest"}}\n'
            "  what they found is theirs; docs/how_to/give_others_access.md tells the rest"
        )


def _asked_for() -> str:
    password = getpass("Password: ")
    if password != getpass("The same again: "):
        raise CommandError("The two passwords differ; nobody was created.")
    return password
