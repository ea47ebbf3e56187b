"""`manage.py export SIMULATION FILE`: write a simulation to one file, or to tables."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from apps import wiring
from apps.archives.exporting import write_archive
from apps.archives.parquet import write_parquet
from apps.kernel.errors import SmallvilleError
from apps.simulation import queries


class Command(BaseCommand):
    help = "Write the history of a simulation up to its committed tick to one file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("file", type=Path, help="it must not exist")
        parser.add_argument(
            "--parquet",
            action="store_true",
            help="make FILE a folder with a Parquet file for each table",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            row = queries.get_simulation(options["simulation"])
            if options["parquet"]:
                path.mkdir(parents=True)
                for table in write_parquet(row, path):
                    self.stdout.write(f"{table}: {table.stat().st_size:,} bytes")
                return
            with path.open("xb") as file:
                for part in write_archive(wiring.ports(), row):
                    file.write(part)
        except SmallvilleError as error:
            raise CommandError(error.message) from error
        except FileExistsError as error:
            raise CommandError(f"{path} exists; name another file") from error
        self.stdout.write(
            f"{path}: {row.name}, tick {row.settled_tick}, {path.stat().st_size:,} bytes"
        )
