"""Social measures of a history: the network, conversations, what is kept, and news."""

from collections.abc import Collection, Iterable
from typing import Annotated, ClassVar, Self
from uuid import UUID

from pydantic import Field, ValidationInfo, field_validator, model_validator
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.agents import queries as agent_queries
from apps.api.http.fields import Choice, Clock, Serializer, TextOrNull
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.api.resources.quality import RepetitionCounts
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.llm_tasks import NewsExtent
from apps.evaluation.news_searches.queries import NewsSearchNotFinished, verified_news
from apps.evaluation.social.grapevine import (
    AgentFinding,
    Diffusion,
    Grapevine,
    Knower,
    NewsLink,
    diffusion,
)
from apps.evaluation.social.news import News, NewsEvidence, news_of
from apps.evaluation.social.social_measures import (
    ConversationFigures,
    Network,
    PlanKeeping,
    SocialMeasures,
    social_measures,
)
from apps.kernel.game_moments import iso
from apps.kernel.request_models import Listed, RequestModel, fault
from apps.kernel.requested_values import Id, LastTickUntil
from apps.work.kinds import WorkUnknown

WORDS_MAX, WORD_CHARACTERS_MAX = 50, 200
SEARCH_ERRORS = (WorkUnknown, NewsSearchNotFinished)

NetworkMeasures = serializer_of(Network, "NetworkMeasures")
ConversationMeasures = serializer_of(
    ConversationFigures, "ConversationMeasures", utterances=RepetitionCounts()
)


class CommitmentCounts(Serializer):
    """The outcomes of agreements; each side counts."""

    open = serializers.IntegerField(min_value=0)
    kept = serializers.IntegerField(min_value=0)
    alone = serializers.IntegerField(
        min_value=0, help_text="Kept by this side, and by none of the others."
    )
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


NewsWord = Annotated[str, Field(max_length=WORD_CHARACTERS_MAX)]
NewsWords = Annotated[Listed[NewsWord], Field(max_length=WORDS_MAX)]


class WordsOrSearch(RequestModel):
    """A piece of news, by words or by a finished news search: either `topic` or `search`.

    A text tells it that has one of `topic` and one of `about`.
    """

    search: Id | None = None
    """In place of words: the id of a finished news search of this simulation, whose memories
    hold the news."""
    topic: NewsWords = ()
    """Words by which one speaks of it, in any case: `party`."""
    about: NewsWords = ()
    """Words that tell it from others of its kind: `Isabella`, `Valentine's Day`."""
    asks: NewsWords = ()
    """Phrases that only ask about it: `who will run for mayor`."""

    @field_validator("about", "asks")
    @classmethod
    def _stands_beside_topic(
        cls, words: tuple[str, ...], info: ValidationInfo
    ) -> tuple[str, ...]:
        if words and info.data.get("search") is not None:
            raise fault("means nothing beside search; leave it out")
        return words

    @model_validator(mode="after")
    def _is_given_in_one_way(self) -> Self:
        if bool(self.topic) == (self.search is not None):
            raise fault(
                "give either topic, the words of the news, or search, the id of a finished "
                "news search"
            )
        return self


class DiffusingNews(WordsOrSearch):
    """A piece of news, and the moment as of which it is measured."""

    at: LastTickUntil | None = None
    """By default, now."""


DiffusionLink = serializer_of(
    NewsLink,
    "DiffusionLink",
    at=Clock(source="tick"),
    memory=serializers.IntegerField(source="number", min_value=1),
    description=serializers.CharField(source="memory"),
)


class _SearchedMemory(Serializer):
    memory = serializers.IntegerField(source="number", min_value=1)
    at = Clock(source="tick")
    description = serializers.CharField()


class HeldMemory(_SearchedMemory):
    """A memory that holds the news, and the verifier's reason."""

    extent = Choice(choices=NewsExtent, help_text="All of the news, or a part.")
    reason = serializers.CharField()


class ConsideredMemory(_SearchedMemory):
    """A memory that the verifier has read."""

    relevance = serializers.FloatField(
        min_value=-1, max_value=1, help_text="The cosine of its vector with that of the news."
    )


KnowingAgent = serializer_of(
    Knower,
    "KnowingAgent",
    without=("agent",),
    at=Clock(source="tick"),
    problem=TextOrNull(
        allow_null=True, help_text="The reason that no chain of events explains it."
    ),
    teller_not_searched=TextOrNull(
        allow_null=True,
        help_text="The agent that may have told it, whose memories were not searched; the "
        "knower is then not counted as unexplained.",
    ),
)
SearchEvidence = serializer_of(
    NewsEvidence,
    "SearchEvidence",
    without=("is_believed",),
    held=HeldMemory(many=True, help_text="The memories that hold it, the earliest first."),
    considered=ConsideredMemory(
        many=True, help_text="All memories that the verifier has read."
    ),
    parse_error=TextOrNull(
        allow_null=True,
        help_text="Why the last answer is not valid. Beside `held` it means that earlier "
        "memories may hold the news: the model gave no valid answer about them.",
    ),
)
NewsFinding = serializer_of(AgentFinding, "NewsFinding")
DiffusionReport = serializer_of(
    Diffusion,
    "DiffusionReport",
    also=("agents", "share", "unexplained", "hallucinated", "unverified"),
    as_of=Clock(source="as_of_tick"),
    knowers=serializers.IntegerField(
        source="knowing", min_value=0, help_text="The number of agents that know it."
    ),
)


def follow_news(
    simulation_id: UUID, news: News, agents: Iterable[str], *, as_of_tick: int
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
        request=DiffusingNews,
        errors=SEARCH_ERRORS,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Find who knows a piece of news by a memory, and by which chain of events.

        It reads the whole log up to the moment, and asks no model.
        """
        requested = self.body(DiffusingNews)
        tick = self.moment(requested.at)
        agents = agent_queries.slugs_in_simulation(self.context.id, as_of_tick=tick)
        news = requested_news(self.context, requested, agents, until_tick=tick)
        found = follow_news(self.context.id, news, agents, as_of_tick=tick)
        return Response(self.represent(DiffusionReport, found))


def requested_news(
    context: SimulationContext,
    requested: WordsOrSearch,
    agents: Collection[str],
    *,
    until_tick: int,
) -> News:
    """Return the news of `WordsOrSearch`, which is asked of the agents up to a tick.

    :raises WorkUnknown: if the simulation has no such search.
    :raises NewsSearchNotFinished: if its agents are not verified yet.
    :raises InvalidRequest: if it is as of an earlier moment, or has left out an agent.
    """
    if requested.search is None:
        return news_of(requested.topic, requested.about, requested.asks)
    row = NEWS_SEARCHES.get(requested.search, simulation_id=context.id)
    news = verified_news(row)
    if row.as_of_tick < until_tick:
        searched, needed = map(iso, map(context.time_at, (row.as_of_tick, until_tick)))
        detail = f"the search is as of {searched}; it must be as of {needed} or later"
        raise InvalidRequest([FieldError(pointer="/search", code="too-early", detail=detail)])
    if missing := sorted({*agents}.difference(news.searched or ())):
        detail = f"the search has left out {', '.join(missing)}; search all agents"
        raise InvalidRequest([FieldError(pointer="/search", code="incomplete", detail=detail)])
    return news
