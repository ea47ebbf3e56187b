"""A run as of the end of a tick, and the measures of it that an experiment chooses by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import mean
from typing import ClassVar
from uuid import UUID

from apps import history
from apps.django_support.function_registry import Registry
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.evaluation.quality.persona_drift import AgentDrift, mean_drift, persona_drift
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.social_measures import (
    Routine,
    SocialMeasures,
    routines,
    social_measures,
)
from apps.history import Constants
from apps.kernel.errors import DomainError
from apps.simulation.ports import Ports


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

    @cached_property
    def drift(self) -> Sequence[AgentDrift]:
        """How far the agents have moved from their descriptions."""
        return persona_drift(self.simulation_id, as_of_tick=self.tick)

    @cached_property
    def routines(self) -> Mapping[str, Routine]:
        """The routines of all agents since the beginning."""
        return routines(
            self.simulation_id,
            world=self.constants.world,
            calendar=self.constants.calendar,
            ticks=range(self.tick + 1),
        )

    @cached_property
    def agents(self) -> list[str]:
        """The slugs of the agents that are there."""
        return list(history.slugs_in_simulation(self.simulation_id, as_of_tick=self.tick))

    @cached_property
    def log(self) -> Grapevine:
        """The log, in which the way of news is followed."""
        return Grapevine(self.ports.store.read(self.simulation_id, until_tick=self.tick))


Value = float | None
SHARE = "share, 0 to 1"


class MeasureUnknown(DomainError):
    """There is no measure of that name."""

    code: ClassVar[str] = "measure-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A value of a run as of the end of a tick; None where there is nothing to measure."""

    name: str
    description: str
    unit: str
    function: Callable[[RunAtTick], Value]


MEASURES = Registry(
    "measure", Measure, "apps.experiments.measure_registry", unknown=MeasureUnknown
)


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
_QUALITY: Mapping[str, tuple[str, str, Callable[[RunQuality], Value]]] = {
    "memories_per_agent_day": (
        "memories of an agent in a day", "memories",
        lambda quality: quality.memories_per_agent_day,
    ),
    "memories_repeated_share": (
        "share of memories that repeat one of the same agent", SHARE,
        lambda quality: quality.memories.repeated_share,
    ),
    "reflections": (
        "insights of reflections", NUMBER, lambda quality: quality.reflections.count,
    ),
    "reflections_repeated_share": (
        "share of insights that repeat one of any agent", SHARE,
        lambda quality: quality.reflections.repeated_share,
    ),
    "answers_kept_share": (
        "share of a model's answers to turns that are done as given", SHARE,
        lambda quality: quality.answers.kept_share,
    ),
    "answers_fell_back": (
        "answers to turns in whose place a fallback is done", NUMBER,
        lambda quality: quality.answers.fell_back,
    ),
    "checks_passed": (
        "checks of the latest whole day without a fault", NUMBER,
        lambda quality: quality.passed if quality.checks else None,
    ),
    "faults": (
        "faults that these checks have found", NUMBER,
        lambda quality: sum(one.fault_count for one in quality.checks)
        if quality.checks else None,
    ),
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


def _network(run: RunAtTick, kind: str, name: str) -> Value:
    [network] = [one for one in run.social.networks if one.kind == kind]
    value: float = getattr(network, name)
    return value


def _conversations(run: RunAtTick, path: str) -> Value:
    value = run.social.conversations
    for name in path.split("."):
        value = getattr(value, name)
    return value  # type: ignore[return-value]  # mypy does not follow the names


def _commitments(run: RunAtTick, name: str) -> Value:
    return run.social.commitments[name]


def _plans(run: RunAtTick, name: str) -> Value:
    value: Value = getattr(run.social.plans, name)
    return value


def _quality(run: RunAtTick, counted: Callable[[RunQuality], Value]) -> Value:
    return counted(run.quality)


def _drift(run: RunAtTick, name: str) -> Value:
    return mean_drift(run.drift, name)


def _routines(run: RunAtTick, name: str) -> Value:
    values = [getattr(one, name) for one in run.routines.values()]
    return mean(values) if values else None


def _register(name: str, description: str, unit: str, function: Callable[..., Value]) -> None:
    MEASURES.register(name, description=description, unit=unit)(function)


for _kind, _joined in NETWORKS.items():
    for _name, (_text, _unit) in _OF_NETWORKS.items():
        _register(
            f"network.{_kind}.{_name}",
            f"{_text}; two agents are joined by {_joined}",
            _unit,
            partial(_network, kind=_kind, name=_name),
        )
for _name, (_path, _text, _unit) in _CONVERSATIONS.items():
    _register(f"conversations.{_name}", _text, _unit, partial(_conversations, path=_path))
for _name, _text in _COMMITMENTS.items():
    _register(f"commitments.{_name}", _text, NUMBER, partial(_commitments, name=_name))
for _name, (_text, _unit) in _PLANS.items():
    _register(f"plans.{_name}", _text, _unit, partial(_plans, name=_name))
for _name, (_text, _unit, _counted) in _QUALITY.items():
    _register(f"quality.{_name}", _text, _unit, partial(_quality, counted=_counted))
for _name, (_text, _unit) in _DRIFT.items():
    _register(f"drift.{_name}", _text, _unit, partial(_drift, name=_name))
for _name, (_text, _unit) in _ROUTINES.items():
    _register(f"routines.{_name}", _text, _unit, partial(_routines, name=_name))
