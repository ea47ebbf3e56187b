"""The bodies and responses of news searches."""

from rest_framework import serializers

from apps.api.http.fields import (
    Choice,
    Clock,
    PastMoment,
    ResourceURL,
    Serializer,
    Slug,
    Text,
)
from apps.api.resources.costs import WorkEstimate
from apps.api.resources.social import DiffusionLink
from apps.api.resources.survey_serializers import AGENTS_MAX
from apps.api.resources.work import LimitedWork, Progress, TokenLimit, stored_reason
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import NEWS_CHARACTERS_MAX
from apps.evaluation.news_searches.llm_tasks import NewsExtent
from apps.evaluation.news_searches.queries import KnowledgeVerdict

EXTENTS = [extent.value for extent in NewsExtent]
VERDICTS = [verdict.value for verdict in KnowledgeVerdict]


class RequestedNewsSearch(TokenLimit):
    """A piece of news as a sentence, and in whose memories it is searched."""

    news = Text(
        max_length=NEWS_CHARACTERS_MAX,
        help_text="A sentence that says who does what, where and when: `Isabella Rodriguez is "
        "having a Valentine's Day party at Hobbs Cafe on February 14`.",
    )
    agents = serializers.ListField(
        child=Slug(),
        required=False,
        min_length=1,
        max_length=AGENTS_MAX,
        help_text="All agents that are there at the moment, if left out.",
    )
    at = PastMoment(required=False, help_text="A committed moment; now, if left out.")
    verifier = Text(
        max_length=64,
        required=False,
        default=NewsSearchRow.MODEL,
        help_text="`model` is the simulation's model; others are listed by `GET /verifiers`. "
        "`rule` compares words, without a model: it does not find news in other words.",
    )
    reason = stored_reason("search")


class NewsSearchProgress(Progress):
    """The agents of a search, and those that are verified."""

    invalid = serializers.IntegerField(
        min_value=0, help_text="Of the verified, those of which a model gave no valid answer."
    )


class NewsSearch(LimitedWork):
    """A news search and its progress."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getNewsSearch", simulation="simulation_id", search="id")
    news = serializers.CharField()
    as_of = Clock(source="as_of_tick")
    verifier = serializers.CharField()
    progress = NewsSearchProgress()
    tokens = serializers.IntegerField(
        min_value=0,
        help_text="Of its model calls so far; those that it has in common with an earlier "
        "search for the same news count for both.",
    )


class NewsSearchEstimate(WorkEstimate):
    """The expected use of a news search."""

    agents = serializers.IntegerField(min_value=0)
    calls_max = serializers.IntegerField(min_value=0, help_text="It cannot make more.")


class HeldMemory(Serializer):
    """A memory that holds the news, and the verifier's reason."""

    memory = serializers.IntegerField(source="number", min_value=1)
    at = Clock(source="tick")
    description = serializers.CharField()
    extent = Choice(choices=EXTENTS, help_text="All of the news, or a part.")
    reason = serializers.CharField()


class ConsideredMemory(Serializer):
    """A memory that the verifier has read."""

    memory = serializers.IntegerField(source="number", min_value=1)
    at = Clock(source="tick")
    description = serializers.CharField()
    relevance = serializers.FloatField(
        min_value=-1, max_value=1, help_text="The cosine of its vector with that of the news."
    )


class NewsFinding(Serializer):
    """Whether an agent knows the news, with the evidence of either."""

    agent = serializers.CharField(source="row.agent")
    verdict = Choice(
        choices=VERDICTS,
        help_text="`hallucinated`: the verifier says yes and names no memory; `unverified`: the"
        " model gave no valid answer. Neither counts as knowing.",
    )
    held = HeldMemory(
        source="row.held", many=True, help_text="The memories that hold it, the earliest first."
    )
    is_origin = serializers.BooleanField(
        source="knower.is_origin",
        default=False,
        help_text="Whether it knows it from its description or from a user.",
    )
    chain = DiffusionLink(
        source="knower.chain",
        many=True,
        default=(),
        help_text="The events that brought it from an origin to the first such memory.",
    )
    problem = serializers.CharField(
        source="knower.problem",
        default="",
        help_text='The reason that no chain of events explains it; "" if one does.',
    )
    teller_not_searched = serializers.CharField(
        source="knower.teller_not_searched",
        default="",
        help_text="The agent that may have told it, whose memories were not searched; the "
        'knower is then not counted as unexplained. "" if there is none.',
    )
    considered = ConsideredMemory(
        source="row.considered", many=True, help_text="All memories that the verifier has read."
    )
    model_calls = serializers.ListField(
        source="row.model_calls",
        child=serializers.CharField(),
        help_text="The questions asked, under …/model-calls.",
    )
    parse_error = serializers.CharField(
        source="row.parse_error",
        help_text='Why the last answer is not valid; "" if it is. Beside `held` it means that '
        "earlier memories may hold the news: the model gave no valid answer about them.",
    )


class VerifiedDiffusionReport(Serializer):
    """Who knows a piece of news as of a moment, by verified memories."""

    news = serializers.CharField(source="search.news")
    as_of = Clock(source="spread.as_of_tick")
    agents = serializers.IntegerField(source="spread.agents", min_value=0)
    knowers = serializers.IntegerField(min_value=0)
    share = serializers.FloatField(
        source="spread.share", min_value=0, max_value=1, allow_null=True
    )
    unexplained = serializers.IntegerField(
        source="spread.unexplained",
        min_value=0,
        help_text="Of the knowers without a chain, those whose tellers were searched.",
    )
    hallucinated = serializers.IntegerField(min_value=0)
    unverified = serializers.IntegerField(min_value=0)
    findings = NewsFinding(many=True)
