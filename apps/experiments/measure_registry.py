"""A run as of the end of a tick, and the measures of it that an experiment chooses by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import mean
from typing import Any
from uuid import UUID

from apps import history
from apps.django_support.function_registry import Registry
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.evaluation.quality.persona_drift import mean_drift, persona_drift
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.social_measures import (
    Network,
    SocialMeasures,
    routines,
    social_measures,
)
from apps.history import Constants
from apps.kernel.errors import DomainError
from apps.simulation.ports import Ports

Value = float | None
SHARE = "share, 0 to 1"


@dataclass(frozen=True)
class RunAtTick:
    """A simulation as of the end of a tick; a property is read when it is first asked for."""

    ports: Ports
    simulation_id: UUID
    tick: int

    @cached_property
    def constants(self) -> Constants:
        """World and calendar."""
        return history.constants_of(self.simulation_id, self.ports.worlds)

    @cached_property
    def social(self) -> SocialMeasures:
        """The social measures."""
        return social_measures(self.simulation_id, as_of_tick=self.tick)

    @cached_property
    def quality(self) -> RunQuality:
        """The counts of quality."""
        return run_quality(self.simulation_id, self.ports.worlds, as_of_tick=self.tick)

    @property
    def networks(self) -> Mapping[str, Network]:
        """The networks by the kind of acquaintance."""
        return {one.kind: one for one in self.social.networks}

    @cached_property
    def drift(self) -> Mapping[str, Value]:
        """How far the agents have moved from their descriptions: means over the agents."""
        drifts = persona_drift(self.simulation_id, as_of_tick=self.tick)
        return {name: mean_drift(drifts, name) for name in _DRIFT}

    @cached_property
    def routines(self) -> Mapping[str, Value]:
        """The means over the routines of all agents since the beginning."""
        found = routines(
            self.simulation_id,
            world=self.constants.world,
            calendar=self.constants.calendar,
            ticks=range(self.tick + 1),
        ).values()
        return {
            name: mean(getattr(one, name) for one in found) if found else None
            for name in _ROUTINES
        }

    @cached_property
    def agents(self) -> list[str]:
        """The slugs of the agents that are there."""
        return [
            row.agent for row in history.list_agents(self.simulation_id, as_of_tick=self.tick)
        ]

    @cached_property
    def log(self) -> Grapevine:
        """The log, in which the way of news is followed."""
        return Grapevine(self.ports.store.read(self.simulation_id, until_tick=self.tick))


class MeasureUnknown(DomainError):
    """There is no measure of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A value of a run as of the end of a tick; None where there is nothing to measure."""

    name: str
    description: str
    unit: str
    function: Callable[[RunAtTick], Value]


MEASURES = Registry("measure", Measure, unknown=MeasureUnknown)


NUMBER = "number"
NETWORKS: Mapping[str, str] = {
    "remembered": "a memory about the other one, also of a sight",
    "sighted": "having seen each other",
    "met": "having been in a conversation together",
    "talked": "having spoken to each other",
    "related": "a relationship as a lasting fact",
}
_OF_NETWORKS = {
    "density": ("share of the joined pairs of all pairs", SHARE),
    "mean_degree": ("mean number of joined agents", "agents"),
    "clustering": ("mean local clustering coefficient", SHARE),
    "ties": ("joined pairs", "pairs"),
}
_CONVERSATIONS: Mapping[str, tuple[str, str, str]] = {
    "count": ("conversations", "conversations in which at least two agents speak", NUMBER),
    "openings": ("openings", "words that nobody answered", NUMBER),
    "pairs": ("pairs", "pairs that have talked", "pairs"),
    "utterances": ("utterances.count", "utterances in conversations", NUMBER),
    "utterances_each": (
        "utterances_per_conversation", "utterances in a conversation, mean", "utterances",
    ),
    "words_each": ("words_per_utterance", "words in an utterance, mean", "words"),
    "repeated_share": (
        "utterances.repeated_share", "share of utterances in the words of an earlier one",
        SHARE,
    ),
}  # fmt: skip
_COMMITMENTS = {
    "open": "agreements whose time has not passed; each side counts",
    "kept": "agreements that were kept",
    "alone": "agreements that one kept and none of the others",
    "missed": "agreements that were missed",
    "dropped": "agreements that were dropped",
    "declined": "proposals that were declined",
    "cancelled": "agreements that were cancelled",
    "changed": "agreements that were changed",
}
_PLANS = {
    "planned": ("planned actions whose time is over, without sleep and acts", NUMBER),
    "begun_share": ("share of them that was begun", SHARE),
    "short": ("planned actions done for less than two minutes", NUMBER),
}
_QUALITY: Mapping[str, tuple[str, str, str]] = {
    "memories_per_agent_day": (
        "memories_per_agent_day", "memories of an agent in a day", "memories",
    ),
    "memories_repeated_share": (
        "memories.repeated_share", "share of memories that repeat one of the same agent", SHARE,
    ),
    "reflections": ("reflections.count", "insights of reflections", NUMBER),
    "reflections_repeated_share": (
        "reflections.repeated_share", "share of insights that repeat one of any agent", SHARE,
    ),
    "answers_kept_share": (
        "answers.kept_share", "share of a model's answers to turns that are done as given",
        SHARE,
    ),
    "answers_fell_back": (
        "answers.fell_back", "answers to turns in whose place a fallback is done", NUMBER,
    ),
    "checks_passed": (
        "passed_if_checked", "checks of the latest whole day without a fault", NUMBER,
    ),
    "faults": ("faults", "faults that these checks have found", NUMBER),
}  # fmt: skip
_DRIFT = {
    "seeds_in_summary": ("phrases of a description in the agent's summary, share, mean", SHARE),
    "facts_kept": ("lasting facts of a description that hold unchanged, share, mean", SHARE),
    "facts_added": ("lasting facts of an agent from elsewhere, mean", NUMBER),
    "action_divergence": ("bits from an agent's first day to its latest one, mean", "bits"),
}
_ROUTINES = {
    "places_per_day": ("different places of an agent in a day, mean", "places"),
    "radius": ("radius of gyration of an agent in tiles, mean", "tiles"),
}


def _value_at(run: RunAtTick, path: str) -> Value:
    """Return the value that a path of attributes and keys leads to."""
    value: Any = run
    for name in path.split("."):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    found: Value = value
    return found


def _register(name: str, description: str, unit: str, path: str) -> None:
    function = partial(_value_at, path=path)
    MEASURES.register(name, description=description, unit=unit)(function)


for _kind, _joined in NETWORKS.items():
    for _name, (_text, _unit) in _OF_NETWORKS.items():
        _register(
            f"network.{_kind}.{_name}",
            f"{_text}; two agents are joined by {_joined}",
            _unit,
            f"networks.{_kind}.{_name}",
        )
for _name, (_path, _text, _unit) in _CONVERSATIONS.items():
    _register(f"conversations.{_name}", _text, _unit, f"social.conversations.{_path}")
for _name, _text in _COMMITMENTS.items():
    _register(f"commitments.{_name}", _text, NUMBER, f"social.commitments.{_name}")
for _name, (_text, _unit) in _PLANS.items():
    _register(f"plans.{_name}", _text, _unit, f"social.plans.{_name}")
for _name, (_path, _text, _unit) in _QUALITY.items():
    _register(f"quality.{_name}", _text, _unit, f"quality.{_path}")
for _group, _measures in (("drift", _DRIFT), ("routines", _ROUTINES)):
    for _name, (_text, _unit) in _measures.items():
        _register(f"{_group}.{_name}", _text, _unit, f"{_group}.{_name}")
