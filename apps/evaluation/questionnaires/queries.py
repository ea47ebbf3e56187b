"""Questionnaires by name: those of the service, and those of a user."""

from django.contrib.auth.models import User

from apps.evaluation.models import QuestionnaireRow
from apps.evaluation.questionnaires.typed_questions import (
    Questionnaire,
    UnusableQuestionnaire,
    is_name,
    read_questionnaire,
    shipped_questionnaires,
)
from apps.kernel.errors import DomainError, NotFound
from apps.kernel.names import names_there_are

QUESTIONNAIRES_PER_USER_MAX = 200


class QuestionnaireUnknown(NotFound):
    """You have no questionnaire of that name, and the service ships none."""


class QuestionnaireExists(DomainError):
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
            f"of the service or of {owner.get_username()}; {known}; add_questionnaire and "
            "POST /api/v1/questionnaires add one"
            if owner
            else f"of the service; {known}; those of a user are found if --user names the user"
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
