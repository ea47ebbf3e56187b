"""What differs of each agent at the end of two histories: knowledge, plans, places, talk."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.track import Action
from apps.dialogue.history import Contacts, contacts_since
from apps.memory.queries import FormedMemory, memories_formed_since
from apps.memory.rules import UNRATED_IMPORTANCE
from apps.planning.queries import hours_since
from apps.planning.rules import PlanItem

MEMORIES_SHOWN = 5
HOURS_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """An agent at the end of a history, and what it has done since the common past.

    `doing` and `area` are "" for an agent that is not there.
    """

    doing: str
    area: str
    known_places: int
    memories: int
    """Formed since the last common tick."""
    conversations: int
    """Since the last common tick."""
    talked_with: tuple[str, ...]
    """Slugs of agents, since the last common tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HourOfPlan:
    """A planned hour."""

    from_tick: int
    description: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlyThere:
    """What an agent has in one history only: its most important memories, its planned hours."""

    memories: tuple[str, ...]
    hours: tuple[HourOfPlan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStates:
    """An agent in both histories, and what it has in one of them only."""

    one: AgentState
    other: AgentState
    only_one: OnlyThere
    only_other: OnlyThere


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    """The rows of all agents of one history that states are made of."""

    actions: Mapping[str, Action]
    places: Mapping[str, int]
    memories: Mapping[str, Collection[FormedMemory]]
    contacts: Mapping[str, Contacts]
    hours: Mapping[str, Collection[PlanItem]]

    def state_of(self, agent: str) -> AgentState:
        action = self.actions.get(agent)
        contacts = self.contacts.get(agent, Contacts())
        return AgentState(
            doing="" if action is None else action.description,
            area="" if action is None else action.area,
            known_places=self.places.get(agent, 0),
            memories=len(self.memories.get(agent, ())),
            conversations=len(contacts.conversations),
            talked_with=tuple(sorted(contacts.others)),
        )

    def only_here(self, agent: str, other: "_History") -> OnlyThere:
        return OnlyThere(
            memories=_only_in(self.memories.get(agent, ()), other.memories.get(agent, ())),
            hours=_hours_only_in(self.hours.get(agent, ()), other.hours.get(agent, ())),
        )


def states_of(
    agents: Iterable[str], one: UUID, other: UUID, *, since_tick: int, until_tick: int
) -> dict[str, AgentStates]:
    """Return the states of the agents in both histories, which differ from `since_tick` on."""
    first, second = (
        _read(simulation, since_tick=since_tick, until_tick=until_tick)
        for simulation in (one, other)
    )
    return {
        agent: AgentStates(
            one=first.state_of(agent),
            other=second.state_of(agent),
            only_one=first.only_here(agent, second),
            only_other=second.only_here(agent, first),
        )
        for agent in agents
    }


def _read(simulation: UUID, *, since_tick: int, until_tick: int) -> _History:
    ticks = {"from_tick": since_tick, "as_of_tick": until_tick}
    memories: dict[str, list[FormedMemory]] = defaultdict(list)
    for one in memories_formed_since(simulation, **ticks):
        memories[one.agent].append(one)
    return _History(
        actions=agent_queries.actions_at(simulation, tick=until_tick),
        places=agent_queries.count_known_places(simulation, as_of_tick=until_tick),
        memories=memories,
        contacts=contacts_since(simulation, **ticks),
        hours=hours_since(simulation, **ticks),
    )


def _only_in(
    memories: Collection[FormedMemory], others: Collection[FormedMemory]
) -> tuple[str, ...]:
    """Return the most important memories whose words are not among the others.

    A text that both histories have is left out as often as the other one has it.
    """
    known = Counter(one.description for one in others)
    found: list[FormedMemory] = []
    for one in memories:
        if known[one.description]:
            known[one.description] -= 1
        else:
            found.append(one)
    ordered = sorted(found, key=lambda one: -(one.importance or UNRATED_IMPORTANCE))
    return tuple(dict.fromkeys(one.description for one in ordered[:MEMORIES_SHOWN]))


def _hours_only_in(
    hours: Collection[PlanItem], others: Collection[PlanItem]
) -> tuple[HourOfPlan, ...]:
    known = {(one.from_tick, one.description) for one in others}
    return tuple(
        HourOfPlan(from_tick=one.from_tick, description=one.description, place=one.place)
        for one in hours
        if (one.from_tick, one.description) not in known
    )[:HOURS_SHOWN]
