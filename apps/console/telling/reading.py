"""Reads a person's day from the log and its rows, as of the settled tick."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import ClassVar
from uuid import UUID

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import PlacesLearnt, TurnedAway
from apps.agents.models import AgentRow
from apps.console.telling.day import (
    Day,
    Deed,
    Learnt,
    Person,
    Planned,
    Remark,
    Sight,
    Source,
    Thought,
    Words,
)
from apps.dialogue import queries as dialogue_queries
from apps.eventlog.event import EventId, Recorded
from apps.kernel.errors import NotFound
from apps.kernel.game_time import GameCalendar
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.queries import MemoryOrder
from apps.planning import queries as plan_queries
from apps.planning.queries import PlanBranch
from apps.simulation import queries


class DayUnknown(NotFound):
    """The person has planned no such day."""

    code: ClassVar[str] = "day-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """Whose stretch of ticks is read: [from_tick, to_tick)."""

    simulation_id: UUID
    agent: str
    calendar: GameCalendar
    from_tick: int
    to_tick: int

    def time_at(self, tick: int) -> datetime:
        return self.calendar.time_at(tick)


def read_day(simulation_id: UUID, agent: str, *, day: str | None = None) -> Day:
    """Return the person's plan-day ("2023-02-13"; the simulation's first if none is named).

    :raises NotFound: if there is no such simulation, or nobody of that slug in it.
    :raises DayUnknown: if the person planned nothing on that day, as far as is settled.
    """
    settled = queries.get_simulation(simulation_id).settled_tick
    founded = queries.get_creation(simulation_id)
    calendar = queries.calendar_of(simulation_id)
    row = agent_queries.get_agent(simulation_id, agent)
    chunks = _chunks(simulation_id, row, day or f"{calendar.start:%Y-%m-%d}", settled, calendar)
    ends = min(calendar.tick_at(chunks[-1].ends), settled)
    has_left = row.left_tick is not None and row.left_tick <= ends
    span = _Span(
        simulation_id=simulation_id,
        agent=agent,
        calendar=calendar,
        from_tick=calendar.tick_at(chunks[0].begins),
        to_tick=row.left_tick if row.left_tick is not None and has_left else ends,
    )
    told = tuple(_events(span))
    turned_away = tuple(_turned_away(span, told))
    sights, remarks = _perceived(span)
    return Day(
        person=_person(row),
        source=Source(
            world=founded.world,
            seed=founded.seed,
            model=queries.model_of(simulation_id).chat_model,
        ),
        chunks=chunks,
        told_to=span.time_at(span.to_tick),
        left_at=span.time_at(span.to_tick) if has_left else None,
        deeds=tuple(_deeds(span)),
        sights=sights,
        remarks=tuple(seen for seen in remarks if seen not in turned_away),
        turned_away=turned_away,
        learnt=tuple(_learnt(span, told)),
        words=tuple(_words(span)),
        thoughts=tuple(_thoughts(span)),
    )


def _chunks(
    simulation_id: UUID, row: AgentRow, day: str, settled: int, calendar: GameCalendar
) -> tuple[Planned, ...]:
    tree = plan_queries.plan_of_day(simulation_id, row.agent, day=day, as_of_tick=settled)
    if tree is None:
        latest = plan_queries.latest_day(simulation_id, row.agent, as_of_tick=settled)
        there_is = f"the latest day is {latest}" if latest else "there is no plan yet"
        raise DayUnknown(f"{row.name} has planned nothing on {day}; {there_is}")
    return tuple(_planned(branch, calendar) for branch in tree.branches)


def _planned(branch: PlanBranch, calendar: GameCalendar) -> Planned:
    item = branch.item
    return Planned(
        number=item.number,
        begins=calendar.time_at(item.from_tick),
        ends=calendar.time_at(item.to_tick),
        description=item.description,
        place=item.place,
        parts=tuple(_planned(part, calendar) for part in branch.parts),
    )


def _person(row: AgentRow) -> Person:
    return Person(
        name=row.name,
        age=row.age,
        traits=tuple(row.traits),
        home=row.home,
        workplace=row.workplace,
    )


def _deeds(span: _Span) -> Iterator[Deed]:
    """Yield what was done; each lasts until the next begins, the last to the span's end."""
    actions = agent_queries.actions_between(
        span.simulation_id, span.agent, from_tick=span.from_tick, to_tick=span.to_tick
    )
    begun = [max(action.from_tick, span.from_tick) for action in actions]
    for action, (begins, ends) in zip(actions, pairwise([*begun, span.to_tick]), strict=True):
        if begins < ends:
            yield Deed(
                begins=span.time_at(begins),
                ends=span.time_at(ends),
                description=action.description,
                area=action.area,
                is_walk=bool(action.towards),
                plan_item=action.plan_item,
            )


def _perceived(span: _Span) -> tuple[tuple[Sight, ...], tuple[Remark, ...]]:
    """Return what the person perceived of others, and of places and things."""
    people = {row.agent: row.name for row in agent_queries.list_agents(span.simulation_id)}
    rows = memory_queries.list_memories(
        span.simulation_id,
        span.agent,
        as_of_tick=span.to_tick,
        kinds=[MemoryKind.OBSERVATION],
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        order=MemoryOrder.OLDEST,
    )
    sights: list[Sight] = []
    remarks: list[Remark] = []
    for row in rows.filter(perceived=True):
        time, name = span.time_at(row.formed_tick), people.get(row.subject)
        if name is None:
            remarks.append(Remark(time=time, node=row.subject, words=row.description))
        else:
            doing = row.description.removeprefix(f"{name} is ")
            sights.append(Sight(time=time, who=name, doing=doing))
    return tuple(sights), tuple(remarks)


def _events(span: _Span) -> Iterator[Recorded]:
    return wiring.event_store().read(
        span.simulation_id,
        after=EventId(span.from_tick, "", 0),
        until_tick=span.to_tick,
        streams=[span.agent],
    )


def _turned_away(span: _Span, told: Iterable[Recorded]) -> Iterator[Remark]:
    for recorded in told:
        if isinstance(event := recorded.event, TurnedAway):
            time = span.time_at(recorded.tick)
            yield Remark(time=time, node=event.node, words=event.why)


def _learnt(span: _Span, told: Iterable[Recorded]) -> Iterator[Learnt]:
    for recorded in told:
        if isinstance(event := recorded.event, PlacesLearnt):
            yield Learnt(time=span.time_at(recorded.tick), nodes=event.nodes)


def _words(span: _Span) -> Iterator[Words]:
    """Yield the conversations that the person began, or answered in, in order."""
    people = {row.agent: row.name for row in agent_queries.list_agents(span.simulation_id)}
    voices = dialogue_queries.voices(
        span.simulation_id, from_tick=span.from_tick, to_tick=span.to_tick, agents=[span.agent]
    )
    for talk in voices.talks:
        spoken = dialogue_queries.utterances_of(
            span.simulation_id, talk.conversation, as_of_tick=span.to_tick
        )
        if spoken and talk.from_tick >= span.from_tick:
            yield Words(
                time=span.time_at(spoken[0].tick),
                other=people[talk.other],
                lines=tuple((people[said.agent], said.text) for said in spoken),
            )


def _thoughts(span: _Span) -> Iterator[Thought]:
    rows = memory_queries.list_memories(
        span.simulation_id,
        span.agent,
        as_of_tick=span.to_tick,
        kinds=[MemoryKind.REFLECTION],
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        order=MemoryOrder.OLDEST,
    )
    for row in rows:
        yield Thought(time=span.time_at(row.formed_tick), words=row.description)
