"""The base of management commands that write a page of docs/reference from the code."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps.django_support.service_command import ServiceCommand


class ReferencePageCommand(ServiceCommand):
    """Writes `content` to `page`; with --check, fails if the page is not current."""

    page: Path
    name: str

    def content(self) -> str:
        """Return the page as it follows from the code."""
        raise NotImplementedError

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="only check that the page is current"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        content = self.content()
        if not options["check"]:
            self.page.parent.mkdir(parents=True, exist_ok=True)
            self.page.write_text(content, encoding="utf-8")
            self.stdout.write(f"wrote {self.page}")
        elif not self.page.exists() or self.page.read_text(encoding="utf-8") != content:
            raise CommandError(f"{self.page} is not current: write it again with {self.name}")
