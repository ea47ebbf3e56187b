"""Answers that people write to the questions of a survey."""

from typing import Annotated, Any

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Clock, Serializer
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.views import operation
from apps.api.resources.surveys import SurveyView
from apps.evaluation.models import WrittenAnswerRow
from apps.evaluation.questionnaires.typed_questions import QuestionnaireName
from apps.evaluation.rankings.written_answers import (
    AnswerDraft,
    UnusableWrittenAnswer,
    faults_of_answers,
    write_answers,
)
from apps.interaction.llm_tasks import ANSWER_CHARACTERS_MAX
from apps.kernel.request_models import Listed, RequestModel
from apps.kernel.requested_values import LastTickUntil, Slug

ANSWERS_MAX = 1_000


class WriterAnswer(RequestModel):
    """What a person answers in the voice of an agent."""

    agent: Slug
    """An agent of the survey."""
    moment: LastTickUntil
    """A moment of the survey: a game time or a tick."""
    question: QuestionnaireName
    """The name of a question of the survey."""
    answer: Annotated[str, Field(max_length=ANSWER_CHARACTERS_MAX)]
    """The words, in the first person."""


class WriterAnswers(RequestModel):
    """Answers of one person to several questions of a survey."""

    answers: Annotated[Listed[WriterAnswer], Field(min_length=1, max_length=ANSWERS_MAX)]
    """At most one for each question of an agent at a moment."""


class WrittenAnswer(Serializer):
    """An answer that a person has written in the voice of an agent."""

    agent = serializers.CharField()
    as_of = Clock(source="as_of_tick")
    question = serializers.CharField()
    answer = serializers.CharField()
    by = serializers.CharField()
    recorded_at = serializers.DateTimeField(
        source="written_at", help_text="By the service's clock."
    )


class RecordedWrittenAnswers(Serializer):
    """The answers of a request as they were recorded."""

    answers = WrittenAnswer(many=True, help_text="In the order of the request.")


class WrittenAnswers(ListView, SurveyView):
    """The answers that people have written for a survey."""

    query = list_parameters("agent, question, answer, by", "recorded_at")

    @operation(
        "listWrittenAnswers", "/written-answers", "evaluation", page_of_items(WrittenAnswer)
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the answers that people have written in the voices of agents."""
        rows = self.matching(
            WrittenAnswerRow.objects.filter(survey=self.work_row),
            "agent",
            "question",
            "answer",
            "by",
        )
        return self.page(rows, WrittenAnswer, recorded_at=("written_at", "pk"))

    @operation(
        "writeAnswers",
        "/written-answers",
        "evaluation",
        RecordedWrittenAnswers,
        request=WriterAnswers,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Submit human answers to questions of a survey, all or none.

        Each replaces your earlier one to its question. Answers of other users to the same
        question stay: a ranking draws one of them by its seed. Rankings that exist already keep
        the answers that they have. If one cannot be used, none is recorded, and `errors` names
        the place of each that cannot, from `/answers/0`.
        """
        drafts = [
            AnswerDraft(
                agent=one.agent, tick=one.moment, question=one.question, answer=one.answer
            )
            for one in self.body(WriterAnswers).answers
        ]
        errors = [
            FieldError(
                pointer=f"/answers/{place}", code=UnusableWrittenAnswer.code, detail=detail
            )
            for place, detail in faults_of_answers(self.work_row, drafts).items()
        ]
        if errors:
            raise InvalidRequest(errors)
        rows = write_answers(self.work_row, drafts, by=self.user.get_username())
        return Response(self.represent(RecordedWrittenAnswers, {"answers": rows}))
