"""The events of a simulation as a whole: its creation, and the commands about its agents."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from apps.eventlog.event import CommandEvent, Event
from apps.kernel.game_time import GameCalendar
from apps.simulation.settings import SimulationSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationCreated(Event):
    """A simulation was created: its world, its seed, and every setting that changes history.

    `start` is the game time of tick 0 (ISO 8601); `world_sha256` is the digest of the world's
    files; the embedding model and its number of dimensions never change.
    """

    type: ClassVar[str] = "simulation.created.v1"
    world: str
    world_sha256: str
    seed: int
    start: str
    settings: SimulationSettings
    embedding_model: str
    embedding_dimensions: int

    @property
    def calendar(self) -> GameCalendar:
        """The calendar of the simulation."""
        start = datetime.fromisoformat(self.start)
        return GameCalendar(start=start, tick_seconds=self.settings.tick_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationChanged(Event):
    """A branch goes on with another seed, other settings or another chat model (V4).

    All values are those that hold from this tick on.
    """

    type: ClassVar[str] = "simulation.specification-changed.v1"
    seed: int
    settings: SimulationSettings
    chat_model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCommandEvent(CommandEvent):
    """A command about one agent, by its slug; in the stream of commands."""

    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAdded(AgentCommandEvent):
    """A user added an agent (U5, U7); the agent's own stream says who it is."""

    type: ClassVar[str] = "simulation.agent-added.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRemoved(AgentCommandEvent):
    """A user removed an agent from this tick of the agent on (U9, U7)."""

    type: ClassVar[str] = "simulation.agent-removed.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerVoiceGiven(AgentCommandEvent):
    """A user spoke to an agent as its inner voice (U2, U7), in the words of `text`."""

    type: ClassVar[str] = "simulation.inner-voice-given.v1"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationGiven(AgentCommandEvent):
    """A user had an agent perceive something (U6, U7).

    `about` is the slug of the agent that the observation is about, "" where it is about none.
    An alarming observation wakes a sleeper.
    """

    type: ClassVar[str] = "simulation.observation-given.v1"
    text: str
    about: str = ""
    is_alarming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewGiven(AgentCommandEvent):
    """A user had an agent remember an interview (U1, U7).

    `persona` is the interviewer as the agent knows it: "a reporter". The answer is the model's.
    """

    type: ClassVar[str] = "simulation.interview-given.v1"
    persona: str
    question: str
    answer: str


EVENTS = (
    SimulationCreated,
    SpecificationChanged,
    AgentAdded,
    AgentRemoved,
    InnerVoiceGiven,
    ObservationGiven,
    InterviewGiven,
)
