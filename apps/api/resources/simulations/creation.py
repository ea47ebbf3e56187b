"""The request that creates a simulation, and the representation of its settings."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import NAME_CHARACTERS_MAX, Number, Renaming, Strict, Text, Whole
from apps.llm.budget import Budget
from apps.simulation.engine.lifecycle import SEED_MAX
from apps.simulation.settings import settings_schema

MODEL_CHARACTERS_MAX = 300
AGENTS_MAX = 1_000
TOKENS_MAX = 10**15
MONEY_MIN, MONEY_MAX = 0.000_001, 10**7


_MODEL_SCHEMA = {
    "oneOf": [
        {"type": "string", "maxLength": MODEL_CHARACTERS_MAX},
        {
            "title": "ModelSpec",
            "type": "object",
            "properties": {
                "server": {"type": "string"},
                "chat_model": {"type": "string"},
                "embedding_server": {"type": "string"},
                "embedding_model": {"type": "string"},
                "embedding_dimensions": {"type": "integer", "minimum": 1},
                "temperature": {"type": ["number", "null"], "minimum": 0, "maximum": 2},
            },
            "additionalProperties": False,
        },
    ],
    "description": 'A server and model that are set up here: "offline", "openai", '
    '"openai:gpt-4o-mini", or an object; null for the default. GET /models lists them.',
}
_AGENTS_SCHEMA = {
    "oneOf": [
        {"type": "integer", "minimum": 1},
        {
            "type": "array",
            "items": {"type": "string", "maxLength": NAME_CHARACTERS_MAX},
            "minItems": 1,
            "maxItems": AGENTS_MAX,
        },
    ],
    "description": "The first so many agents of the world, or those named by name or slug; "
    "null for all.",
}


@extend_schema_field(
    {
        "type": "object",
        "properties": settings_schema(),
        "additionalProperties": False,
        "description": "What the history depends on besides seed, world and model; those not "
        "named keep their default.",
    }
)
class ChosenSettings(serializers.Field[dict[str, Any], Any, Any, Any]):
    """Settings by name; those not named keep their default."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object; what it holds is looked at where settings are known."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("write an object of settings by name")
        return data


@extend_schema_field(_MODEL_SCHEMA)
class ChosenModel(serializers.Field[Any, Any, Any, Any]):
    """A model by name, or spelt out."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        """Return the value; the catalogue of models validates it."""
        if isinstance(data, dict):
            return data
        if isinstance(data, str) and len(data) <= MODEL_CHARACTERS_MAX:
            return data
        raise serializers.ValidationError('write a name, as in "offline", or an object')


@extend_schema_field(_AGENTS_SCHEMA)
class ChosenAgents(serializers.Field[Any, Any, Any, Any]):
    """A number of agents, or their names."""

    def to_internal_value(self, data: Any) -> int | list[str]:
        """Return the number or the names."""
        if isinstance(data, int) and not isinstance(data, bool) and data >= 1:
            return data
        if isinstance(data, list) and 1 <= len(data) <= AGENTS_MAX and all(map(_is_name, data)):
            return data
        raise serializers.ValidationError("write how many agents, or a list of their names")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= NAME_CHARACTERS_MAX


class ChosenBudget(Strict):
    """How many tokens, and how much money, a simulation may use; null for any amount."""

    tokens = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=TOKENS_MAX,
        help_text="Of prompts and answers together.",
    )
    money = Number(
        required=False,
        allow_null=True,
        min_value=MONEY_MIN,
        max_value=MONEY_MAX,
        help_text="In the currency of the price list; refused where a model has no price.",
    )


class FoundSimulation(Strict):
    """What a new simulation is founded on."""

    name = Text(max_length=NAME_CHARACTERS_MAX, help_text="For people; it need not be unique.")
    world = Text(
        max_length=NAME_CHARACTERS_MAX,
        default="smallville",
        help_text="A world that GET /worlds lists.",
    )
    seed = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=SEED_MAX,
        help_text="Of all chance; the same seed, the same history. Left out or null: a random "
        "one is chosen, and is in the answer.",
    )
    model = ChosenModel(required=False, allow_null=True)
    settings = ChosenSettings(required=False, allow_null=True)
    agents = ChosenAgents(required=False, allow_null=True)
    people = ChosenAgents(required=False, allow_null=True, **deprecated_name_of("agents"))
    budget = ChosenBudget(
        required=False, allow_null=True, help_text="What it may use; null: as much as it does."
    )


def _settings_members() -> dict[str, Any]:
    kinds: dict[str, type[serializers.Field[Any, Any, Any, Any]]] = {
        "integer": serializers.IntegerField,
        "number": serializers.FloatField,
    }
    shown = {
        name: kinds[setting["type"]](help_text=setting["description"])
        for name, setting in settings_schema().items()
    }
    return {
        "__doc__": "What the simulation's history depends on besides the models' answers.",
        "world": serializers.CharField(),
        "world_sha256": serializers.CharField(),
        "seed": serializers.IntegerField(min_value=0),
        "start": serializers.CharField(**deprecated_name_of("start_at")),
        "embedding_model": serializers.CharField(),
        "embedding_dimensions": serializers.IntegerField(min_value=1),
        **shown,
        "start_at": serializers.CharField(help_text="The game time of tick 0."),
    }


FoundedOn = type("FoundedOn", (Renaming,), _settings_members())


def budget_of(requested: dict[str, Any] | None) -> Budget | None:
    """Return the budget of the values of a `ChosenBudget`."""
    if requested is None:
        return None
    money = requested.get("money")
    return Budget(
        tokens=requested.get("tokens"), money=None if money is None else Decimal(str(money))
    )
