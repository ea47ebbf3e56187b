"""Retrieval on request: ranked memories with the parts of their scores (M6)."""

from dataclasses import asdict, replace
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.fields import Clock, Serializer
from apps.api.http.simulation_views import AgentView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import THINKING, operation
from apps.api.resources.memories import Memory
from apps.kernel.request_models import RequestModel, fault
from apps.kernel.requested_values import LastTickUntil, Slug
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import DIMENSIONS_MAX, NAME_CHARACTERS_MAX, UnknownModel
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import PriceUnknown
from apps.memory import retrieval
from apps.memory.events import MemoryKind, MemoryOrigin, RetrievalPurpose
from apps.memory.retrieval import WEIGHT_MAX, Parts, UnusableWeights
from apps.memory.rules import IMPORTANCE_MAX
from apps.memory.vector_spaces import VectorsIncomplete
from apps.simulation.requested_retrieval import rank_on_request
from apps.simulation.turn.preparation import SimulationPreparing

LLM_ERRORS = (
    SimulationPreparing,
    BudgetSpent,
    PriceUnknown,
    ModelMisconfigured,
    ModelUnavailable,
)
"""The errors of a request that reads an agent's memories and asks a model."""
QUERY_CHARACTERS_MAX = 2_000
LIMIT_DEFAULT, LIMIT_MAX = 20, 500
PROMPT_TOKENS_MAX = 1_000_000
_RATED = frozenset({*MemoryKind, *MemoryOrigin} - {""})
_Weight = Annotated[float, Field(ge=0, le=WEIGHT_MAX)]
_ModelName = Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)]


class AskedWeights(RequestModel):
    """The weights of the parts; those left out are the simulation's."""

    recency: _Weight | None = None
    """Of the time since the last retrieval."""
    importance: _Weight | None = None
    """Of the importance of the memory."""
    relevance: _Weight | None = None
    """Of the similarity to the query."""


class AskedEmbedding(RequestModel):
    """Another embedding model; what is left out is as in the simulation."""

    embedding_server: _ModelName | None = None
    embedding_model: _ModelName | None = None
    embedding_dimensions: Annotated[int, Field(ge=1, le=DIMENSIONS_MAX)] | None = None


def _origin_or_kind(name: str) -> str:
    if name not in _RATED:
        known = ", ".join(sorted(_RATED))
        raise fault(
            f"memories have no such origin or kind; there are: {known}", "unknown-field"
        )
    return name


Importances = dict[
    Annotated[str, AfterValidator(_origin_or_kind)],
    Annotated[int, Field(ge=1, le=IMPORTANCE_MAX)],
]


class Retrieval(RequestModel):
    """A query of a memory stream."""

    query: Annotated[str, Field(max_length=QUERY_CHARACTERS_MAX)]
    """The text to retrieve for."""
    limit: Annotated[int, Field(ge=1, le=LIMIT_MAX)] = LIMIT_DEFAULT
    """The number of memories, the best first."""
    purpose: Annotated[RetrievalPurpose, Field(strict=False)] | None = None
    """The prompt for which memories are weighed and chosen as an agent does."""
    tokens: Annotated[int, Field(ge=0, le=PROMPT_TOKENS_MAX)] | None = None
    """The tokens that memories may take of the prompt; by default the setting
    `retrieval_tokens`."""
    weights: AskedWeights | None = None
    """The weights of the parts of the score (M4)."""
    about: Slug | None = None
    """The agent that the query asks about: memories are weighed and chosen as for a prompt
    about it (settings `relevance_emphasis`, `subject_share`)."""
    embedding: AskedEmbedding | None = None
    """Measure relevance by the vectors of this model, which `manage.py reembed` has stored. The
    history does not change."""
    importances: Importances | None = None
    """Another rule of importance: the importance of memories by their origin, such as `insight`
    or `perceived-agent`, or else by their kind. Memories of others are as rated. The history
    does not change."""
    at: LastTickUntil | None = None
    """A committed moment; now, if left out."""


def _given(model: RequestModel | None) -> dict[str, Any] | None:
    return None if model is None else model.model_dump(exclude_none=True)


ScorePart = serializer_of(retrieval.ScorePart)
ScoreParts = serializer_of(Parts, "ScoreParts")


class Ranked(Memory):
    """A memory with its rank, 1 being the best, and its score."""

    rank = serializers.IntegerField(min_value=1)
    in_prompt = serializers.BooleanField(
        help_text="Whether the agent would have it in the prompt: not if it is routine, a "
        "repetition, or beyond the tokens."
    )
    score = serializers.FloatField()
    parts = ScoreParts()


class Ranking(Serializer):
    """The memories in the order in which a prompt takes them; there is no next page.

    Those about the subject or in focus come first, the others follow by score.
    """

    clock = Clock(help_text="The tick as of which the stream was read.")
    query = serializers.CharField()
    decay = serializers.FloatField(help_text="Of recency, per game hour.")
    results = Ranked(many=True)
    next = serializers.URLField(allow_null=True)


class Retrievals(AgentView):
    """Retrieval from an agent's memory stream, which does not change it."""

    rights: ClassVar = {"POST": Right.READ}
    rate_limits: ClassVar = {"POST": THINKING}
    waits_for_llm = True

    @operation(
        "retrieveMemories",
        "/retrievals",
        "minds",
        Ranking,
        request=Retrieval,
        errors=(
            *LLM_ERRORS,
            UnusableWeights,
            UnknownModel,
            ModelNotAllowed,
            VectorsIncomplete,
        ),
    )
    def post(self, request: Request, agent: str, **_names: str) -> Response:
        """Rank an agent's memories for a query, with the parts of their scores."""
        requested, context = self.body(Retrieval), self.context
        tick = self.moment(requested.at)
        choice = rank_on_request(
            context.row,
            context.founded,
            agent,
            requested.query,
            as_of_tick=tick,
            limit=requested.limit,
            purpose=requested.purpose or "",
            token_budget=requested.tokens,
            weights=_given(requested.weights),
            about=requested.about or "",
            embedding=_given(requested.embedding),
            importances=requested.importances,
        )
        in_prompt = {memory.number for memory in choice.in_prompt}
        shown: dict[str, Any] = {
            "clock": tick,
            "query": requested.query,
            "decay": context.founded.settings.recency_decay,
            "results": [
                {**asdict(replace(memory, rank=rank)), "in_prompt": memory.number in in_prompt}
                for rank, memory in enumerate(choice.ranked, start=1)
            ],
            "next": None,
        }
        return Response(self.represent(Ranking, shown))
