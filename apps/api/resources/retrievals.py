"""Retrieval on request: ranked memories with the parts of their scores (M6)."""

from dataclasses import asdict, replace
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.fields import (
    AnyField,
    Choice,
    Clock,
    Number,
    PastMoment,
    Serializer,
    Slug,
    Strict,
    Text,
    Whole,
)
from apps.api.http.simulation_views import AgentView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import THINKING, operation
from apps.api.resources.memories import Memory
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
TOKENS_MAX = 1_000_000
PURPOSES = [purpose.value for purpose in RetrievalPurpose]


def _weight(help_text: str) -> Number:
    return Number(required=False, min_value=0, max_value=WEIGHT_MAX, help_text=help_text)


class AskedWeights(Strict):
    """The weights of the parts; those left out are the simulation's."""

    recency = _weight("Of the time since the last retrieval.")
    importance = _weight("Of the importance of the memory.")
    relevance = _weight("Of the similarity to the query.")


class AskedEmbedding(Strict):
    """Another embedding model; what is left out is as in the simulation."""

    embedding_server = Text(required=False, max_length=NAME_CHARACTERS_MAX)
    embedding_model = Text(required=False, max_length=NAME_CHARACTERS_MAX)
    embedding_dimensions = Whole(required=False, min_value=1, max_value=DIMENSIONS_MAX)


class Importances(Strict):
    """Importance by the origin of a memory, or else by its kind."""

    def get_fields(self) -> dict[str, AnyField]:
        """Return a field for each origin and kind."""
        return {
            name: Whole(required=False, min_value=1, max_value=IMPORTANCE_MAX)
            for name in (*MemoryKind, *filter(None, MemoryOrigin))
        }


class Retrieval(Strict):
    """A query of a memory stream."""

    query = Text(max_length=QUERY_CHARACTERS_MAX, help_text="The text to retrieve for.")
    limit = Whole(
        required=False,
        min_value=1,
        max_value=LIMIT_MAX,
        default=LIMIT_DEFAULT,
        help_text="The number of memories, the best first.",
    )
    purpose = Choice(
        choices=PURPOSES,
        required=False,
        help_text="The prompt for which memories are weighed and chosen as an agent does.",
    )
    tokens = Whole(
        required=False,
        min_value=0,
        max_value=TOKENS_MAX,
        help_text="The tokens that memories may take of the prompt; by default the setting "
        "`retrieval_tokens`.",
    )
    weights = AskedWeights(
        required=False, help_text="The weights of the parts of the score (M4)."
    )
    about = Slug(
        required=False,
        help_text="The agent that the query asks about: memories are weighed and chosen as for "
        "a prompt about it (settings `relevance_emphasis`, `subject_share`).",
    )
    embedding = AskedEmbedding(
        required=False,
        help_text="Measure relevance by the vectors of this model, which `manage.py reembed` "
        "has stored. The history does not change.",
    )
    importances = Importances(
        required=False,
        help_text="Another rule of importance: the importance of memories by their origin, "
        "such as `insight` or `perceived-agent`, or else by their kind. Memories of others are "
        "as rated. The history does not change.",
    )
    at = PastMoment(required=False, allow_null=True)


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
        examples={
            "Who is coming to the party?": {
                "query": "Valentine's Day party at Hobbs Cafe",
                "limit": 5,
                "weights": {"recency": 0},
            },
            "What is she to me?": {
                "query": "What is Isabella Rodriguez's relationship with Maria Lopez?",
                "about": "maria-lopez",
            },
        },
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
        tick = self.moment(requested)
        query: str = requested["query"]
        choice = rank_on_request(
            context.row,
            context.founded,
            agent,
            query,
            as_of_tick=tick,
            limit=requested["limit"],
            purpose=requested.get("purpose", ""),
            token_budget=requested.get("tokens"),
            weights=requested.get("weights"),
            about=requested.get("about", ""),
            embedding=requested.get("embedding"),
            importances=requested.get("importances"),
        )
        in_prompt = {memory.number for memory in choice.in_prompt}
        shown: dict[str, Any] = {
            "clock": tick,
            "query": query,
            "decay": context.founded.settings.recency_decay,
            "results": [
                {**asdict(replace(memory, rank=rank)), "in_prompt": memory.number in in_prompt}
                for rank, memory in enumerate(choice.ranked, start=1)
            ],
            "next": None,
        }
        return Response(self.represent(Ranking, shown))
