"""`manage.py import FILE`: create a simulation from an exported file."""  # noqa: N999 (the name of the command)

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from apps import wiring
from apps.access.queries import user_named
from apps.archives.importing import import_archive
from apps.django_support.service_command import ServiceCommand
from apps.eventlog.store import log_sha256
from apps.simulation import queries


class Command(ServiceCommand):
    help = "Create a simulation from an archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", help="the name of the user that becomes the owner")
        parser.add_argument(
            "--new-id", action="store_true", help="give the simulation another id"
        )
        parser.add_argument(
            "--add-world",
            action="store_true",
            help="add the world of the file if there is none of its name",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = options["owner"]
        with options["file"].open("rb") as file:
            row = import_archive(
                wiring.ports(),
                file,
                owner_id=None if owner is None else user_named(owner).pk,
                has_new_id=options["new_id"],
                adds_world=options["add_world"],
            )
        until = queries.calendar_of(row.pk).moment(row.committed_tick)
        self.stdout.write(f"simulation {row.pk}: {row.name}, until {until}")
        self.stdout.write(f"log_sha256 {log_sha256(row.pk)}")
