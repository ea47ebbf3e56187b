"""`manage.py tell_day SIMULATION AGENT…`: people's days as stories in Markdown."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from apps.console.telling.reading import read_day
from apps.console.telling.story import tell
from apps.kernel.errors import SmallvilleError
from apps.kernel.names import slug_of


class Command(BaseCommand):
    help = "Tell people's days as stories in Markdown, from the log of a simulation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("agents", nargs="+", metavar="agent", help="a name or a slug")
        parser.add_argument(
            "--day",
            type=date.fromisoformat,
            help="the day they woke on, 2023-02-13; the simulation's first if left out",
        )
        parser.add_argument(
            "--write",
            type=Path,
            metavar="DIR",
            help="write DIR/<slug>.md, as in docs/stories, instead of printing",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder: Path | None = options["write"]
        day: date | None = options["day"]
        for agent in options["agents"]:
            slug = slug_of(agent)
            try:
                read = read_day(
                    options["simulation"], slug, day=day.isoformat() if day else None
                )
            except SmallvilleError as error:
                raise CommandError(error.message) from error
            story = tell(read)
            if folder is None:
                self.stdout.write(story)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{slug}.md").write_text(story, "utf-8")
            self.stdout.write(str(folder / f"{slug}.md"))
