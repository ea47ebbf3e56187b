"""`manage.py estimate`: the cost of game days with a model that need not be set up."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps import wiring
from apps.console.estimate import write_estimate_of_days
from apps.console.options import chosen_agents
from apps.django_support.service_command import ServiceCommand
from apps.simulation.engine.lifecycle import SimulationSpec

DAYS_MAX = 10_000


class Command(ServiceCommand):
    help = "Estimate calls, tokens and cost of game days; needs no key and no database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--world", default="smallville")
        parser.add_argument("--days", type=float, default=1.0, help="game days; default 1")
        parser.add_argument(
            "--agents", nargs="+", help="the first N agents of the world, or their names"
        )
        parser.add_argument(
            "--model", help="such as gpt-4o-mini, openai:gpt-4.1-mini or offline"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if not 0 < options["days"] <= DAYS_MAX:
            raise CommandError(f"--days must lie between 0 and {DAYS_MAX}")
        founding = SimulationSpec(
            name="estimate",
            world=wiring.worlds().name_of(options["world"]),
            seed=0,
            model=options["model"],
            agents=chosen_agents(options["agents"]),
        )
        write_estimate_of_days(self.stdout.write, founding, options["days"])
