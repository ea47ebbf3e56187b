"""`manage.py describe_llm_tasks`: write docs/reference/llm_tasks.md, or check it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps import wiring
from apps.console.llm_task_reference import COMMAND, PAGE, page_of


class Command(BaseCommand):
    help = "Write the reference page of every question that is put to a model."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the page is not current",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        page = page_of(wiring.LLM_TASKS)
        if not options["check"]:
            PAGE.parent.mkdir(parents=True, exist_ok=True)
            PAGE.write_text(page, encoding="utf-8")
            self.stdout.write(f"wrote {PAGE}")
        elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
            raise CommandError(f"{PAGE} is not current: write it again with {COMMAND}")
