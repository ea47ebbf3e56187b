"""Questionnaires: listed, added, shown, deleted."""

from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import ResourceURL, Serializer, Strict, Text
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import header, operation
from apps.api.http.views import ApiView, Errors
from apps.api.resources.typed_questions import AnswerFormFields
from apps.evaluation.questionnaires.queries import (
    QuestionnaireExists,
    QuestionnaireUnknown,
    add_questionnaire,
    delete_questionnaire,
    get_questionnaire,
    questionnaire_json,
    questionnaires_of,
)
from apps.evaluation.questionnaires.typed_questions import (
    NAME_CHARACTERS_MAX,
    NAME_PATTERN,
    TITLE_CHARACTERS_MAX,
    Questionnaire,
    UnusableQuestionnaire,
    read_questionnaire,
    shipped_questionnaires,
)
from apps.interaction.answer_forms import form_json
from apps.interaction.commands import QUESTION_CHARACTERS_MAX


class NameField(serializers.RegexField):
    """A name of lower-case words with hyphens."""

    default_error_messages: ClassVar = {"invalid": "write a name such as trust-in-others"}

    def __init__(self, **options: Any) -> None:
        super().__init__(f"^{NAME_PATTERN}$", max_length=NAME_CHARACTERS_MAX, **options)


class QuestionOfList(Strict):
    """A question of a questionnaire."""

    name = NameField(help_text="Unique in the questionnaire.")
    text = Text(
        max_length=QUESTION_CHARACTERS_MAX,
        help_text="It may have `{other}` and `{other2}`, the first and the last that the "
        "agent has talked with, and `{frequent}` and `{frequent2}`, those of most talks.",
    )
    category = Text(
        max_length=TITLE_CHARACTERS_MAX,
        required=False,
        default="",
        allow_blank=True,
        help_text="A word for questions of one kind.",
    )
    answer = AnswerFormFields(required=False, help_text="Spoken words alone, if left out.")


class NewQuestionnaire(Strict):
    """A questionnaire of a user."""

    name = NameField(help_text="Unique among your questionnaires and those of the service.")
    title = Text(max_length=TITLE_CHARACTERS_MAX, help_text="The title for readers.")
    source = Text(  # type: ignore[assignment]
        max_length=TITLE_CHARACTERS_MAX,
        required=False,
        help_text="Its publisher; left out if there is none.",
    )
    questions = QuestionOfList(many=True, help_text="The questions in their order.")


class ShownQuestionnaire(Serializer):
    """A questionnaire with its typed questions."""

    name = serializers.CharField()
    url = ResourceURL("getQuestionnaire", questionnaire="name")
    title = serializers.CharField()
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="Its publisher; empty for none."
    )
    is_shipped = serializers.BooleanField(help_text="Whether the service ships it.")
    questions = QuestionOfList(many=True)


class Questionnaires(ListView):
    """The questionnaires that a user can ask."""

    query = list_parameters("name, title", "name")

    @operation(
        "listQuestionnaires", "/questionnaires", "evaluation", page_of_items(ShownQuestionnaire)
    )
    def get(self, request: Request) -> Any:
        """List the questionnaires of the service and your own."""
        found = [
            one
            for one in questionnaires_of(self.user)
            if self.contains_search(one.name, one.title)
        ]
        return self.page(found, ShownQuestionnaire, prepare=_shown_all, name=("name",))

    @operation(
        "addQuestionnaire",
        "/questionnaires",
        "evaluation",
        {201: ShownQuestionnaire},
        request=NewQuestionnaire,
        parameters=[header("Location", "The new questionnaire's address.", response=[201])],
        examples={
            "Two questions": {
                "name": "mood",
                "title": "Mood of the day",
                "questions": [
                    {
                        "name": "mood",
                        "text": "How do you feel today?",
                        "answer": {
                            "kind": "scale",
                            "minimum": 1,
                            "maximum": 7,
                            "low": "very bad",
                            "high": "very good",
                        },
                    },
                    {"name": "company", "text": "What do you like about {frequent}?"},
                ],
            }
        },
        errors=(UnusableQuestionnaire, QuestionnaireExists),
    )
    def post(self, request: Request) -> Response:
        """Add a questionnaire; its questions cannot be changed."""
        requested = self.body(NewQuestionnaire)
        asked = read_questionnaire(
            requested | {"questions": [_plain(one) for one in requested["questions"]]}
        )
        add_questionnaire(self.user, asked)
        shown = self.represent(ShownQuestionnaire, _shown(asked))
        return Response(shown, status=HTTPStatus.CREATED, headers={"Location": shown["url"]})


class OneQuestionnaire(ApiView):
    """A questionnaire."""

    errors: ClassVar[Errors] = (QuestionnaireUnknown,)

    @operation(
        "getQuestionnaire", "/questionnaires/{questionnaire}", "evaluation", ShownQuestionnaire
    )
    def get(self, request: Request, *, questionnaire: str) -> Response:
        """Show a questionnaire."""
        found = get_questionnaire(self.user, questionnaire)
        return Response(self.represent(ShownQuestionnaire, _shown(found)))

    @operation(
        "deleteQuestionnaire", "/questionnaires/{questionnaire}", "evaluation", {204: None}
    )
    def delete(self, request: Request, *, questionnaire: str) -> Response:
        """Delete a questionnaire of yours; surveys keep the questions that they asked."""
        delete_questionnaire(self.user, questionnaire)
        return Response(status=HTTPStatus.NO_CONTENT)


def _plain(question: dict[str, Any]) -> dict[str, Any]:
    """Return a validated question as `read_questionnaire` takes it."""
    form = question.get("answer")
    return question | {"answer": {} if form is None else form_json(form)}


def _shown(questionnaire: Questionnaire) -> dict[str, Any]:
    is_shipped = questionnaire.name in shipped_questionnaires()
    return questionnaire_json(questionnaire) | {"is_shipped": is_shipped}


def _shown_all(found: list[Questionnaire]) -> list[dict[str, Any]]:
    return [_shown(one) for one in found]
