"""`manage.py rebuild SIMULATION`: delete the rows and write them again from the log."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from apps import wiring
from apps.django_support.service_command import ServiceCommand
from apps.eventlog.rebuild import Order, rebuild
from apps.simulation import queries


class Command(ServiceCommand):
    help = "Delete a simulation's rows and write them again from the log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("--order", choices=[*Order], default=Order.CANONICAL)

    def handle(self, *_args: Any, **options: Any) -> None:
        queries.get_simulation(options["simulation"])
        applied = rebuild(
            wiring.event_store(), options["simulation"], order=Order(options["order"])
        )
        self.stdout.write(f"{applied} events applied")
