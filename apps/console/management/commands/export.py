"""`manage.py export SIMULATION FILE`: write a simulation to files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.archives.exporting import write_archive
from apps.archives.exports import EXPORTERS, Exporter, write_folder
from apps.django_support.service_command import ServiceCommand
from apps.simulation import queries
from apps.simulation.models import SimulationRow

FILES_SHOWN_MAX = 10


class Command(ServiceCommand):
    help = "Write the history of a simulation up to its committed tick to one file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("file", type=Path, help="it must not exist")
        parser.add_argument(
            "--format",
            choices=list(EXPORTERS),
            help="make FILE a folder with files for another program",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        row = queries.get_simulation(options["simulation"])
        if path.exists():
            raise CommandError(f"{path} exists; name another file")
        if options["format"]:
            self._write_folder(row, EXPORTERS.item(options["format"]), path)
            return
        with path.open("xb") as file:
            for part in write_archive(wiring.ports(), row):
                file.write(part)
        until = queries.calendar_of(row.pk).moment(row.committed_tick)
        self.stdout.write(f"{path}: {row.name}, until {until}, {path.stat().st_size:,} bytes")

    def _write_folder(self, row: SimulationRow, exporter: Exporter, folder: Path) -> None:
        folder.mkdir(parents=True)
        files = write_folder(row, exporter, folder)
        for file in files[:FILES_SHOWN_MAX]:
            self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
        if len(files) > FILES_SHOWN_MAX:
            self.stdout.write(f"and {len(files) - FILES_SHOWN_MAX:,} more files")
