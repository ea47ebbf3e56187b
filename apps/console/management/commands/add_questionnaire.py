"""`manage.py add_questionnaire FILE --owner USER`: add the questionnaire of a YAML file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from apps.console.options import user_named
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.questionnaires.queries import add_questionnaire
from apps.evaluation.questionnaires.typed_questions import load_questionnaire


class Command(ServiceCommand):
    help = "Check the questionnaire of a YAML file, and add it to those of a user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", required=True, help="the name of a user")

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = user_named(options["owner"])
        questionnaire = load_questionnaire(options["file"])
        add_questionnaire(owner, questionnaire)
        count = len(questionnaire.questions)
        self.stdout.write(f"{questionnaire.name}: {count} questions, of {owner.username}")
