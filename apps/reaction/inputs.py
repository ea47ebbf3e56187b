"""Typed input of the LLM task of reaction. Only the task prints English."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from apps.agents.status import (
    STRANGER,
    Acquaintance,
    AgentStatus,
    Agreement,
    Deed,
    PlannedTime,
)
from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


class TalkReason(StrEnum):
    """Why an agent may want to talk to another one that has been in view."""

    AGREED = "agreed"  # the two agreed on something for this time
    UNANSWERED = "unanswered"  # own words to it had no answer
    INTENDED = "intended"  # the agent decided to say something later
    PROMISED = "promised"  # the agent promised to tell the other agent, or anybody
    NEWS = "news"  # the agent has learned or decided something since they met
    OVERHEARD = "overheard"  # the other agent said something to somebody else


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonToTalk:
    """A reason to talk to another agent, from a record of the agent; `text` is its content.

    `since` is what the two have talked about since, "" for nothing.
    """

    kind: TalkReason
    text: str
    since: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedAgent:
    """An observed agent; with `may_talk` it can be addressed, for the `reasons`.

    `talks_with` are the full names of the other agents in its conversation if that can be
    joined.
    """

    status: AgentStatus
    may_talk: bool
    acquaintance: Acquaintance = STRANGER
    reasons: tuple[ReasonToTalk, ...] = ()
    talks_with: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The full name of the agent."""
        return self.status.agent_name


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedObject:
    """The observed state of an object; fire and flood are alarming."""

    name: str
    state: str
    is_alarming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """An area or object that is taken, so that the agent cannot do its action.

    `occupants` are the full names of the agents that are seen to use it; `remedy` is what ends
    the state of an object that prevents its use, an infinitive, "" where one can only wait.
    """

    description: str
    occupants: tuple[str, ...] = ()
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockHeard:
    """An agent that knocks at the door of the observer's home or private room (W5)."""

    agent: ObservedAgent


@dataclass(frozen=True, slots=True, kw_only=True)
class UserObservation:
    """An observation from a user (U6).

    `agent` is the perceived agent that it names, None without one.
    """

    text: str
    agent: ObservedAgent | None = None
    is_alarming: bool = False


class Prevented(StrEnum):
    """What the state of an object prevents."""

    NOTHING = "nothing"
    USE = "use"
    USE_BY_OTHERS = "use by others"  # those who live or work there have a key


@dataclass(frozen=True, slots=True, kw_only=True)
class StateInput:
    """The name of an object, its state, and in words the area that it is in."""

    name: str
    state: str
    place: str


Observed = ObservedAgent | ObservedObject | Obstacle | KnockHeard | UserObservation


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionInput:
    """The input of a decision about observations (X1); observation 1 is the first.

    `place` is in words; `known_places` are the paths of possible destinations; `memories` are
    retrieved for the observations, best first; `agreements` are open, in order of time;
    `outline` is the plan of the day in broad strokes, `performed` what was done of the day, and
    `coming` are the actions of this hour that have not begun. `together` are the full names of
    the observed agents that the agent is in company with, in a break of its own.
    """

    agent_name: str
    summary: AgentSummary
    now: datetime
    place: str
    status: AgentStatus
    observed: tuple[Observed, ...]
    memories: tuple[MemoryItem, ...]
    known_places: tuple[str, ...]
    agreements: tuple[Agreement, ...] = ()
    outline: tuple[PlannedTime, ...] = ()
    performed: tuple[Deed, ...] = ()
    coming: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    def may_talk_to(self) -> tuple[ObservedAgent, ...]:
        """Return the observed agents that can be addressed."""
        agents = (agent_in(one) for one in self.observed)
        return tuple(agent for agent in agents if agent is not None and agent.may_talk)


def agent_in(observed: Observed) -> ObservedAgent | None:
    """Return the agent in the observation, None without one."""
    if isinstance(observed, ObservedAgent):
        return observed
    return observed.agent if isinstance(observed, KnockHeard | UserObservation) else None
