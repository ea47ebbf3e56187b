"""Social measures of a history: the network, conversations, what is kept, and news."""

from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.api.http.fields import Clock, PastMoment, Serializer, Strict, Text, TextOrNull
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.quality import RepetitionCounts
from apps.evaluation.social.diffusion import Diffusion, Knower, diffusion
from apps.evaluation.social.grapevine import Grapevine, NewsLink
from apps.evaluation.social.network import Network
from apps.evaluation.social.news import FollowedNews, news_of
from apps.evaluation.social.social_measures import (
    ConversationFigures,
    PlanKeeping,
    SocialMeasures,
    social_measures,
)

WORDS_MAX, WORD_CHARACTERS_MAX = 50, 200

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


class WordsOfNews(Strict):
    """A piece of news, as words: a text tells it that has one of `topic` and one of `about`."""

    topic = serializers.ListField(
        child=Text(max_length=WORD_CHARACTERS_MAX),
        min_length=1,
        max_length=WORDS_MAX,
        help_text="Words by which one speaks of it, in any case: `party`.",
    )
    about = serializers.ListField(
        child=Text(max_length=WORD_CHARACTERS_MAX),
        required=False,
        default=list,
        max_length=WORDS_MAX,
        help_text="Words that tell it from others of its kind: `Isabella`, `Valentine's Day`.",
    )
    asks = serializers.ListField(
        child=Text(max_length=WORD_CHARACTERS_MAX),
        required=False,
        default=list,
        max_length=WORDS_MAX,
        help_text="Phrases that only ask about it: `who will run for mayor`.",
    )


class NewsWords(WordsOfNews):
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


def follow_news(
    simulation_id: UUID, news: FollowedNews, agents: Sequence[str], *, as_of_tick: int
) -> Diffusion:
    """Return the agents that know the news at the tick, from the log up to it."""
    log = wiring.event_store().read(simulation_id, until_tick=as_of_tick)
    return diffusion(Grapevine(log), news, agents, as_of_tick=as_of_tick)


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
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Find who knows a piece of news by a memory, and by which chain of events.

        It reads the whole log up to the moment, and asks no model.
        """
        requested = self.body(NewsWords)
        tick = self.moment(requested)
        agents = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        news = news_of(requested["topic"], requested["about"], requested["asks"])
        found = follow_news(self.context.id, news, agents, as_of_tick=tick)
        return Response(self.represent(DiffusionReport, found))
