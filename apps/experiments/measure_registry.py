"""A run as of the end of a tick, and the measures of it that an experiment chooses by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from apps import history
from apps.django_support.function_registry import Registry
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.evaluation.quality.persona_drift import AgentDrift, persona_drift
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.routines import Routine, routines
from apps.evaluation.social.social_measures import SocialMeasures, social_measures
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A value of a run as of the end of a tick; None where there is nothing to measure."""

    name: str
    description: str
    unit: str
    function: Callable[[RunAtTick], Value]


MEASURES = Registry(
    "measure", Measure, "apps.experiments.plain_measures", unknown=MeasureUnknown
)
