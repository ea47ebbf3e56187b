"""The requests that create, change, run and pause a simulation."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    DescribedValue,
    Moment,
    Number,
    Strict,
    Text,
    Whole,
)
from apps.kernel.game_time import TICK_MAX
from apps.kernel.requested_values import (
    PACE_MAX,
    PACE_MIN,
    REASON_CHARACTERS_MAX,
    SEED_MAX,
    ChosenAgents,
)
from apps.llm.calls.budget import Budget
from apps.llm.model_spec import ChosenModel
from apps.simulation.settings import settings_schema


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


class ChosenModelField(DescribedValue, kind=ChosenModel):
    """A model by name, or an object; the catalogue of models knows the servers."""


class ChosenAgentsField(DescribedValue, kind=ChosenAgents):
    """A number of agents, the first of the world, or their names."""


class BudgetField(DescribedValue, kind=Budget):
    """The tokens and the money that a simulation may use."""


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
    model = ChosenModelField(
        required=False,
        allow_null=True,
        help_text='A server and model that are set up here: "offline", "openai", '
        '"openai:gpt-4o-mini", or an object; null for the default. GET /models lists them.',
    )
    settings = ChosenSettings(required=False, allow_null=True)
    agents = ChosenAgentsField(
        required=False,
        allow_null=True,
        help_text="The number of agents, the first of the world; or a list of their names or "
        "slugs; null for all.",
    )
    budget = BudgetField(
        required=False, allow_null=True, help_text="What it may use; null: no limit."
    )


class ChangeSimulation(Strict):
    """The changes of a simulation."""

    name = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="Its new name, also while it runs; it need not be unique.",
    )
    budget = BudgetField(
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
