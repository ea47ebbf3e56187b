"""What differs of each agent at the end of two histories: knowledge, plans, places, talk."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps import history
from apps.history import Action, PlanItem

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
class OnlyThere:
    """What an agent has in one history only: its most important memories, its planned hours."""

    memories: tuple[str, ...]
    hours: tuple[PlanItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStates:
    """An agent in both histories, and what it has in one of them only."""

    one: AgentState
    other: AgentState
    only_one: OnlyThere
    only_other: OnlyThere


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """The conversations in which an agent has taken part, and its partners there."""

    conversations: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    """What states are made of; memories are words with their importance."""

    actions: Mapping[str, Action]
    places: Mapping[str, int]
    memories: Mapping[str, Collection[tuple[str, int]]]
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
    memories: dict[str, list[tuple[str, int]]] = defaultdict(list)
    formed: Any = history.list_all_memories(  # annotated
        simulation, from_tick=since_tick, as_of_tick=until_tick
    ).order_by("agent", "number")
    for agent, text, importance in formed.values_list("agent", "description", "importance"):
        memories[agent].append((text, importance))
    return _History(
        actions=_actions_at(simulation, until_tick),
        places=history.count_known_places(simulation, as_of_tick=until_tick),
        memories=memories,
        contacts=_contacts(simulation, since_tick=since_tick, until_tick=until_tick),
        hours={
            agent: [item for item in items if not item.asleep]
            for agent, items in history.planned_items(
                simulation, levels=["hour"], from_tick=since_tick, as_of_tick=until_tick
            ).items()
        },
    )


def _actions_at(simulation: UUID, tick: int) -> dict[str, Action]:
    """Return the actions at the end of a tick of the agents that are there."""
    tracks = history.tracks(simulation, from_tick=tick, to_tick=tick)
    found = {agent: track.action_at(tick) for agent, track in tracks.items()}
    return {
        agent: action
        for agent, action in found.items()
        if action is not None and tracks[agent].tile_at(tick) is not None
    }


def _contacts(simulation: UUID, *, since_tick: int, until_tick: int) -> dict[str, Contacts]:
    """Return the contacts of each agent from a tick up to the end of another one."""
    rows = history.list_utterances(simulation, as_of_tick=until_tick, from_tick=since_tick)
    found: dict[str, Contacts] = {}
    for agent, to, participants, conversation in rows.order_by().values_list(
        "agent", "to", "participants", "conversation"
    ):
        members = {agent, to, *participants} - {""}
        for one in members:
            before = found.get(one, Contacts())
            found[one] = Contacts(
                conversations=before.conversations | {conversation},
                others=before.others | ({agent} if one != agent else members) - {one},
            )
    return found


def _only_in(
    memories: Collection[tuple[str, int]], others: Collection[tuple[str, int]]
) -> tuple[str, ...]:
    """Return the most important memories whose words are not among the others.

    A text is left out as often as the other history has it.
    """
    known = Counter(text for text, _ in others)
    found: list[tuple[str, int]] = []
    for text, importance in memories:
        if known[text]:
            known[text] -= 1
        else:
            found.append((text, importance))
    ordered = sorted(found, key=lambda one: -one[1])
    return tuple(dict.fromkeys(text for text, _ in ordered[:MEMORIES_SHOWN]))


def _hours_only_in(
    hours: Collection[PlanItem], others: Collection[PlanItem]
) -> tuple[PlanItem, ...]:
    known = {(one.from_tick, one.description) for one in others}
    return tuple(one for one in hours if (one.from_tick, one.description) not in known)[
        :HOURS_SHOWN
    ]
