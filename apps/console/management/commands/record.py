"""`manage.py record SIMULATION --from --to --output FILE`: write a part as one HTML file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from apps import wiring
from apps.archives.recordings.recorded_history import record_history, span_of
from apps.archives.recordings.recording_page import write_recording
from apps.console.moments import tick_of
from apps.django_support.service_command import ServiceCommand
from apps.simulation import queries
from apps.simulation.ports import constants_of


class Command(ServiceCommand):
    help = "Write a part of a simulation as one HTML file that plays it without a server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument(
            "--from",
            dest="from_",
            default="0",
            help="a game time such as 2023-02-13T08:00 or a tick",
        )
        parser.add_argument("--to", help="a game time or a tick; default: the committed tick")
        parser.add_argument("--output", type=Path, required=True, metavar="FILE")

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["output"]
        row = queries.get_simulation(options["simulation"])
        ports, to = wiring.ports(), options["to"]
        constants = constants_of(row.pk, ports.worlds)
        span = span_of(
            row,
            constants.calendar,
            from_tick=tick_of(row.pk, options["from_"]),
            to_tick=row.committed_tick if to is None else tick_of(row.pk, to),
        )
        history = record_history(ports.store, row, constants, span)
        path.write_text(write_recording(settings.FRONTEND_FOLDER, history), "utf-8")
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")
