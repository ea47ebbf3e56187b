"""`manage.py tell_day SIMULATION AGENT…`: write days of agents as stories in Markdown."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from apps.console.stories.day_query import read_day
from apps.console.stories.story import write_story
from apps.kernel.errors import SmallvilleError
from apps.kernel.names import slug_of


class Command(BaseCommand):
    help = "Write days of agents as stories in Markdown, from the log of a simulation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("agents", nargs="+", metavar="agent", help="a name or a slug")
        parser.add_argument(
            "--day",
            type=date.fromisoformat,
            help="the day of waking, 2023-02-13; default: the first day of the simulation",
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
                found = read_day(
                    options["simulation"], slug, day=day.isoformat() if day else None
                )
            except SmallvilleError as error:
                raise CommandError(error.message) from error
            story = write_story(found)
            if folder is None:
                self.stdout.write(story)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{slug}.md").write_text(story, "utf-8")
            self.stdout.write(str(folder / f"{slug}.md"))
