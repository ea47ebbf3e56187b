"""Claims in the interviews of a survey, against the memories of the agents."""

from collections import Counter
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.fields import Choice, Clock, NumberOrNull, Serializer, Text
from apps.api.http.operation import operation
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.resources.questionnaires import NameField
from apps.api.resources.social import WordsOfNews
from apps.api.resources.surveys import SurveyView
from apps.evaluation.social.claims import ClaimVerdict, claims_of
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.news import news_of
from apps.evaluation.surveys import queries as survey_queries
from apps.interaction.answer_forms import OPTION_CHARACTERS_MAX, OPTIONS_MAX

VERDICTS = [verdict.value for verdict in ClaimVerdict]


class ClaimedNews(WordsOfNews):
    """A question of the survey, the options that claim to know the news, and its words."""

    question = NameField(help_text="The name of a question of the survey.")
    values = serializers.ListField(
        child=Text(max_length=OPTION_CHARACTERS_MAX),
        min_length=1,
        max_length=OPTIONS_MAX,
        help_text="The values of answers that claim to know it: `yes`.",
    )


class InterviewClaim(Serializer):
    """An answer, and what the memories of the agent say."""

    interview = serializers.UUIDField()
    agent = serializers.CharField()
    as_of = Clock(source="tick")
    conditions = serializers.CharField()
    answer = serializers.CharField()
    verdict = Choice(
        choices=VERDICTS,
        help_text="`supported` claims to know what a memory holds, `unsupported` what none "
        "holds; `unaware` denies what none holds, `forgotten` what one holds.",
    )
    memory = NumberOrNull(allow_null=True, help_text="The first memory that holds the news.")


class VerdictCounts(Serializer):
    """The number of claims by verdict."""

    supported = serializers.IntegerField(min_value=0)
    unsupported = serializers.IntegerField(min_value=0)
    unaware = serializers.IntegerField(min_value=0)
    forgotten = serializers.IntegerField(min_value=0)


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
        "evaluation",
        ClaimReport,
        request=ClaimedNews,
        examples={
            "The party": {
                "question": "party",
                "values": ["yes"],
                "topic": ["party"],
                "about": ["Isabella", "Valentine", "Hobbs Cafe"],
            }
        },
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Compare what agents claim to know with their memories at the time of the question."""
        requested: dict[str, Any] = self.body(ClaimedNews)
        names = {one["name"] for one in self.survey_row.questionnaire["questions"]}
        if requested["question"] not in names:
            detail = f"the survey has no such question; it has: {', '.join(sorted(names))}"
            error = FieldError(pointer="/question", code="unknown", detail=detail)
            raise InvalidRequest([error])
        rows = survey_queries.interviews_of(self.survey_row, question=requested["question"])
        until = max(self.survey_row.ticks)
        claims = claims_of(
            rows,
            requested["values"],
            news_of(requested["topic"], requested["about"], requested["asks"]),
            Grapevine(wiring.event_store().read(self.context.id, until_tick=until)),
        )
        counts = Counter(claim.verdict for claim in claims)
        unsupported = counts[ClaimVerdict.UNSUPPORTED]
        claimed = counts[ClaimVerdict.SUPPORTED] + unsupported
        shown = {
            "counts": {verdict.value: counts[verdict] for verdict in ClaimVerdict},
            "unsupported_share": unsupported / claimed if claimed else None,
            "claims": claims,
        }
        return Response(self.represent(ClaimReport, shown))
