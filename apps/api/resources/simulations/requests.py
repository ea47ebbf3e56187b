"""The requests that create, change, run and pause a simulation."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    AnyField,
    Moment,
    Number,
    Strict,
    Text,
    Whole,
)
from apps.api.resources.commands import REASON_CHARACTERS_MAX
from apps.kernel.game_time import TICK_MAX
from apps.llm.calls.budget import Budget
from apps.llm.prompts.sets import PromptForm
from apps.simulation.engine.lifecycle import SEED_MAX
from apps.simulation.settings import settings_schema

MODEL_CHARACTERS_MAX = 300
AGENTS_MAX = 1_000
TOKENS_MAX = 10**15
MONEY_MIN, MONEY_MAX = 0.000_001, 10**7
PACE_MIN, PACE_MAX = 0.001, 1_000_000


@extend_schema_field(
    {
        "type": "object",
        "properties": settings_schema(),
        "additionalProperties": False,
        "description": "Settings that the history depends on; those not named keep their "
        "default.",
    }
)
class ChosenSettings(serializers.Field[dict[str, Any], Any, Any, Any]):
    """Settings by name; their values are validated where the simulation is created."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object."""
        if not isinstance(data, dict):
            raise serializers.ValidationError("write an object of settings by name")
        return data


@extend_schema_field(
    {
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
                    "prompt_form": {"type": "string", "enum": list(PromptForm)},
                },
                "additionalProperties": False,
            },
        ],
        "description": 'A server and model that are set up here: "offline", "openai", '
        '"openai:gpt-4o-mini", or an object; null for the default. GET /models lists them.',
    }
)
class ChosenModel(AnyField):
    """A model by name, or an object; the catalogue of models validates it."""

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        """Return the name or the object."""
        if isinstance(data, dict):
            return data
        if isinstance(data, str) and len(data) <= MODEL_CHARACTERS_MAX:
            return data
        raise serializers.ValidationError('write a name, as in "offline", or an object')


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 1},
            {
                "type": "array",
                "items": {"type": "string", "maxLength": NAME_CHARACTERS_MAX},
                "minItems": 1,
                "maxItems": AGENTS_MAX,
            },
        ],
        "description": "The number of agents, the first of the world; or a list of their names "
        "or slugs; null for all.",
    }
)
class ChosenAgents(AnyField):
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
    """The tokens and the money that a simulation may use; null for any amount."""

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
        help_text="In the currency of the price list; rejected where a model has no price.",
    )


class FoundSimulation(Strict):
    """The specification of a new simulation."""

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
        help_text="Of all chance; the same seed gives the same history. Left out or null: a "
        "random one, which the response shows.",
    )
    model = ChosenModel(required=False, allow_null=True)
    settings = ChosenSettings(required=False, allow_null=True)
    agents = ChosenAgents(required=False, allow_null=True)
    budget = ChosenBudget(
        required=False, allow_null=True, help_text="What it may use; null: no limit."
    )


class ChangeSimulation(Strict):
    """The changes of a simulation."""

    name = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="Its new name, also while it runs; it need not be unique.",
    )
    budget = ChosenBudget(
        required=False,
        allow_null=True,
        help_text="What it may use, while it is paused; null: no limit.",
    )


class Run(Strict):
    """The end and the pace of a run; with both ends, the nearer one counts.

    While the simulation runs, what is left out stays as it was requested before.
    """

    until = Moment(required=False, allow_null=True)
    ticks = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=TICK_MAX,
        help_text="The number of ticks from now on; null: no such end.",
    )
    pace = Number(
        required=False,
        allow_null=True,
        min_value=PACE_MIN,
        max_value=PACE_MAX,
        help_text="Game seconds per real second (the paper's is 60); null: no limit.",
    )


class Pause(Strict):
    """The reason of a pause."""

    reason = Text(
        required=False,
        max_length=REASON_CHARACTERS_MAX,
        default="on request",
        help_text="The reason that the simulation shows while it is paused.",
    )


def budget_of(requested: dict[str, Any] | None) -> Budget | None:
    """Return the budget of the values of a `ChosenBudget`."""
    if requested is None:
        return None
    money = requested.get("money")
    return Budget(
        tokens=requested.get("tokens"), money=None if money is None else Decimal(str(money))
    )
