"""Reads an agent's day from the log and its rows, as of the committed tick."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps import history, wiring
from apps.agents import queries as agent_queries
from apps.agents.events import PlacesLearnt, TurnedAway
from apps.agents.models import ActionRow
from apps.agents.phrases import doing_text
from apps.dialogue.queries import utterances_of
from apps.dialogue.utterances import Spoken, Talk
from apps.eventlog.event import EventId
from apps.history.agent_days import PlanBranch
from apps.kernel.errors import NotFound
from apps.kernel.game_time import GameCalendar
from apps.kernel.language import use_language
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.ports import constants_of
from apps.simulation.queries import get_creation
from tools.stories.day import (
    Activity,
    Day,
    Dialogue,
    Discovery,
    Note,
    PlannedItem,
    Sighting,
    Source,
)


class DayUnknown(NotFound):
    """The agent has no plan for that day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Period:
    """The ticks [from_tick, to_tick) of one agent, and the names of all agents by slug."""

    simulation_id: UUID
    agent: str
    names: dict[str, str]
    calendar: GameCalendar
    from_tick: int
    to_tick: int

    def time_at(self, tick: int) -> datetime:
        return self.calendar.time_at(tick)


def read_day(simulation_id: UUID, agent: str, *, day: str | None = None) -> Day:
    """Return the agent's plan-day ("2023-02-13"); None for the simulation's first day.

    :raises NotFound: if there is no such simulation or agent.
    :raises DayUnknown: if the agent has no plan for that day at the committed tick.
    """
    committed = history.get_simulation(simulation_id).committed_tick
    created = get_creation(simulation_id)
    calendar = created.calendar
    row = history.get_agent(simulation_id, agent)
    day = day or f"{calendar.start:%Y-%m-%d}"
    found = history.read_day(
        simulation_id, agent, day=day, calendar=calendar, as_of_tick=committed
    )
    if found.plan is None:
        latest = history.read_day(
            simulation_id, agent, calendar=calendar, as_of_tick=committed
        ).plan
        there_is = f"the latest day is {latest.day}" if latest else "there is no plan yet"
        raise DayUnknown(f"{row.name} has planned nothing on {day}; {there_is}")
    chunks = tuple(_planned_item(branch, calendar) for branch in found.plan.branches)
    ends = min(calendar.tick_at(chunks[-1].ends), committed)
    left = row.left_tick if row.left_tick is not None and row.left_tick <= ends else None
    world = constants_of(simulation_id, wiring.worlds()).world
    people = {person.slug: person.name for person in world.agents}
    period = _Period(
        simulation_id=simulation_id,
        agent=agent,
        names=people | {one.agent: one.name for one in history.list_agents(simulation_id)},
        calendar=calendar,
        from_tick=calendar.tick_at(chunks[0].begins),
        to_tick=ends if left is None else left,
    )
    refusals, discoveries = _events(period)
    with use_language(world.language):
        sightings, notes, own = _perceptions(period)
    reflected = map(partial(_note, period), _memories(period, MemoryKind.REFLECTION))
    return Day(
        agent=row.identity,
        source=Source(
            world=created.world,
            seed=created.seed,
            model=history.model_of(simulation_id).chat_model,
        ),
        chunks=chunks,
        until=period.time_at(period.to_tick),
        left_at=None if left is None else period.time_at(left),
        activities=tuple(_activities(period, found.actions)),
        acts=_acts(period),
        sightings=sightings,
        notes=tuple(note for note in notes if note not in refusals),
        refusals=refusals,
        discoveries=discoveries,
        dialogues=tuple(_dialogues(period, found.talks)),
        thoughts=tuple(sorted((*own, *reflected), key=attrgetter("time"))),
    )


def _planned_item(branch: PlanBranch, calendar: GameCalendar) -> PlannedItem:
    item = branch.item
    return PlannedItem(
        number=item.number,
        begins=calendar.time_at(item.from_tick),
        ends=calendar.time_at(item.to_tick),
        description=item.description,
        place=item.place,
        parts=tuple(_planned_item(part, calendar) for part in branch.parts),
    )


