"""The focus of retrievals: news, and events that the agent attended (M5, ADR 77)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.agents.queries import fixed_facts, names_of_agents
from apps.kernel.game_time import GameCalendar
from apps.memory.events import AgreementOutcome, MemoryOrigin
from apps.memory.retrieval import RankedMemory, Subject

# What agents have said to each other, what follows from it for their plans, and what a user
# has told. An opinion of the other agent is no news.
_ORIGINS_OF_NEWS = frozenset(
    {
        MemoryOrigin.UTTERANCE,
        MemoryOrigin.OVERHEARD,
        MemoryOrigin.CONVERSATION,
        MemoryOrigin.LEARNED,
        MemoryOrigin.AGREED,
        MemoryOrigin.DECLINED,
        MemoryOrigin.PLAN_NOTE,
        MemoryOrigin.PROMISED,
        MemoryOrigin.ENDED,
        MemoryOrigin.TOLD_OBSERVATION,
        MemoryOrigin.INNER_VOICE,
        MemoryOrigin.DECIDED,
        MemoryOrigin.RIGHTED,
    }
)

# A query asks about an event if so many of the first memories are about it.
_FIRST_MEMORIES = 5
_ABOUT_EVENT_MIN = 2
# A query is only taken to ask about an event: half of the tokens remain for other memories.
_SHARE_OF_EVENT = 0.5

_Period = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The subject of a retrieval, given by facts of memories and not by words.

    A memory is in focus if its number is one of `numbers`, if its origin is one of
    `origins` or it condenses one of these, or if the agent perceived, did, heard or said it
    from `from_tick` to `to_tick`. `share` is that of the tokens of the retrieval.
    """

    numbers: tuple[int, ...] = ()
    origins: frozenset[MemoryOrigin] = frozenset()
    from_tick: int | None = None
    to_tick: int | None = None
    share: float = 1.0


def news(own: Iterable[int] = ()) -> Focus:
    """Return the focus on the news that an agent has heard or wants to tell.

    `own` are the numbers of the memories of what it wants to tell.
    """
    return Focus(numbers=tuple(own), origins=_ORIGINS_OF_NEWS)


def attended_event(ranked: Sequence[RankedMemory], calendar: GameCalendar) -> Focus | None:
    """Return the event that the first of the ranked memories are about, None for none.

    It has ended, and the agent was there. A memory is about it if it has the times of the
    event, or was formed in a conversation with such a memory.
    """
    first = {memory.number for memory in ranked[:_FIRST_MEMORIES]}
    for end in ranked:
        period = _attended_period(end)
        if period is None:
            continue
        dated = [memory for memory in ranked if _period(memory) == period]
        talks = {(one.formed_tick, one.subject) for one in dated if one.subject}
        about = {one.number for one in dated} | {
            one.number for one in ranked if (one.formed_tick, one.subject) in talks
        }
        if len(first & about) >= _ABOUT_EVENT_MIN:
            starts, ends = map(calendar.tick_at, period)
            return Focus(
                numbers=(end.number,), from_tick=starts, to_tick=ends, share=_SHARE_OF_EVENT
            )
    return None


def _attended_period(memory: RankedMemory) -> _Period | None:
    """Return the times of the event whose end the memory tells, None for other memories."""
    if memory.origin is not MemoryOrigin.ENDED or memory.scheduled is None:
        return None
    was_there = memory.scheduled.outcome is AgreementOutcome.KEPT
    return _period(memory) if was_there else None


def _period(memory: RankedMemory) -> _Period | None:
    scheduled = memory.scheduled
    if scheduled is None or scheduled.starts is None or scheduled.ends is None:
        return None
    return scheduled.starts, scheduled.ends


def agent_itself(simulation_id: UUID, agent: str, *, as_of_tick: int) -> Subject:
    """Return the agent of a stream as the subject of a retrieval from it."""
    names = names_of_agents(simulation_id, as_of_tick=as_of_tick)
    others = tuple(name for slug, name in names.items() if slug != agent)
    return Subject(slug=agent, name=names.get(agent, ""), other_names=others)


def subject_of_query(
    simulation_id: UUID, agent: str, about: str, *, as_of_tick: int
) -> Subject:
    """Return the agent that a query to the stream of `agent` asks about.

    :raises AgentUnknown: if there is no such agent.
    """
    name = fixed_facts(simulation_id, about).identity.name
    if about == agent:
        return agent_itself(simulation_id, agent, as_of_tick=as_of_tick)
    return Subject(slug=about, name=name)
