"""`manage.py tell_day SIMULATION AGENT…`: write days of agents as stories in Markdown."""

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps.django_support.service_command import ServiceCommand
from apps.kernel.names import slug_of
from tools.stories.day_query import read_day
from tools.stories.story import write_story


class Command(ServiceCommand):
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
            "--days",
            type=int,
            default=1,
            metavar="N",
            help="tell N days in a row, one after another; default: 1",
        )
        parser.add_argument(
            "--write",
            type=Path,
            metavar="DIR",
            help="write DIR/<slug>.md, as in docs/stories, instead of printing; several days "
            "to DIR/<slug>-N-days.md",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder: Path | None = options["write"]
        count: int = options["days"]
        if count < 1:
            raise CommandError(f"--days is 1 or more, not {count}")
        for agent in options["agents"]:
            slug = slug_of(agent)
            story = "\n".join(_stories(options["simulation"], slug, options["day"], count))
            if folder is None:
                self.stdout.write(story)
                continue
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / (f"{slug}.md" if count == 1 else f"{slug}-{count}-days.md")
            path.write_text(story, "utf-8")
            self.stdout.write(str(path))


def _stories(simulation_id: UUID, agent: str, first: date | None, count: int) -> Iterator[str]:
    """Yield the stories of the days, the first of the simulation first by default."""
    day = None if first is None else first.isoformat()
    for _ in range(count):
        found = read_day(simulation_id, agent, day=day)
        yield write_story(found)
        day = (found.begins.date() + timedelta(days=1)).isoformat()
