"""Questionnaires: typed questions, read from YAML or JSON, of the service and of users (E1)."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from django.contrib.auth.models import User
from pydantic import AfterValidator, Field

from apps.evaluation.models import QuestionnaireRow
from apps.interaction.answer_forms import OPEN, AnswerForm
from apps.interaction.commands import QuestionText
from apps.kernel.errors import Conflict, DomainError, NotFound
from apps.kernel.names import names_there_are
from apps.kernel.request_models import Listed, RequestModel, fault, read_values
from apps.kernel.requested_values import EmptyOrText
from apps.kernel.strict_yaml import load_yaml_file

QUESTIONS_MAX = 500
TITLE_CHARACTERS_MAX = 200
NAME_CHARACTERS_MAX = 60
# Placeholders of question texts, see `surveys.queries.placeholder_names`.
PLACEHOLDERS = ("other", "other2", "frequent", "frequent2")
SHIPPED = Path(__file__).parent
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
NAME_PATTERN = "[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = re.compile(NAME_PATTERN)


class UnusableQuestionnaire(DomainError):
    """The questionnaire has a fault; the message names the question."""


def is_name(text: str) -> bool:
    """Return whether a questionnaire or a question can have the name."""
    return len(text) <= NAME_CHARACTERS_MAX and _NAME.fullmatch(text) is not None


def _named(text: str) -> str:
    if not is_name(text):
        raise fault('must be lower-case words with hyphens, such as "trust-in-others"')
    return text


def _with_known_placeholders(text: str) -> str:
    if unknown := sorted({*_PLACEHOLDER.findall(text)} - {*PLACEHOLDERS}):
        raise fault(
            f"has an unknown placeholder {{{unknown[0]}}}; there are {', '.join(PLACEHOLDERS)}"
        )
    return text


def _with_different_names(
    questions: "tuple[TypedQuestion, ...]",
) -> "tuple[TypedQuestion, ...]":
    names = [one.name for one in questions]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise fault(f"two questions have the name {', '.join(repeated)}")
    return questions


QuestionnaireName = Annotated[
    str, Field(max_length=NAME_CHARACTERS_MAX), AfterValidator(_named)
]
_Line = Annotated[EmptyOrText, Field(max_length=TITLE_CHARACTERS_MAX)]


class TypedQuestion(RequestModel):
    """A question with the form of its answer."""

    name: QuestionnaireName
    """Unique in the questionnaire."""
    text: Annotated[QuestionText, AfterValidator(_with_known_placeholders)]
    """It may have `{other}` and `{other2}`, the first and the last that the agent has talked
    with, and `{frequent}` and `{frequent2}`, those of most talks."""
    category: _Line = ""
    """A word for questions of one kind."""
    answer: AnswerForm = OPEN
    """Spoken words alone, if left out."""

    @property
    def placeholders(self) -> frozenset[str]:
        """The placeholders in the text."""
        return frozenset(_PLACEHOLDER.findall(self.text))

    def filled(self, names: Mapping[str, str]) -> str:
        """Return the text with the names in place of the placeholders."""
        return _PLACEHOLDER.sub(lambda found: names[found[1]], self.text)


class Questionnaire(RequestModel):
    """A questionnaire of a user."""

    name: QuestionnaireName
    """Unique among your questionnaires and those of the service."""
    title: _Line = ""
    """The title for readers; the name, if left out."""
    source: _Line = ""
    """Its publisher; left out if there is none."""
    questions: Annotated[
        Listed[TypedQuestion],
        Field(min_length=1, max_length=QUESTIONS_MAX),
        AfterValidator(_with_different_names),
    ]
    """The questions in their order."""

    def to_json(self) -> dict[str, Any]:
        """Return the questionnaire as `read_questionnaire` takes it, and as a survey has it."""
        return super().to_json() | {"title": self.title or self.name}


def read_questionnaire(values: Any) -> Questionnaire:
    """Return the questionnaire of plain values, as YAML or JSON has them.

    :raises UnusableQuestionnaire: if a value is missing, unknown or of another type.
    """
    return read_values(Questionnaire, values, error=UnusableQuestionnaire)


def load_questionnaire(path: Path) -> Questionnaire:
    """Return the questionnaire of a YAML file.

    :raises UnusableQuestionnaire: if the file is no YAML, or has a fault.
    """
    try:
        values = load_yaml_file(path)
    except yaml.YAMLError as error:
        raise UnusableQuestionnaire(f"{path} is no YAML: {error}") from error
    return read_questionnaire(values)


@cache
def shipped_questionnaires() -> Mapping[str, Questionnaire]:
    """Return the questionnaires that the service ships, by name."""
    found = (load_questionnaire(path) for path in sorted(SHIPPED.glob("*.yaml")))
    return {one.name: one for one in found}


QUESTIONNAIRES_PER_USER_MAX = 200


class QuestionnaireUnknown(NotFound):
    """You have no questionnaire of that name, and the service ships none."""


class QuestionnaireExists(Conflict):
    """There is a questionnaire of that name; choose another, or delete yours."""


def questionnaires_of(owner: User) -> list[Questionnaire]:
    """Return the questionnaires that a user can ask: those shipped, then its own by name."""
    rows = QuestionnaireRow.objects.filter(owner=owner).order_by("name")
    return [*shipped_questionnaires().values(), *map(_questionnaire, rows)]


def get_questionnaire(owner: User | None, name: str) -> Questionnaire:
    """Return a questionnaire of the service, or of the owner if there is one.

    :raises QuestionnaireUnknown: if there is none of the name.
    """
    shipped = shipped_questionnaires()
    if name in shipped:
        return shipped[name]
    rows = (
        QuestionnaireRow.objects.filter(owner=owner)
        if owner
        else QuestionnaireRow.objects.none()
    )
    row = rows.filter(name=name).first() if is_name(name) else None
    if row is not None:
        return _questionnaire(row)
    known = names_there_are([*shipped, *rows.values_list("name", flat=True)], name)
    raise QuestionnaireUnknown(
        f"there is no questionnaire {name[:80]!r} "
        + (
            f"of the service or of {owner.get_username()}; {known}; "
            "POST /api/v1/questionnaires adds one"
            if owner
            else f"of the service; {known}; `manage.py operate createExperiment --user NAME` "
            "finds those of a user"
        )
    )


def add_questionnaire(owner: User, questionnaire: Questionnaire) -> None:
    """Store a questionnaire of a user.

    :raises QuestionnaireExists: if the service or the user has one of the name.
    :raises UnusableQuestionnaire: if the user has too many.
    """
    rows = QuestionnaireRow.objects.filter(owner=owner)
    if rows.count() >= QUESTIONNAIRES_PER_USER_MAX:
        raise UnusableQuestionnaire(
            f"you have {QUESTIONNAIRES_PER_USER_MAX} questionnaires; delete one first"
        )
    is_shipped = questionnaire.name in shipped_questionnaires()
    _, is_new = (
        (None, False)
        if is_shipped
        else rows.get_or_create(
            owner=owner,
            name=questionnaire.name,
            defaults={
                name: value for name, value in questionnaire.to_json().items() if name != "name"
            },
        )
    )
    if not is_new:
        raise QuestionnaireExists(
            f"there is a questionnaire {questionnaire.name!r} already; choose another name"
        )


def delete_questionnaire(owner: User, name: str) -> None:
    """Delete a questionnaire of the user; its surveys stay.

    :raises QuestionnaireUnknown: if the user has none of the name.
    """
    rows = QuestionnaireRow.objects.filter(owner=owner, name=name)
    if not is_name(name) or not rows.delete()[0]:
        raise QuestionnaireUnknown(f"you have no questionnaire {name[:80]!r}")


def _questionnaire(row: QuestionnaireRow) -> Questionnaire:
    return read_questionnaire(
        {
            "name": row.name,
            "title": row.title,
            "source": row.source,
            "questions": row.questions,
        }
    )
