"""Requests for experiments; `apps.experiments.design_files` validates what is inside."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.fields import AnyField, Strict, Text, Whole
from apps.api.resources.commands import REASON_CHARACTERS_MAX
from apps.api.resources.simulations.requests import ChosenAgents, ChosenBudget
from apps.experiments.design_files import (
    LEVELS_MAX,
    MEASURES_MAX,
    MOMENTS_MAX,
    RUNS_MAX,
    TITLE_CHARACTERS_MAX,
)
from apps.experiments.plain_values import NAME_CHARACTERS_MAX, TICK_MAX
from apps.simulation.commands.branch_interventions import KINDS
from apps.simulation.engine.lifecycle import SEED_MAX

LEVEL_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.-]*$"
_MOMENT = {
    "oneOf": [
        {"type": "string", "format": "date-time"},
        {"type": "integer", "minimum": 0, "maximum": TICK_MAX},
    ]
}


def _levels(description: str, level: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "minProperties": 1,
        "maxProperties": LEVELS_MAX,
        "propertyNames": {"pattern": LEVEL_PATTERN, "maxLength": NAME_CHARACTERS_MAX},
        "additionalProperties": level,
        "description": description,
    }


class PlainValue(AnyField):
    """A value as it was sent."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the value."""
        return data


@extend_schema_field(
    {
        "oneOf": [
            {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": SEED_MAX},
                "minItems": 1,
                "maxItems": RUNS_MAX,
                "uniqueItems": True,
            },
            {
                "type": "object",
                "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}},
                "required": ["from", "to"],
                "additionalProperties": False,
            },
        ],
        "description": "A list of seeds, or a range with both ends.",
    }
)
class Seeds(PlainValue):
    """The seeds."""


@extend_schema_field(_levels("Settings by the name of the level.", {"type": "object"}))
class SettingsLevels(PlainValue):
    """The levels of the settings."""


@extend_schema_field(
    _levels("Models by the name of the level.", {"type": ["string", "object", "null"]})
)
class ModelLevels(PlainValue):
    """The levels of the model."""


@extend_schema_field(
    _levels(
        "What users do after a moment, by the name of the level; one may be empty: nothing.",
        {
            "type": "object",
            "properties": {
                "at": _MOMENT,
                "commands": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "enum": list(KINDS)},
                            "agent": {"type": "string"},
                            "object": {"type": "string"},
                            "text": {"type": "string"},
                            "alarming": {"type": "boolean"},
                            "reason": {"type": "string"},
                        },
                        "required": ["kind"],
                    },
                },
            },
        },
    )
)
class InterventionLevels(PlainValue):
    """The levels of the intervention."""


@extend_schema_field(
    {
        "type": "array",
        "items": _MOMENT,
        "minItems": 1,
        "maxItems": MOMENTS_MAX,
        "description": "Game times or ticks as of which all runs are measured.",
    }
)
class Moments(PlainValue):
    """The moments."""


@extend_schema_field(
    {
        "type": "array",
        "items": {"oneOf": [{"type": "string"}, {"type": "object"}]},
        "minItems": 1,
        "maxItems": MEASURES_MAX,
        "description": "Names that GET /measures lists, or their beginnings up to a dot; or "
        "objects with one member of `diffusion`, `attendance` and `survey`.",
    }
)
class ChosenMeasures(PlainValue):
    """The measures."""


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "Levels of the condition that all others are compared with, by factor; "
        "the first level of a factor that is not named.",
    }
)
class ChosenBaseline(PlainValue):
    """The baseline."""


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "oneOf": [
                {"type": "number"},
                {"type": "array", "items": {"type": ["number", "null"]}},
            ]
        },
        "description": "Published values to show beside the own ones, by measure: a number for "
        "the last moment, or a list with one for each moment in the order of `moments`.",
    }
)
class References(PlainValue):
    """Published values."""


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            name: {"type": "array", "items": {"type": "string"}}
            for name in ("settings", "models", "interventions")
        },
        "additionalProperties": False,
        "description": "The order of the levels, for clients whose objects have none; by "
        "default as written.",
    }
)
class OrderOfLevels(PlainValue):
    """The order of the levels."""


class RequestedExperiment(Strict):
    """An experiment: every combination of levels is a condition, run with every seed."""

    name = Text(max_length=NAME_CHARACTERS_MAX, help_text="Letters, digits, hyphens, dots.")
    title = Text(required=False, max_length=TITLE_CHARACTERS_MAX, help_text="For readers.")
    worlds = serializers.ListField(
        child=Text(max_length=NAME_CHARACTERS_MAX),
        required=False,
        min_length=1,
        max_length=LEVELS_MAX,
        help_text='Worlds that GET /worlds lists; by default "smallville".',
    )
    agents = ChosenAgents(required=False, allow_null=True)
    seeds = Seeds()
    settings = SettingsLevels(required=False)
    models = ModelLevels(required=False)
    interventions = InterventionLevels(required=False)
    moments = Moments()
    measures = ChosenMeasures()
    baseline = ChosenBaseline(required=False)
    references = References(required=False)
    budget = ChosenBudget(required=False, help_text="Of all runs together.")
    order = OrderOfLevels(required=False)
    runs_at_once = Whole(
        required=False,
        min_value=1,
        max_value=RUNS_MAX,
        help_text="How many runs at the same time; by default 4.",
    )


class NewExperiment(RequestedExperiment):
    """An experiment that is to be carried out."""

    reason = Text(
        required=False,
        max_length=REASON_CHARACTERS_MAX,
        help_text="The reason; it is stored with the experiment.",
    )


class ResumedBudget(Strict):
    """Another budget, if the old one is spent."""

    budget = ChosenBudget(required=False, help_text="Of all runs together, from the beginning.")
