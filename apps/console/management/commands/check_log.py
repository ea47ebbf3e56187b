"""`manage.py check_log SIMULATION`: check the log, and that its rows equal a rebuild."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.django_support.service_command import ServiceCommand
from apps.eventlog.rebuild import check


class Command(ServiceCommand):
    help = "Check that the log is complete and that all rows follow from it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)

    def handle(self, *_args: Any, **options: Any) -> None:
        found = check(wiring.event_store(), options["simulation"])
        for problem in found.problems:
            self.stderr.write(problem)
        self.stdout.write(f"{found.events} events, {found.rows} rows, {found.log_sha256}")
        if found.problems:
            raise CommandError(
                f"{len(found.problems)} problems; `manage.py rebuild {options['simulation']}` "
                "writes the rows again from the log"
            )
        self.stdout.write("the log is whole, and the rows are what it says")
