"""Queries of agents and objects, as of the end of a tick."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, F, Max, Min, Model, QuerySet

from apps.agents import statements
from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionKind, Tile
from apps.agents.models import (
    ActReportRow,
    AgentRow,
    DoorOpeningRow,
    KnownPlaceRow,
    SeenAgentRow,
    StayRow,
)
from apps.agents.naming import AgentUnknown
from apps.agents.sharing import DoorOpening, SetState, Use
from apps.agents.summary import Identity
from apps.agents.track import Action, Movement, Track
from apps.kernel.names import slug_of
from apps.lineage.history_rows import valid_at
from apps.lineage.statements import history_rows, values_between

_ACTION_FIELDS = tuple(field.name for field in fields(Action))
_SET_STATE_FIELDS = tuple(field.name for field in fields(SetState))
_Row = TypeVar("_Row", bound=Model)

SIMULATIONS_KEPT_MAX = 100
"""Of which a process keeps the fixed facts about agents."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A subject when an agent last noticed it; the area is "" for objects and outdoors."""

    description: str
    tick: int
    area: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """A node that an agent knows, its state when last seen, "" if never, and that tick."""

    node: str
    state: str
    tick: int


def list_agents(simulation_id: UUID, *, as_of_tick: int | None = None) -> list[AgentRow]:
    """Return the agents that are present at the end of the tick, by default now, by slug."""
    rows = AgentRow.objects.filter(simulation_id=simulation_id)
    if as_of_tick is None:
        rows = rows.filter(left_tick=None)
    else:
        stays = _valid(StayRow.objects.all(), simulation_id, as_of_tick)
        rows = rows.filter(agent__in=stays.values("agent"))
    return list(rows.order_by("agent"))


def get_agent(simulation_id: UUID, agent: str) -> AgentRow:
    """Return the row of an agent, which may have left.

    :raises AgentUnknown: if the simulation has no agent of the slug.
    """
    row = AgentRow.objects.filter(simulation_id=simulation_id, agent=agent).first()
    if row is None:
        raise AgentUnknown(agent, slugs_in_simulation(simulation_id))
    return row


def agents_named(
    simulation_id: UUID, slugs: Collection[str], *, as_of_tick: int
) -> dict[str, AgentRow]:
    """Return those of the agents that have joined by the tick, by slug; some may have left."""
    rows = AgentRow.objects.filter(
        simulation_id=simulation_id, agent__in=slugs, joined_tick__lte=as_of_tick
    )
    return {row.agent: row for row in rows}


def slugs_in_simulation(simulation_id: UUID, *, as_of_tick: int | None = None) -> list[str]:
    """Return the slugs of `list_agents`."""
    return [row.agent for row in list_agents(simulation_id, as_of_tick=as_of_tick)]


