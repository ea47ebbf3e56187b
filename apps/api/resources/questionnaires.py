"""Questionnaires: listed, added, shown, deleted; the fields of their questions."""

from http import HTTPStatus
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import DescribedValue, ResourceURL, Serializer
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.views import ApiView, Errors, operation
from apps.evaluation.questionnaires.typed_questions import (
    Questionnaire,
    QuestionnaireExists,
    QuestionnaireUnknown,
    TypedQuestion,
    UnusableQuestionnaire,
    add_questionnaire,
    delete_questionnaire,
    get_questionnaire,
    questionnaires_of,
    shipped_questionnaires,
)
from apps.interaction.answer_forms import AnswerForm


@extend_schema_field({"type": ["string", "number"]})
class AnswerValue(serializers.Field[Any, Any, Any, Any]):
    """The value of an answer in a response: an option, a number, or null."""

    def to_representation(self, value: Any) -> Any:
        """Return it unchanged."""
        return value


class AnswerFormField(DescribedValue, kind=AnswerForm):
    """The form of an answer."""


class TypedQuestions(DescribedValue, kind=list[TypedQuestion]):
    """Typed questions of a response."""


class ShownQuestionnaire(Serializer):
    """A questionnaire with its typed questions."""

    name = serializers.CharField()
    url = ResourceURL("getQuestionnaire", questionnaire="name")
    title = serializers.CharField()
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="Its publisher; empty for none."
    )
    is_shipped = serializers.BooleanField(help_text="Whether the service ships it.")
    questions = TypedQuestions(help_text="The questions in their order.")


class Questionnaires(ListView):
    """The questionnaires that a user can ask."""

    query = list_parameters("name, title", "name")

    @operation(
        "listQuestionnaires", "/questionnaires", "evaluation", page_of_items(ShownQuestionnaire)
    )
    def get(self, request: Request) -> Any:
        """List the questionnaires of the service and your own."""
        return self.page_of(
            questionnaires_of(self.user),
            ShownQuestionnaire,
            "name",
            "title",
            prepare=_shown_all,
            name=("name",),
        )

    @operation(
        "addQuestionnaire",
        "/questionnaires",
        "evaluation",
        {201: ShownQuestionnaire},
        request=Questionnaire,
        errors=(UnusableQuestionnaire, QuestionnaireExists),
    )
    def post(self, request: Request) -> Response:
        """Add a questionnaire; its questions cannot be changed."""
        asked = self.body(Questionnaire)
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


def _shown(questionnaire: Questionnaire) -> dict[str, Any]:
    is_shipped = questionnaire.name in shipped_questionnaires()
    return questionnaire.to_json() | {"is_shipped": is_shipped}


def _shown_all(found: list[Questionnaire]) -> list[dict[str, Any]]:
    return [_shown(one) for one in found]
