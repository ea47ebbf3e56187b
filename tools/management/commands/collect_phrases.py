"""`manage.py collect_phrases`: write the phrases of the code into the catalogues."""

from argparse import ArgumentParser
from typing import Any

from babel import Locale
from babel.core import UnknownLocaleError
from django.core.management.base import CommandError

from apps.django_support.service_command import ServiceCommand
from apps.kernel.language import CATALOGUES, ENGLISH, languages
from tools.phrase_collection import read_catalogue, untranslated, updated_catalogue


class Command(ServiceCommand):
    help = "Write new phrases into the catalogues of all languages; name a code to add one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("new", nargs="?", default="", help="the code of a new language")
        parser.add_argument(
            "--check", action="store_true", help="only check that the catalogues are current"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        known = [language for language in languages() if language != ENGLISH]
        for language in dict.fromkeys([*known, *_new_language(options["new"])]):
            file = CATALOGUES / f"{language}.po"
            content = updated_catalogue(language)
            if not options["check"]:
                file.write_bytes(content)
            elif not file.exists() or file.read_bytes() != content:
                raise CommandError(f"{file} is not current: run manage.py collect_phrases")
            missing = len(untranslated(read_catalogue(language)))
            self.stdout.write(f"{file}: {missing} phrases without a translation")


def _new_language(code: str) -> list[str]:
    try:
        return [str(Locale.parse(code))] if code else []
    except (UnknownLocaleError, ValueError) as error:
        raise CommandError(f"{error}; name a language by its code, such as fr") from error
