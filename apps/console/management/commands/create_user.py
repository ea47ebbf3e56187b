"""`manage.py create_user NAME`: a new user of the service without administrator rights."""

import argparse
from getpass import getpass
from typing import Any

from django.core.management.base import CommandError

from apps.access.commands import create_user, issue_token
from apps.django_support.service_command import ServiceCommand


class Command(ServiceCommand):
    help = "Create a user without administrator rights; see createsuperuser for administrators."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="the user's name, as in 'isabella'")
        parser.add_argument(
            "--password",
            action="store_true",
            help="ask for a password; without one the user can log in by tokens only",
        )
        parser.add_argument(
            "--token",
            metavar="NAME",
            help="issue a token of this name, too, and print it alone on standard output",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        password = _read_password() if options["password"] else None
        user = create_user(options["name"], password)
        name = user.get_username()
        if options["token"]:
            self.stderr.write(f"The user {name} was created; standard output has the token.")
            self.stdout.write(issue_token(user, options["token"]))
            return
        login = "" if password else " without a password, who can log in by tokens only"
        self.stdout.write(
            f"Created the user {name}{login}.\n"
            f"  a token          manage.py issue_token {name} laptop\n"
            f"  a role           POST /api/v1/simulations/ID/members "
            f'{{"username": "{name}", "role": "guest"}}\n'
            "  users own the simulations that they create: docs/how_to/give_others_access.md"
        )


def _read_password() -> str:
    password = getpass("Password: ")
    if password != getpass("Password (again): "):
        raise CommandError("The two passwords differ; no user was created.")
    return password