def slugs_ever(simulation_id: UUID) -> list[str]:
    """Return the slugs of all agents that are or were in the simulation."""
    rows = AgentRow.objects.filter(simulation_id=simulation_id)
    return list(rows.order_by("agent").values_list("agent", flat=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFacts:
    """The facts about an agent that never change."""

    identity: Identity
    description: str


def fixed_facts(simulation_id: UUID, agent: str) -> FixedFacts:
    """Return the fixed facts about an agent; each process reads them once.

    :raises AgentUnknown: if the simulation has no agent of the slug.
    """
    found = _fixed_facts_with(simulation_id, [agent])
    if agent not in found:
        raise AgentUnknown(agent, slugs_in_simulation(simulation_id))
    return found[agent]


def _fixed_facts_with(simulation_id: UUID, agents: Collection[str]) -> Mapping[str, FixedFacts]:
    """Return facts of the simulation with those of the agents; others are read in one query."""
    found = _fixed_facts_read(simulation_id)
    if missing := [agent for agent in agents if agent not in found]:
        for row in AgentRow.objects.filter(simulation_id=simulation_id, agent__in=missing):
            found[row.agent] = FixedFacts(identity=row.identity, description=row.description)
    return found


@lru_cache(maxsize=SIMULATIONS_KEPT_MAX)
def _fixed_facts_read(_simulation_id: UUID) -> dict[str, FixedFacts]:
    """Return the facts that this process has read so far, by slug."""
    return {}


def names_of_agents(simulation_id: UUID, *, as_of_tick: int) -> dict[str, str]:
    """Return the full names of the agents that have joined by the tick, by slug in order."""
    rows = AgentRow.objects.filter(simulation_id=simulation_id, joined_tick__lte=as_of_tick)
    return dict(rows.order_by("agent").values_list("agent", "name"))


def ages_of_agents(simulation_id: UUID, *, as_of_tick: int) -> dict[str, int]:
    """Return the ages in years of the agents that have joined by the tick, by slug."""
    rows = AgentRow.objects.filter(simulation_id=simulation_id, joined_tick__lte=as_of_tick)
    return dict(rows.values_list("agent", "age"))


def name_of_agent(simulation_id: UUID, subject: str) -> str:
    """Return the full name of the agent of the slug, "" for other subjects."""
    if slug_of(subject) != subject:
        return ""
    facts = _fixed_facts_with(simulation_id, [subject]).get(subject)
    return "" if facts is None else facts.identity.name


def tracks(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> dict[str, Track]:
    """Return the tracks of agents in the ticks [from_tick, to_tick], by slug.

    They begin with the action that is current at the end of `from_tick`.
    """
    movements: dict[str, list[Movement]] = defaultdict(list)
    actions: dict[str, list[Action]] = defaultdict(list)
    parameters = values_between(simulation_id, from_tick, to_tick, agents)
    for agent, steps, *values in history_rows(statements.TRACKS, parameters, simulation_id):
        action = _action(values)
        actions[agent].append(action)
        movements[agent].append(
            Movement(from_tick=action.from_tick, steps=_tiles(json.loads(steps)))
        )
    facts = _fixed_facts_with(simulation_id, actions)
    return {
        agent: Track(
            agent=agent,
            name=facts[agent].identity.name,
            movements=movements[agent],
            actions=actions[agent],
        )
        for agent in actions
    }


def tracks_near(
    simulation_id: UUID, agent: str, *, tick: int, is_near: Callable[[Tile, Tile], bool]
) -> dict[str, Track]:
    """Return the tracks of the agents that are near the agent, itself included.

    `is_near` takes the tiles of the agent and of another one at the end of the tick; the tracks
    have this tick alone.
    """
    rows = history_rows(
        statements.STANDING, {"simulation": simulation_id, "tick": tick}, simulation_id
    )
    tiles: dict[str, Tile] = {other: (x, y) for other, x, y, *_ in rows if x is not None}
    here = tiles[agent]
    near = {
        other: _action(values)
        for other, _x, _y, *values in rows
        if other in tiles and (other == agent or is_near(here, tiles[other]))
    }
    facts = _fixed_facts_with(simulation_id, near)
    return {
        other: Track(
            agent=other,
            name=facts[other].identity.name,
            movements=[Movement(from_tick=tick, steps=(tiles[other],))],
            actions=[action],
        )
        for other, action in near.items()
    }


def actions_at(simulation_id: UUID, *, tick: int) -> dict[str, Action]:
    """Return the actions at the end of a tick of all agents that are present, by slug."""
    rows = history_rows(
        statements.STANDING, {"simulation": simulation_id, "tick": tick}, simulation_id
    )
    return {agent: _action(values) for agent, x, _y, *values in rows if x is not None}


def uses(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> list[tuple[Use, int | None]]:
    """Return the attempts that are valid at a time in the ticks, each with its `to_tick`."""
    parameters = values_between(simulation_id, from_tick, to_tick, agents)
    return [
        (
            Use(agent=agent, node=node, state=state, since_tick=since, from_tick=begins),
            ends,
        )
        for agent, node, state, since, begins, ends in history_rows(
            statements.USES, parameters, simulation_id
        )
    ]


def set_states(
    simulation_id: UUID, *, from_tick: int, to_tick: int | None = None
) -> list[SetState]:
    """Return the object states set by users that are valid at a time in the ticks."""
    parameters = values_between(simulation_id, from_tick, to_tick, agents=None)
    found = history_rows(statements.SET_STATES, parameters, simulation_id)
    return [SetState(**dict(zip(_SET_STATE_FIELDS, row, strict=True))) for row in found]


def doors_opened_to(
    simulation_id: UUID, visitor: str, *, from_tick: int, to_tick: int
) -> tuple[DoorOpening, ...]:
    """Return the doors that residents opened to the visitor in the ticks, in order."""
    rows = DoorOpeningRow.objects.filter(
        simulation_id=simulation_id, visitor=visitor, tick__range=(from_tick, to_tick)
    ).order_by("tick", "agent")
    return tuple(
        DoorOpening(agent=row.agent, tick=row.tick, node=row.node, event=row.event)
        for row in rows
    )


def home_of_agent(simulation_id: UUID, agent: str) -> str:
    """Return the path of the home of the agent of the slug, "" for one without."""
    return fixed_facts(simulation_id, agent).identity.home


def known_places(simulation_id: UUID, agent: str, *, as_of_tick: int) -> list[KnownPlace]:
    """Return the known nodes with the states last seen, by path (W3)."""
    rows = _valid(KnownPlaceRow.objects.all(), simulation_id, as_of_tick).filter(agent=agent)
    known = rows.order_by("node").values("node", "state", tick=F("from_tick"))
    return [KnownPlace(**values) for values in known]


def count_known_places(simulation_id: UUID, *, as_of_tick: int) -> dict[str, int]:
    """Return how many nodes each agent knows, where it knows any (W3)."""
    rows = _valid(KnownPlaceRow.objects.all(), simulation_id, as_of_tick)
    counted = rows.order_by().values_list("agent").annotate(nodes=Count("node", distinct=True))
    return dict(counted)


def last_seen(
    simulation_id: UUID, agent: str, *, as_of_tick: int, since_tick: int = 0
) -> tuple[dict[str, Seen], dict[str, Seen]]:
    """Return the last sights since a tick, of agents by slug and of objects by path."""
    seen: tuple[dict[str, Seen], dict[str, Seen]] = ({}, {})
    parameters = {
        "simulation": simulation_id,
        "agent": agent,
        "tick": as_of_tick,
        "since": since_tick,
    }
    for is_place, subject, *values in history_rows(
        statements.LAST_SEEN, parameters, simulation_id
    ):
        seen[is_place][subject] = Seen(*values)
    return seen


def latest_learnt_tick(simulation_id: UUID, agent: str, place: str, *, as_of_tick: int) -> int:
    """Return when the agent last learnt a node in the place, -1 if it knows none."""
    first = (
        KnownPlaceRow.objects.filter(
            simulation_id=simulation_id,
            agent=agent,
            node__startswith=f"{place}: ",
            from_tick__lte=as_of_tick,
        )
        .values("node")
        .annotate(first_tick=Min("from_tick"))
    )
    latest = first.aggregate(tick=Max("first_tick"))["tick"]
    return -1 if latest is None else int(latest)


def actions_between(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[Action]:
    """Return the actions of the agent in the ticks, in order."""
    parameters = values_between(simulation_id, from_tick, to_tick, [agent])
    rows = history_rows(statements.TRACKS, parameters, simulation_id)
    return [_action(values) for _agent, _steps, *values in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of an act at a tick; fields as in ActReported."""

    tick: int
    plan_item: int
    kind: ActKind
    other: str
    outcome: ActOutcome
    area: str


def reports_between(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[Report]:
    """Return the reports of the agent's acts in the ticks, in order."""
    rows = ActReportRow.objects.filter(
        simulation_id=simulation_id, agent=agent, tick__range=(from_tick, to_tick)
    ).order_by("tick", "plan_item", "other")
    return [
        Report(
            tick=row.tick,
            plan_item=row.plan_item,
            kind=ActKind(row.kind),
            other=row.other,
            outcome=ActOutcome(row.outcome),
            area=row.area,
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SightOfAgent:
    """The area in which an agent saw another one begin something, until it saw it elsewhere."""

    subject: str
    area: str
    from_tick: int
    to_tick: int | None


def sights_between(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[SightOfAgent]:
    """Return what the agent newly saw of others in the ticks, in order."""
    rows = SeenAgentRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=(from_tick, to_tick)
    ).order_by("from_tick", "subject")
    return [
        SightOfAgent(
            subject=row.subject, area=row.area, from_tick=row.from_tick, to_tick=row.to_tick
        )
        for row in rows
    ]


def _valid(rows: QuerySet[_Row], simulation_id: UUID, tick: int) -> QuerySet[_Row]:
    return rows.filter(valid_at(tick), simulation_id=simulation_id)


def _tiles(steps: Sequence[Sequence[int]]) -> tuple[Tile, ...]:
    return tuple((x, y) for x, y in steps)


def _action(values: Iterable[Any]) -> Action:
    facts = dict(zip(_ACTION_FIELDS, values, strict=True))
    kinds = {"kind": ActionKind(facts["kind"]), "act": ActKind(facts["act"])}
    return Action(**facts | kinds)
