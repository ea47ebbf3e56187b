"""Typed input of the LLM task of reaction. English is printed by the task alone."""

from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import AgentStatus, LastTalk, PlannedTime
from apps.agents.summary import AgentSummary
from apps.memory.items import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedAgent:
    """An agent that was just perceived; `may_talk` says that it is free to be addressed."""

    status: AgentStatus
    may_talk: bool
    last_talk: LastTalk | None = None

    @property
    def name(self) -> str:
        """The full name of the agent."""
        return self.status.agent_name


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedObject:
    """An object whose state was just perceived; fire and flood are alarming."""

    name: str
    state: str
    is_alarming: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """What keeps the agent from what it is about to do: a place or object that is taken."""

    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldObservation:
    """What a user tells the agent that it perceives (U6).

    `agent` is the agent in it, None where it names none that the agent perceives.
    """

    text: str
    agent: ObservedAgent | None = None
    is_alarming: bool = False


Observed = ObservedAgent | ObservedObject | Obstacle | ToldObservation


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionInput:
    """What is known when an agent has perceived something (X1); observation 1 is the first.

    `place` is in words; `plans` are the hours from now on, the current one first;
    `known_places` are paths that the agent can go to; `memories` are what is retrieved for
    the observations, best first.
    """

    agent_name: str
    summary: AgentSummary
    now: datetime
    place: str
    status: AgentStatus
    plans: tuple[PlannedTime, ...]
    observed: tuple[Observed, ...]
    memories: tuple[MemoryItem, ...]
    known_places: tuple[str, ...]

    def may_talk_to(self) -> tuple[str, ...]:
        """Return the full names of the observed agents that are free to be addressed."""
        found = (agent_in(one) for one in self.observed)
        return tuple(agent.name for agent in found if agent is not None and agent.may_talk)


def agent_in(observed: Observed) -> ObservedAgent | None:
    """Return the agent that the observation is about, None for anything else."""
    if isinstance(observed, ObservedAgent):
        return observed
    return observed.agent if isinstance(observed, ToldObservation) else None
