"""`manage.py add_questionnaire FILE --owner USER`: add the questionnaire of a YAML file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from apps.evaluation.questionnaires.queries import add_questionnaire
from apps.evaluation.questionnaires.typed_questions import load_questionnaire
from apps.kernel.errors import SmallvilleError


class Command(BaseCommand):
    help = "Check the questionnaire of a YAML file, and add it to those of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="the name of a user")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            owner = User.objects.get(username=options["owner"])
            questionnaire = load_questionnaire(options["file"])
            add_questionnaire(owner, questionnaire)
        except User.DoesNotExist as error:
            raise CommandError(f"there is no user {options['owner']!r}") from error
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}") from error
        except SmallvilleError as error:
            raise CommandError(error.message) from error
        count = len(questionnaire.questions)
        self.stdout.write(f"{questionnaire.name}: {count} questions, of {owner.username}")