def _activities(period: _Period, actions: Sequence[ActionRow]) -> Iterator[Activity]:
    """Yield the actions; each lasts until the next begins, the last to the period's end."""
    starts = [max(action.from_tick, period.from_tick) for action in actions]
    for action, (begins, ends) in zip(
        actions, pairwise([*starts, period.to_tick]), strict=True
    ):
        if begins < ends:
            yield Activity(
                begins=period.time_at(begins),
                ends=period.time_at(ends),
                description=action.description,
                area=action.area,
                is_walk=bool(action.towards),
                plan_item=action.plan_item,
            )


def _acts(period: _Period) -> dict[int, bool]:
    """Return whether the act of each planned action that was tried was done, by its number."""
    reports = agent_queries.reports_between(
        period.simulation_id, period.agent, from_tick=period.from_tick, to_tick=period.to_tick
    )
    over = (one for one in reports if one.plan_item and one.outcome.is_over)
    return {one.plan_item: not one.outcome.is_failure for one in over}


def _memories(period: _Period, kind: MemoryKind) -> QuerySet[Any]:
    memories = history.list_all_memories(
        period.simulation_id,
        agent=period.agent,
        as_of_tick=period.to_tick,
        kinds=[kind],
        from_tick=period.from_tick,
        to_tick=period.to_tick,
    )
    return memories.order_by("number")


def _perceptions(
    period: _Period,
) -> tuple[tuple[Sighting, ...], tuple[Note, ...], tuple[Note, ...]]:
    """Return what the agent saw of other agents, of places and objects, and what it knows now.

    The last is about other agents and no sight: the end of an agreement, or what it was told.
    """
    sightings: list[Sighting] = []
    notes: list[Note] = []
    own: list[Note] = []
    perceived = _memories(period, MemoryKind.OBSERVATION).filter(perceived=True)
    for memory in perceived.exclude(origin=MemoryOrigin.OWN_ACTION.value):
        name = period.names.get(memory.subject)
        if name is None:
            notes.append(_note(period, memory))
        elif memory.description.startswith(doing := doing_text(name, "")):
            seen = memory.description.removeprefix(doing)
            time = period.time_at(memory.formed_tick)
            sightings.append(Sighting(time=time, who=name, doing=seen))
        else:
            own.append(_note(period, memory))
    return tuple(sightings), tuple(notes), tuple(own)


def _note(period: _Period, memory: Any) -> Note:
    time = period.time_at(memory.formed_tick)
    return Note(time=time, text=memory.description, node=memory.subject)


def _events(period: _Period) -> tuple[tuple[Note, ...], tuple[Discovery, ...]]:
    """Return the agent's refused actions, and the nodes that it came to know."""
    refusals: list[Note] = []
    discoveries: list[Discovery] = []
    for recorded in wiring.event_store().read(
        period.simulation_id,
        after=EventId(period.from_tick, "", 0),
        until_tick=period.to_tick,
        streams=[period.agent],
    ):
        time, event = period.time_at(recorded.tick), recorded.event
        if isinstance(event, TurnedAway):
            refusals.append(Note(time=time, text=event.why, node=event.node))
        elif isinstance(event, PlacesLearnt):
            discoveries.append(Discovery(time=time, nodes=event.nodes))
    return tuple(refusals), tuple(discoveries)


def _dialogues(period: _Period, talks: Iterable[Talk]) -> Iterator[Dialogue]:
    """Yield the conversations in which the agent spoke first or answered, in order."""
    for talk in talks:
        utterances = utterances_of(
            period.simulation_id, talk.conversation, as_of_tick=period.to_tick
        )
        if utterances and talk.from_tick >= period.from_tick:
            yield Dialogue(
                time=period.time_at(utterances[0].tick),
                others=tuple(period.names[one] for one in _others(period, talk, utterances)),
                lines=tuple((period.names[one.agent], one.text) for one in utterances),
            )


def _others(period: _Period, talk: Talk, spoken: Sequence[Spoken]) -> Sequence[str]:
    """Return the other agents of a conversation, that of the agent's first words first."""
    everyone = (one for said in spoken for one in (said.agent, *said.hearers))
    return [one for one in dict.fromkeys((talk.other, *everyone)) if one != period.agent]
