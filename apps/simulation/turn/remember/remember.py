"""Remember: form or count the memories of the turn, record what was rated and retrieved.

Requirements M1 to M4; an observation in the words of an earlier one is counted (ADR 45). The
texts that a turn and the next ones need vectors of, as far as they are known, are embedded
along with its first request, so that it is mostly the only one (ADR 38).
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any

from apps.agents.events import PlacesLearnt
from apps.agents.phrases import doing_text
from apps.kernel.game_time import format_date
from apps.kernel.language import phrase
from apps.llm.cleaning import clean_text
from apps.memory.commands import (
    core_characteristics_query,
    daily_occupation_query,
    recent_progress_query,
)
from apps.memory.events import MemoriesRepeated, MemoryOrigin
from apps.memory.formation import form_memories, stored_description
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.remember.activities import is_detail
from apps.world.norms import with_ancestors


def remember_or_count(turn: Turn, description: str, **facts: Any) -> Turn:
    """Count the memory of the same subject and origin in these words, or form one (M1, ADR 45).

    `facts` are the other fields of `Turn.with_memory`.
    """
    return remember_numbered(turn, description, **facts)[0]


def remember_numbered(
    turn: Turn,
    description: str,
    *,
    origin: MemoryOrigin,
    subject: str = "",
    cause: str = "",
    **facts: Any,
) -> tuple[Turn, int]:
    """Do as `remember_or_count`, and return the number of the memory too."""
    words = stored_description(description)
    earlier = turn.retrieval.earlier(words, subject=subject, origin=origin)
    if earlier is not None:
        return turn.with_repetition(earlier, cause=cause), earlier
    turn = turn.with_memory(description, origin=origin, subject=subject, cause=cause, **facts)
    return turn, turn.last_memory


def remember(turn: Turn) -> Turn:
    """Form and count memories, and record the ratings and the retrievals of the turn."""
    expect_texts(turn)
    drafts = [memory.draft for memory in turn.memories]
    formed = form_memories(drafts, turn.llm, turn.model)
    for event, memory in zip(formed, turn.memories, strict=True):
        turn = turn.record(event, cause=memory.cause)
    ordered = sorted(turn.repetitions, key=lambda one: (one.cause, one.number))
    for cause, repeated in groupby(ordered, key=lambda one: one.cause):
        again = MemoriesRepeated(numbers=tuple(one.number for one in repeated))
        turn = turn.record(again, cause=cause)
    return replace(turn, events=(*turn.events, *turn.retrieval.events()))


def rate_perceptions(turn: Turn) -> Turn:
    """Rate what is not rated yet, because a reflection depends on it (R1)."""
    turn.retrieval.rate()
    return turn


def agreed_query(name: str, day: str) -> str:
    """Return the query for what was agreed to for a day, which is "2023-02-13" or the like."""
    on_day = format_date(date.fromisoformat(day))
    return phrase(
        "what {name} agreed to, is invited to and plans on {date}", name=name, date=on_day
    )


def usual_day_query(name: str) -> str:
    """Return the query for the outline of a day."""
    return phrase("what {name} does on a usual day, where and when", name=name)


def hour_query(name: str, activity: str) -> str:
    """Return the query for the actions of an hour."""
    return phrase("{name} is about to {activity}", name=name, activity=activity)


def news_query(name: str) -> str:
    """Return the query for what the agent has to tell."""
    return phrase("news that {name} has heard or wants to tell", name=name)


def standing_queries(name: str, day: str) -> Iterator[str]:
    """Yield the queries that the agent of the full name makes again and again on the day."""
    yield core_characteristics_query(name)
    yield daily_occupation_query(name)
    yield recent_progress_query(name)
    yield usual_day_query(name)
    yield agreed_query(name, day)
    yield news_query(name)


def expect_texts(turn: Turn) -> Turn:
    """Announce the memories so far, the standing queries, and what the new plan will need."""
    turn.llm.expect(map(clean_text, _texts(turn)))
    return turn


def _texts(turn: Turn) -> Iterator[str]:
    name = turn.identity.name
    today = turn.plan_day_of(turn.tick)
    yield from standing_queries(name, today)
    for memory in turn.memories:
        yield memory.draft.description
    for new in turn.events:
        if isinstance(new.event, HoursPlanned):
            yield from (
                hour_query(name, hour.description)
                for hour in new.event.items
                if not hour.asleep
            )
        elif isinstance(new.event, ActionsPlanned):
            yield from (
                doing_text(name, action.description)
                for action in new.event.items
                if is_detail(action.act, action.with_agents, action.importance)
            )


def learn_place(turn: Turn, path: str, *, cause: str = "") -> Turn:
    """Learn the node of the path and the nodes above it (W3)."""
    unknown = sorted(with_ancestors(turn.tree, [path]) - turn.known)
    if not unknown:
        return turn
    return turn.record(PlacesLearnt(nodes=tuple(unknown)), cause=cause)
