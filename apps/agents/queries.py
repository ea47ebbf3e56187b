"""Questions about people, each answered as things stood at the end of a tick."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from apps.agents import statements
from apps.agents.events import ActionKind, Tile
from apps.agents.identity import Hours, Identity
from apps.agents.models import (
    ActionRow,
    AgentRow,
    KnownPlaceRow,
    ObjectStateRow,
    StayRow,
    TurnedAwayRow,
)
from apps.agents.naming import AgentUnknown
from apps.agents.sharing import SetState, Use
from apps.agents.track import Action, Movement, Track
from apps.django_support.statements import rows_of
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.names import slug_of
from apps.world.geometry import chebyshev

_ACTION_FIELDS = tuple(field.name for field in fields(Action))
_SET_STATE_FIELDS = tuple(field.name for field in fields(SetState))
_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a person knows of a subject from the last time they noticed it."""

    description: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """A node that a person knows, the state it was last seen in ("" if never) and when."""

    node: str
    state: str
    tick: int


def list_agents(simulation_id: UUID, *, as_of_tick: int | None = None) -> list[AgentRow]:
    """Return the people who are in town at the end of the tick, or now, by slug."""
    rows = AgentRow.objects.filter(simulation_id=simulation_id)
    if as_of_tick is None:
        rows = rows.filter(left_tick=None)
    else:
        stays = _valid(StayRow.objects.all(), simulation_id, as_of_tick)
        rows = rows.filter(agent__in=stays.values("agent"))
    return list(rows.order_by("agent"))


def get_agent(simulation_id: UUID, agent: str) -> AgentRow:
    """Return the person's row.

    :raises AgentUnknown: if the simulation has, and had, nobody of that slug.
    """
    row = AgentRow.objects.filter(simulation_id=simulation_id, agent=agent).first()
    if row is None:
        raise AgentUnknown(agent, slugs_in_simulation(simulation_id))
    return row


