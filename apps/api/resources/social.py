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
from apps.api.http.operation import operation
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.quality import RepetitionCounts
from apps.evaluation.social.diffusion import Diffusion, diffusion
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.news import FollowedNews, news_of
from apps.evaluation.social.social_measures import social_measures

WORDS_MAX, WORD_CHARACTERS_MAX = 50, 200


class NetworkMeasures(Serializer):
    """The measures of the network of one kind of acquaintance."""

    kind = serializers.CharField(
        help_text="`remembered` by any memory, also of a sight, `sighted`, `met`, `talked`, or "
        "`related`. The paper's agents say in interviews whom they know: none of these is that."
    )
    agents = serializers.IntegerField(min_value=0)
    ties = serializers.IntegerField(
        min_value=0, help_text="Pairs in which each has the acquaintance with the other."
    )
    density = serializers.FloatField(min_value=0, max_value=1)
    mean_degree = serializers.FloatField(min_value=0)
    degrees = serializers.DictField(child=serializers.IntegerField(), help_text="By slug.")
    clustering = serializers.FloatField(
        min_value=0, max_value=1, help_text="The mean local clustering coefficient."
    )
    isolated = serializers.ListField(child=serializers.CharField())
    communities = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Of greatest modularity, found greedily; the largest first.",
    )
    modularity = serializers.FloatField(allow_null=True, help_text="Null without ties.")


class ConversationMeasures(Serializer):
    """The conversations in which at least two agents speak."""

    conversations = serializers.IntegerField(min_value=0)
    openings = serializers.IntegerField(min_value=0, help_text="Words without an answer.")
    pairs = serializers.IntegerField(min_value=0)
    utterances = RepetitionCounts()
    utterances_per_conversation = serializers.FloatField(allow_null=True)
    words_per_utterance = serializers.FloatField(allow_null=True)


class CommitmentCounts(Serializer):
    """The outcomes of agreements; each side counts."""

    open = serializers.IntegerField(min_value=0)
    kept = serializers.IntegerField(min_value=0)
    missed = serializers.IntegerField(min_value=0)
    dropped = serializers.IntegerField(min_value=0)
    declined = serializers.IntegerField(min_value=0)
    cancelled = serializers.IntegerField(min_value=0)
    changed = serializers.IntegerField(min_value=0)


class PlanKeepingCounts(Serializer):
    """The planned actions whose time is over, without sleep and without acts with others."""

    planned = serializers.IntegerField(min_value=0)
    begun = serializers.IntegerField(min_value=0)
    short = serializers.IntegerField(min_value=0, help_text="Done for less than two minutes.")
    begun_share = serializers.FloatField(min_value=0, max_value=1, allow_null=True)


class SocialReport(Serializer):
    """The social measures as of a moment."""

    as_of = Clock(source="as_of_tick")
    agents = serializers.IntegerField(min_value=0)
    networks = NetworkMeasures(many=True)
    conversations = ConversationMeasures()
    commitments = CommitmentCounts()
    plans = PlanKeepingCounts()


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


class DiffusionLink(Serializer):
    """A step: `agent` learned the news from `source`."""

    agent = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    at = Clock(source="tick")
    event = serializers.CharField(
        help_text="The words or the deed of the source, under …/events."
    )
    memory = serializers.IntegerField(source="number", min_value=1)
    description = serializers.CharField(source="memory")


class KnowingAgent(Serializer):
    """An agent that knows the news, with the first memory that holds it."""

    agent = serializers.CharField()
    memory = serializers.IntegerField(min_value=1)
    description = serializers.CharField()
    at = Clock(source="tick")
    is_origin = serializers.BooleanField(
        help_text="Whether it knows it from its description or from a user."
    )
    chain = DiffusionLink(many=True, help_text="From an origin to the agent.")
    problem = TextOrNull(
        allow_null=True, help_text="The reason that no chain of events explains it."
    )


class DiffusionReport(Serializer):
    """Who knows a piece of news as of a moment."""

    as_of = Clock(source="as_of_tick")
    agents = serializers.IntegerField(min_value=0)
    share = serializers.FloatField(min_value=0, max_value=1, allow_null=True)
    unexplained = serializers.IntegerField(
        min_value=0, help_text="Knowers without a chain of events."
    )
    knowers = KnowingAgent(many=True)
    unaware = serializers.ListField(child=serializers.CharField())


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
