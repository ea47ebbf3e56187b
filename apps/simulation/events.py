"""What happens to a simulation as a whole: its founding, and the choice of its model."""

from dataclasses import dataclass
from typing import ClassVar

from apps.eventlog.event import Event
from apps.simulation.settings import SimulationSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationFounded(Event):
    """A town came to be: its world, its seed, and every setting that changes history.

    `start` is the game time of tick 0 (ISO 8601); `world_sha256` pins the world's content;
    vectors of this many dimensions come from this embedding model for good.
    """

    type: ClassVar[str] = "simulation.founded.v1"
    world: str
    world_sha256: str
    seed: int
    start: str
    settings: SimulationSettings
    embedding_model: str
    embedding_dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAdded(Event):
    """A user had a person come to town (U5, U7); in the stream of the commands.

    `by` names the user, `reason` is theirs; the person's own stream says who they are.
    """

    type: ClassVar[str] = "simulation.person-added.v1"
    agent: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSentAway(Event):
    """A user had a person leave town (U9, U7); in the stream of the commands."""

    type: ClassVar[str] = "simulation.person-sent-away.v1"
    agent: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerVoiceGiven(Event):
    """A user spoke to a person as their inner voice (U2, U7); in the stream of the commands.

    `text` is what the user wrote; what the person makes of it is in the person's own stream.
    """

    type: ClassVar[str] = "simulation.inner-voice-given.v1"
    agent: str
    text: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationGiven(Event):
    """A user had a person perceive something (U6, U7); in the stream of the commands."""

    type: ClassVar[str] = "simulation.observation-given.v1"
    agent: str
    text: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewGiven(Event):
    """A user had a person remember an interview (U1, U7); in the stream of the commands.

    `persona` is who asked, as the person has it: "a reporter". The answer is the model's.
    """

    type: ClassVar[str] = "simulation.interview-given.v1"
    agent: str
    persona: str
    question: str
    answer: str
    by: str
    reason: str


EVENTS = (
    SimulationFounded,
    PersonAdded,
    PersonSentAway,
    InnerVoiceGiven,
    ObservationGiven,
    InterviewGiven,
)
