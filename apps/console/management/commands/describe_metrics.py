"""`manage.py describe_metrics`: write docs/reference/metrics.md from the code, or check it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.console.metrics_reference import COMMAND, PAGE, page_of
from apps.metrics.definitions import DEFINITIONS


class Command(BaseCommand):
    help = "Write the reference page of the metrics."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; fail if the page is not current",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        page = page_of(DEFINITIONS)
        if not options["check"]:
            PAGE.write_text(page, encoding="utf-8")
            self.stdout.write(f"wrote {PAGE}")
        elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
            raise CommandError(f"{PAGE} is not current: write it again with {COMMAND}")
