"""`manage.py fork SIMULATION --at TIME`: create a branch that shares the past."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from apps import wiring
from apps.console.moments import tick_of
from apps.django_support.service_command import ServiceCommand
from apps.simulation import queries
from apps.simulation.engine.forks import ForkSpec, fork_simulation


class Command(ServiceCommand):
    help = "Create a branch of a simulation, which shares its past up to a committed moment."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument(
            "--at", help="a game time such as 2023-02-13T08:00 or a tick; the committed tick"
        )
        parser.add_argument("--name", help="the name of the branch; that of the simulation")
        parser.add_argument("--seed", type=int, help="another seed")
        parser.add_argument("--model", help="another model, as for simulate")

    def handle(self, *_args: Any, **options: Any) -> None:
        parent = queries.get_simulation(options["simulation"])
        spec = ForkSpec(
            name=options["name"] or parent.name,
            at_tick=parent.committed_tick
            if options["at"] is None
            else tick_of(parent.pk, options["at"]),
            seed=options["seed"],
            model=options["model"],
        )
        row = fork_simulation(wiring.ports(), parent.pk, spec, owner_id=parent.owner_id)
        self.stdout.write(f"simulation {row.pk}")
        until = queries.calendar_of(row.pk).moment(row.committed_tick)
        self.stdout.write(f"shares the past of {parent.pk} up to {until}")
