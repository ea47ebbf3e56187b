"""Social measures of a history: the network, conversations, what is kept, and news."""

from typing import ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.api.http.fields import Clock, PastMoment, Serializer, TextOrNull
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.followed_news import (
    SEARCH_ERRORS,
    WordsOrSearch,
    follow_news,
    requested_news,
)
from apps.api.resources.quality import RepetitionCounts
from apps.evaluation.social.grapevine import Diffusion, Knower, NewsLink
from apps.evaluation.social.social_measures import (
    ConversationFigures,
    Network,
    PlanKeeping,
    SocialMeasures,
    social_measures,
)

NetworkMeasures = serializer_of(Network, "NetworkMeasures")
ConversationMeasures = serializer_of(
    ConversationFigures, "ConversationMeasures", utterances=RepetitionCounts()
)


class CommitmentCounts(Serializer):
    """The outcomes of agreements; each side counts."""

    open = serializers.IntegerField(min_value=0)
    kept = serializers.IntegerField(min_value=0)
    missed = serializers.IntegerField(min_value=0)
    dropped = serializers.IntegerField(min_value=0)
    declined = serializers.IntegerField(min_value=0)
    cancelled = serializers.IntegerField(min_value=0)
    changed = serializers.IntegerField(min_value=0)


PlanKeepingCounts = serializer_of(PlanKeeping, "PlanKeepingCounts", also=("begun_share",))
SocialReport = serializer_of(
    SocialMeasures,
    "SocialReport",
    as_of=Clock(source="as_of_tick"),
    commitments=CommitmentCounts(),
)


class Social(SimulationView):
    """The social measures of a simulation."""

    @operation("getSocialMeasures", "/social", "evaluation", SocialReport)
    def get(self, request: Request, **_names: str) -> Response:
        """Measure the network, conversations, agreements and plans without a model."""
        found = social_measures(self.context.id, as_of_tick=self.context.as_of_tick)
        return Response(self.represent(SocialReport, found))


class NewsWords(WordsOrSearch):
    """A piece of news, and the moment as of which it is measured."""

    at = PastMoment(required=False, help_text="By default, now.")


DiffusionLink = serializer_of(
    NewsLink,
    "DiffusionLink",
    at=Clock(source="tick"),
    memory=serializers.IntegerField(source="number", min_value=1),
    description=serializers.CharField(source="memory"),
)
KnowingAgent = serializer_of(
    Knower,
    "KnowingAgent",
    without=("teller_not_searched",),
    at=Clock(source="tick"),
    problem=TextOrNull(
        allow_null=True, help_text="The reason that no chain of events explains it."
    ),
)
DiffusionReport = serializer_of(
    Diffusion,
    "DiffusionReport",
    also=("agents", "share"),
    as_of=Clock(source="as_of_tick"),
    unexplained=serializers.IntegerField(
        min_value=0, help_text="Knowers without a chain of events."
    ),
)


class NewsDiffusion(SimulationView):
    """The diffusion of a piece of news."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "measureDiffusion",
        "/diffusion",
        "evaluation",
        DiffusionReport,
        request=NewsWords,
        examples={
            "The party": {"topic": ["party"], "about": ["Isabella", "Valentine", "Hobbs Cafe"]},
            "The candidacy, as of the evening": {
                "topic": ["mayor", "candidacy", "election"],
                "about": ["Sam Moore is running", "Sam is running", "Sam Moore's candidacy"],
                "asks": ["who will run for mayor"],
                "at": "2023-02-13T20:00:00",
            },
        },
        errors=SEARCH_ERRORS,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Find who knows a piece of news by a memory, and by which chain of events.

        It reads the whole log up to the moment, and asks no model.
        """
        requested = self.body(NewsWords)
        tick = self.moment(requested)
        agents = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        news = requested_news(
            self.context.id,
            requested,
            agents,
            until_tick=tick,
            calendar=self.context.calendar,
        )
        found = follow_news(self.context.id, news, agents, as_of_tick=tick)
        return Response(self.represent(DiffusionReport, found))
