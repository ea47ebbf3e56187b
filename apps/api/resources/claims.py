"""Claims in the interviews of a survey, against the memories of the agents."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.fields import Clock, NumberOrNull, Serializer
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.social import SEARCH_ERRORS, WordsOrSearch, requested_news
from apps.api.resources.surveys import SurveyView
from apps.evaluation.questionnaires.typed_questions import QuestionnaireName, read_questionnaire
from apps.evaluation.social.grapevine import ClaimVerdict, Grapevine, NewsClaim, claims_of
from apps.evaluation.surveys import queries as survey_queries
from apps.interaction.answer_forms import OPTION_CHARACTERS_MAX, OPTIONS_MAX, AnswerKind
from apps.kernel.request_models import Listed

_KINDS = {
    AnswerKind.OPEN: "an open question",
    AnswerKind.SCALE: "a scale",
    AnswerKind.NUMBER: "a number",
}
_Option = Annotated[str, Field(max_length=OPTION_CHARACTERS_MAX)]


class ClaimedNews(WordsOrSearch):
    """A question of the survey, the options that claim to know the news, and the news."""

    question: QuestionnaireName
    """The name of a question of the survey, a choice."""
    values: Annotated[Listed[_Option], Field(min_length=1, max_length=OPTIONS_MAX)]
    """The options of the question that claim to know it: `yes`. An answer with another option
    denies it."""


InterviewClaim = serializer_of(
    NewsClaim,
    "InterviewClaim",
    as_of=Clock(source="tick"),
    memory=NumberOrNull(allow_null=True, help_text="The first memory that holds the news."),
)


class VerdictCounts(Serializer):
    """The number of claims by verdict."""

    supported = serializers.IntegerField(min_value=0)
    unsupported = serializers.IntegerField(min_value=0)
    unaware = serializers.IntegerField(min_value=0)
    forgotten = serializers.IntegerField(min_value=0)
    no_value = serializers.IntegerField(
        min_value=0, help_text="Answers without a valid value, which claim and deny nothing."
    )
    unverified = serializers.IntegerField(
        min_value=0, help_text="Answers of agents of which the search has no valid answer."
    )


class ClaimReport(Serializer):
    """The claims of the answers to one question of a survey."""

    counts = VerdictCounts()
    unsupported_share = serializers.FloatField(
        min_value=0,
        max_value=1,
        allow_null=True,
        help_text="Of all claims to know it; null if there are none. The paper has 1.3 %.",
    )
    claims = InterviewClaim(many=True)


class SurveyClaims(SurveyView):
    """The claims of a survey."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "checkClaims",
        "/claims",
        "evaluation",
        ClaimReport,
        request=ClaimedNews,
        errors=SEARCH_ERRORS,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Compare what agents claim to know with their memories at the time of the question."""
        requested = self.body(ClaimedNews)
        self._ensure_options(requested.question, requested.values)
        rows = survey_queries.interviews_of(self.work_row, question=requested.question)
        until = max(self.work_row.ticks)
        told = requested_news(self.context, requested, self.work_row.agents, until_tick=until)
        claims = claims_of(
            rows,
            requested.values,
            told,
            Grapevine(wiring.event_store().read(self.context.id, until_tick=until)),
        )
        counts = Counter(claim.verdict for claim in claims)
        unsupported = counts[ClaimVerdict.UNSUPPORTED]
        claimed = counts[ClaimVerdict.SUPPORTED] + unsupported
        shown = {
            "counts": {verdict.name.lower(): counts[verdict] for verdict in ClaimVerdict},
            "unsupported_share": unsupported / claimed if claimed else None,
            "claims": claims,
        }
        return Response(self.represent(ClaimReport, shown))

    def _ensure_options(self, question: str, values: Sequence[str]) -> None:
        """Check that the survey has the question, a choice, with the values as options.

        :raises InvalidRequest: if not; it names the questions or the options that there are.
        """
        asked = read_questionnaire(self.work_row.questionnaire).questions
        forms = {one.name: one.answer for one in asked}
        if question not in forms:
            detail = f"the survey has no such question; it has: {', '.join(sorted(forms))}"
            error = FieldError(pointer="/question", code="unknown", detail=detail)
            raise InvalidRequest([error])
        form = forms[question]
        if form.kind is not AnswerKind.CHOICE:
            choices = [name for name in sorted(forms) if forms[name].options]
            detail = (
                f"{question} is {_KINDS[form.kind]} and has no options that claim or deny; "
                f"choices of the survey: {', '.join(choices) or 'none'}"
            )
            error = FieldError(pointer="/question", code="not-a-choice", detail=detail)
            raise InvalidRequest([error])
        errors = [
            FieldError(
                pointer=f"/values/{place}",
                code="unknown",
                detail=f"{question} has no such option; it has: {', '.join(form.options)}",
            )
            for place, value in enumerate(values)
            if value not in form.options
        ]
        if errors:
            raise InvalidRequest(errors)
