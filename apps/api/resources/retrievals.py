"""Retrieval on request: ranked memories with the parts of their scores (M6)."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.fields import Clock, Number, PastMoment, Strict, Text, Whole
from apps.api.http.rate_limits import THINKING
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import SimulationContext, clock_at
from apps.api.http.simulation_views import AgentView
from apps.api.resources.memories import Memory, memory_fields
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import open_vectors
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import PriceUnknown
from apps.memory.events import Weights
from apps.memory.retrieval import WEIGHT_MAX, RankedMemory, UnusableWeights
from apps.memory.retrieval_query import retrieve
from apps.simulation.turn.preparation import SimulationPreparing, ensure_prepared

QUERY_CHARACTERS_MAX = 2_000
LIMIT_DEFAULT, LIMIT_MAX = 20, 500


class AskedWeights(Strict):
    """How much each part counts; those left out keep the simulation's."""

    recency = Number(
        required=False, min_value=0, max_value=WEIGHT_MAX, help_text="How lately retrieved."
    )
    importance = Number(
        required=False, min_value=0, max_value=WEIGHT_MAX, help_text="How poignant."
    )
    relevance = Number(
        required=False, min_value=0, max_value=WEIGHT_MAX, help_text="How near to the query."
    )


class Retrieval(Strict):
    """What is to be remembered."""

    query = Text(max_length=QUERY_CHARACTERS_MAX, help_text="What comes to mind about this?")
    limit = Whole(
        required=False,
        min_value=1,
        max_value=LIMIT_MAX,
        default=LIMIT_DEFAULT,
        help_text="How many memories, the best first.",
    )
    weights = AskedWeights(
        required=False, help_text="How much each part of the score counts (M4)."
    )
    at = PastMoment(required=False, allow_null=True)


class ScorePart(serializers.Serializer[Any]):
    """One part of a score: as measured, scaled over all memories, and its weight."""

    raw = serializers.FloatField()
    scaled = serializers.FloatField(min_value=0, max_value=1)
    weight = serializers.FloatField(min_value=0)


class ScoreParts(serializers.Serializer[Any]):
    """The parts of a score; the score is the sum of scaled part times weight."""

    recency = ScorePart()
    importance = ScorePart()
    relevance = ScorePart()


class Ranked(Memory):
    """A memory with its rank, 1 being the best, and its score explained."""

    rank = serializers.IntegerField(min_value=1)
    score = serializers.FloatField()
    parts = ScoreParts()


class Ranking(serializers.Serializer[Any]):
    """What came to mind, the best first; there is no next page."""

    clock = Clock(help_text="As of when the stream was read.")
    query = serializers.CharField()
    decay = serializers.FloatField(help_text="Of recency, per game hour.")
    results = Ranked(many=True)
    next = serializers.URLField(allow_null=True)


_EXAMPLE = OpenApiExample(
    "Who is coming to the party?",
    {"query": "Valentine's Day party at Hobbs Cafe", "limit": 5, "weights": {"recency": 0}},
    request_only=True,
)


class Retrievals(AgentView):
    """Retrieval from an agent's memory stream, without a trace in it."""

    errors: ClassVar = {
        "POST": (
            SimulationPreparing,
            BudgetSpent,
            PriceUnknown,
            UnusableWeights,
            ModelMisconfigured,
            ModelUnavailable,
        )
    }
    rights: ClassVar = {"POST": Right.READ}
    rate_limits: ClassVar = {"POST": THINKING}
    waits_for_llm = True

    @extend_schema(
        operation_id="retrieveMemories",
        summary="Rank a person's memories for a query, explained; touches nothing",
        tags=["minds"],
        request=Retrieval,
        responses={200: Ranking},
        examples=[_EXAMPLE],
    )
    def post(self, _request: Request, agent: str, **_names: str) -> Response:
        """Rank the memories."""
        requested, context = self.body(Retrieval), self.context
        settings = context.founded.settings
        as_of_tick = settled_tick(requested.get("at"), context)
        ensure_prepared(context.row, agent)
        ranked = retrieve(
            context.id,
            agent,
            _vector(requested["query"], agent, context),
            as_of_tick=as_of_tick,
            tick_seconds=settings.tick_seconds,
            weights=_weights(requested.get("weights", {}), settings.weights),
            decay=settings.recency_decay,
            limit=requested["limit"],
        )
        shown = {
            "clock": clock_at(context.calendar, as_of_tick),
            "query": requested["query"],
            "decay": settings.recency_decay,
            "results": [_ranked(memory, context) for memory in ranked],
            "next": None,
        }
        return Response(Ranking(shown).data)


def _vector(query: str, agent: str, context: SimulationContext) -> list[float]:
    spec = ModelSpec.from_json(context.row.model)
    vectors = open_vectors(
        spec, simulation_id=context.id, tick=context.as_of_tick, stream=agent
    )
    return vectors.vectors([query])[query]


def _weights(requested: dict[str, float], usual: Weights) -> Weights:
    return Weights(
        recency=requested.get("recency", usual.recency),
        importance=requested.get("importance", usual.importance),
        relevance=requested.get("relevance", usual.relevance),
    )


def settled_tick(tick: int | None, context: SimulationContext) -> int:
    """Return the requested tick, the committed one by default.

    :raises InvalidRequest: if it is not committed yet.
    """
    if tick is None:
        return context.as_of_tick
    if tick > context.as_of_tick:
        detail = f"tick {tick} is not settled; the simulation has come to {context.as_of_tick}"
        raise InvalidRequest([FieldError(pointer="/at", code="not-settled", detail=detail)])
    return tick


def _ranked(memory: RankedMemory, context: SimulationContext) -> dict[str, Any]:
    return memory_fields(memory, number=memory.number, context=context) | {
        "rank": memory.rank,
        "score": memory.score,
        "parts": memory.parts,
    }