def slugs_in_simulation(simulation_id: UUID, *, as_of_tick: int | None = None) -> list[str]:
    """Return who is in town at the end of the tick, or now, in order."""
    return [row.agent for row in list_agents(simulation_id, as_of_tick=as_of_tick)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFacts:
    """What never changes of a person once they have joined."""

    identity: Identity
    description: str


@lru_cache(maxsize=20_000)
def fixed_facts(simulation_id: UUID, agent: str) -> FixedFacts:
    """Return what never changes of a person; read once a process.

    :raises AgentUnknown: if the simulation has nobody of that slug.
    """
    row = get_agent(simulation_id, agent)
    return FixedFacts(identity=identity_of(row), description=row.description)


def name_of_agent(simulation_id: UUID, subject: str) -> str:
    """Return the full name of the agent whose slug the subject is, "" for anything else."""
    if slug_of(subject) != subject:
        return ""
    try:
        return fixed_facts(simulation_id, subject).identity.name
    except AgentUnknown:
        return ""


def identity_of(row: AgentRow) -> Identity:
    """Return the fixed facts of the row."""
    return Identity(
        slug=row.agent,
        name=row.name,
        age=row.age,
        traits=tuple(row.traits),
        hours=Hours(wake=row.wake_minute, sleep=row.sleep_minute, dinner=row.dinner_minute),
        home=row.home,
        bed=row.bed,
        workplace=row.workplace,
    )


def tracks(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> dict[str, Track]:
    """Return where people were and what they did, from a tick on, by slug.

    Rows that hold at the end of `from_tick` or begin later are read, up to and including
    those that begin at `to_tick`.
    """
    movements: dict[str, list[Movement]] = defaultdict(list)
    actions: dict[str, list[Action]] = defaultdict(list)
    asked = _between(simulation_id, from_tick, to_tick, agents)
    for agent, steps, *values in rows_of(statements.TRACKS, asked):
        action = _action(values)
        actions[agent].append(action)
        movements[agent].append(
            Movement(from_tick=action.from_tick, steps=_tiles(json.loads(steps)))
        )
    return {
        agent: Track(
            agent=agent,
            name=fixed_facts(simulation_id, agent).identity.name,
            movements=movements[agent],
            actions=of_agent,
        )
        for agent, of_agent in actions.items()
    }


def tracks_near(
    simulation_id: UUID, agent: str, *, tick: int, distance: int
) -> dict[str, Track]:
    """Return who stands within so many tiles of the person at the end of the tick, by slug.

    The person is among them; the tracks hold that tick alone.
    """
    rows = rows_of(statements.STANDING, {"simulation": simulation_id, "tick": tick})
    tiles: dict[str, Tile] = {other: (x, y) for other, x, y, *_ in rows if x is not None}
    here = tiles[agent]
    return {
        other: Track(
            agent=other,
            name=fixed_facts(simulation_id, other).identity.name,
            movements=[Movement(from_tick=tick, steps=(tiles[other],))],
            actions=[_action(values)],
        )
        for other, _x, _y, *values in rows
        if other in tiles and chebyshev(here, tiles[other]) <= distance
    }


def uses(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> list[tuple[Use, int | None]]:
    """Return the attempts that stood at some time in the ticks, each with its `to_tick`."""
    asked = _between(simulation_id, from_tick, to_tick, agents)
    return [
        (
            Use(agent=agent, node=node, state=state, since_tick=since, from_tick=begins),
            ends,
        )
        for agent, node, state, since, begins, ends in rows_of(statements.USES, asked)
    ]


def set_states(
    simulation_id: UUID, *, from_tick: int, to_tick: int | None = None
) -> list[SetState]:
    """Return the object states that users have set and that held at some time in the ticks."""
    rows = ObjectStateRow.objects.filter(
        Q(to_tick=None) | Q(to_tick__gt=from_tick), simulation_id=simulation_id
    )
    if to_tick is not None:
        rows = rows.filter(from_tick__lte=to_tick)
    found = rows.order_by("from_tick", "event").values_list(*_SET_STATE_FIELDS)
    return [SetState(**dict(zip(_SET_STATE_FIELDS, row, strict=True))) for row in found]


def list_actions(
    simulation_id: UUID,
    agent: str,
    *,
    as_of_tick: int,
    from_tick: int | None = None,
    to_tick: int | None = None,
) -> QuerySet[ActionRow]:
    """Return the actions that have begun by a tick, those that overlap a range of ticks.

    :param to_tick: the first tick behind the range.
    """
    rows = ActionRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__lte=as_of_tick
    )
    if from_tick is not None:
        rows = rows.filter(Q(to_tick=None) | Q(to_tick__gt=from_tick))
    if to_tick is not None:
        rows = rows.filter(from_tick__lt=to_tick)
    return rows


def known_places(simulation_id: UUID, agent: str, *, as_of_tick: int) -> list[KnownPlace]:
    """Return the nodes that the person knows, with the state last seen, by path (W3)."""
    rows = _valid(KnownPlaceRow.objects.all(), simulation_id, as_of_tick).filter(agent=agent)
    found = rows.order_by("node").values_list("node", "state", "from_tick")
    return [KnownPlace(node=node, state=state, tick=tick) for node, state, tick in found]


def last_seen(
    simulation_id: UUID, agent: str, *, as_of_tick: int, since_tick: int = 0
) -> tuple[dict[str, Seen], dict[str, Seen]]:
    """Return what the person last noticed of people (by slug) and of objects (by path).

    With `since_tick` only of those that they noticed in that tick or later.
    """
    seen: tuple[dict[str, Seen], dict[str, Seen]] = ({}, {})
    asked = {
        "simulation": simulation_id,
        "agent": agent,
        "tick": as_of_tick,
        "since": since_tick,
    }
    for is_place, subject, description, tick in rows_of(statements.LAST_SEEN, asked):
        seen[is_place][subject] = Seen(description=description, tick=tick)
    return seen


def times_turned_away(
    simulation_id: UUID, agent: str, *, since_tick: int, as_of_tick: int
) -> dict[str, int]:
    """Return how often the person was turned away in the ticks, by node."""
    rows = TurnedAwayRow.objects.filter(
        simulation_id=simulation_id, agent=agent, tick__gte=since_tick, tick__lte=as_of_tick
    )
    return dict(Counter(rows.values_list("node", flat=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The node that a person could not enter or use, and why."""

    node: str
    why: str


def latest_refusal(simulation_id: UUID, agent: str, *, tick: int) -> Refused | None:
    """Return what the person was turned away from in the tick, if from anything."""
    row = (
        TurnedAwayRow.objects.filter(simulation_id=simulation_id, agent=agent, tick=tick)
        .values_list("node", "why")
        .first()
    )
    return None if row is None else Refused(node=row[0], why=row[1])


def actions_between(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[Action]:
    """Return what the person did in the ticks, in order (the timeline)."""
    asked = _between(simulation_id, from_tick, to_tick, [agent])
    return [_action(values) for _agent, _steps, *values in rows_of(statements.TRACKS, asked)]


def _valid(rows: QuerySet[_Row], simulation_id: UUID, tick: int) -> QuerySet[_Row]:
    return rows.filter(
        Q(to_tick=None) | Q(to_tick__gt=tick), simulation_id=simulation_id, from_tick__lte=tick
    )


def _between(
    simulation_id: UUID, from_tick: int, to_tick: int | None, agents: Iterable[str] | None
) -> dict[str, object]:
    return {
        "simulation": simulation_id,
        "from_tick": from_tick,
        "to_tick": FOREVER_TICK if to_tick is None else to_tick,
        "agents": None if agents is None else list(agents),
    }


def _tiles(steps: Sequence[Sequence[int]]) -> tuple[Tile, ...]:
    return tuple((x, y) for x, y in steps)


def _action(values: Iterable[Any]) -> Action:
    *facts, kind = values
    return Action(**dict(zip(_ACTION_FIELDS, facts, strict=False)), kind=ActionKind(kind))
