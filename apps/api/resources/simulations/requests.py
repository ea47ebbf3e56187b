"""The requests that create, change, run and pause a simulation."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from apps.api.http.fields import DescribedValue, Strict, Text
from apps.api.http.moments import FirstTickFrom
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import (
    NAME_CHARACTERS_MAX,
    ChosenAgents,
    Name,
    Pace,
    Reason,
    Seed,
    Ticks,
)
from apps.llm.calls.budget import Budget
from apps.llm.model_spec import ChosenModel
from apps.simulation.settings import settings_schema

Settings = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "properties": settings_schema(),
            "additionalProperties": False,
            "description": "Settings that the history depends on; those not named keep their "
            "default.",
        }
    ),
]
"""Settings by name; their values are validated where the simulation is created."""


class ChosenSettings(DescribedValue, kind=Settings):
    """Settings by name, also of a branch."""


class ChosenModelField(DescribedValue, kind=ChosenModel):
    """A model by name, or an object; the catalogue of models knows the servers."""


class BudgetField(DescribedValue, kind=Budget):
    """The tokens and the money that a simulation may use."""


class FoundSimulation(RequestModel):
    """The specification of a new simulation."""

    name: Name
    """For people; it need not be unique."""
    world: Name = "smallville"
    """A world that GET /worlds lists."""
    seed: Seed | None = None
    """Of all chance; the same seed gives the same history. Left out or null: a random one,
    which the response shows."""
    model: ChosenModel | None = None
    """A server and model that are set up here: "offline", "openai", "openai:gpt-4o-mini", or an
    object; null for the default. GET /models lists them."""
    settings: Settings | None = None
    """Those not named keep their default."""
    agents: ChosenAgents | None = None
    """The number of agents, the first of the world; or a list of their names or slugs; null for
    all."""
    budget: Budget | None = None
    """What it may use; null: no limit."""


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


class Run(RequestModel):
    """The end and the pace of a run; with both ends, the nearer one counts.

    While the simulation runs, what is left out stays as it was requested before.
    """

    until: FirstTickFrom | None = None
    """A game time without a zone (2023-02-13T06:55:00), or a tick."""
    ticks: Ticks | None = None
    """The number of ticks from now on; null: no such end."""
    pace: Pace | None = None
    """Game seconds per real second (the paper's is 60); null: no limit."""


class Pause(RequestModel):
    """The reason of a pause."""

    reason: Reason = "on request"
    """The reason that the simulation shows while it is paused."""
