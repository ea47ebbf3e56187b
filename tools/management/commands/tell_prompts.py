"""`manage.py tell_prompts SIMULATION AGENT`: write the prompts of a day in Markdown."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from apps.django_support.service_command import ServiceCommand
from apps.kernel.names import slug_of
from tools.stories.prompt_day import write_prompts


class Command(ServiceCommand):
    help = "Write all prompts and answers of an agent's day in Markdown, from the call log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("agent", help="a name or a slug")
        parser.add_argument(
            "--day", type=date.fromisoformat, help="2023-02-13; default: the first day"
        )
        parser.add_argument(
            "--write", type=Path, metavar="FILE", help="write a file instead of printing"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        text = write_prompts(
            options["simulation"], slug_of(options["agent"]), day=options["day"]
        )
        file: Path | None = options["write"]
        if file is None:
            self.stdout.write(text)
            return
        file.write_text(text, "utf-8")
        self.stdout.write(f"wrote {file}")
