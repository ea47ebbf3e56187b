"""Memories as lines of prompts: with their time, each once, without routine (M5)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from apps.agents.events import ActionKind
from apps.agents.status import Agreement
from apps.kernel.game_time import format_clock, format_short_day
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin
from apps.memory.items import MemoryItem, StoredMemory
from apps.memory.passing_on import with_terms
from apps.memory.rules import ROUTINE_IMPORTANCE, SIGHT_IMPORTANCE_MAX

_Stored = TypeVar("_Stored", bound=StoredMemory)

# What is scheduled in these is the end of what they rest on.
_DERIVED = frozenset({MemoryOrigin.INSIGHT, MemoryOrigin.CONSOLIDATION})

# A time whose line is among the longest, for the budget of a prompt.
_SOME_TIME = datetime(2023, 2, 13)

# An action of these kinds says nothing that a prompt needs, whoever performs it.
_ROUTINE = frozenset(
    {
        ActionKind.WALKING,
        ActionKind.SLEEPING,
        ActionKind.WAITING,
        ActionKind.PASSING_TIME,
        ActionKind.IDLE,
    }
)


def memory_text(memory: MemoryItem) -> str:
    """Return the line of a memory: "Mon 13 Feb 7:36 am: Mei Lin is cooking".

    A phrase of the agent's description has no time. A superseded memory is marked, and so
    is one whose scheduled time is over. For a conversation the mark says that an agreement in
    it is superseded, for an insight that its evidence has ended. The line of a repeated memory
    has the number of its perceptions and the time of the last one.
    """
    scheduled = memory.scheduled
    return _line(
        memory,
        formed=memory.formed_at,
        repeated=memory.repeated_at,
        superseded=memory.superseded_at,
        over=scheduled.ends if memory.is_over and scheduled is not None else None,
    )


def budget_line(memory: StoredMemory) -> str:
    """Return a line at least as long as that of the memory, to be counted (M5).

    What is scheduled counts as over: the budget does not depend on the game time.
    """
    return _line(
        memory,
        formed=_SOME_TIME,
        repeated=None if memory.last_repeated_tick is None else _SOME_TIME,
        superseded=None if memory.superseded is None else _SOME_TIME,
        over=None if memory.scheduled is None else _SOME_TIME,
    )


def worth_printing(memories: Iterable[_Stored]) -> list[_Stored]:
    """Return the memories without routine and repetitions, in the same order.

    Of memories of the same subject in the same words the latest is kept, at the first place.
    """
    latest: dict[tuple[str, str], _Stored] = {}
    for memory in memories:
        if is_routine(memory):
            continue
        key = (memory.subject, memory.description.casefold())
        if key not in latest or latest[key].number < memory.number:
            latest[key] = memory  # a key keeps its first place
    return list(latest.values())


def is_routine(memory: StoredMemory) -> bool:
    """Return whether a memory is of a routine action, by the kind and not by the words.

    An own planned action is routine if it is rated as purely mundane, and so is the sight of
    a conversation: what was said in it is remembered besides.
    """
    if memory.action in _ROUTINE:
        return True
    if memory.action == ActionKind.TALKING and memory.importance <= ROUTINE_IMPORTANCE:
        return True
    is_own = memory.origin == MemoryOrigin.OWN_ACTION
    return is_own and memory.importance <= ROUTINE_IMPORTANCE


def memory_texts(
    memories: Sequence[MemoryItem],
    *,
    ahead: Sequence[str] = (),
    besides: Iterable[str] = (),
    agreements: Iterable[Agreement] = (),
    done_since: datetime | None = None,
    company: Collection[str] = (),
) -> list[str]:
    """Return the lines of the memories that the prompt does not tell in another place.

    :param ahead: lines that come first, such as what the agent has in mind whenever it talks.
    :param besides: other texts of the prompt, such as the summary: a memory in words of theirs
        is left out.
    :param agreements: those that the prompt lists: that they were made is left out.
    :param done_since: from when on the prompt tells what the agent has done.
    :param company: the full names of the agents whose present action the prompt tells: small
        actions in which they were seen are left out.
    """
    printed = "\n".join((*ahead, *besides)).casefold()
    listed = {(one.starts, one.activity) for one in agreements}
    texts = (
        memory_text(memory)
        for memory in memories
        if memory.description.rstrip(" .").casefold() not in printed
        and not _is_listed(memory, listed)
        and not _is_own_deed(memory, done_since)
        and not _is_small_sight(memory, company)
    )
    return [*ahead, *texts]


def _is_listed(memory: MemoryItem, listed: Collection[tuple[datetime, str]]) -> bool:
    """Return whether the memory is of making an agreement that the prompt lists."""
    made = memory.scheduled if memory.origin is MemoryOrigin.AGREED else None
    return made is not None and (made.starts, made.activity) in listed


def _is_own_deed(memory: MemoryItem, since: datetime | None) -> bool:
    """Return whether the memory is of an own action, formed at its end after `since`."""
    is_own = memory.origin is MemoryOrigin.OWN_ACTION
    return is_own and since is not None and memory.formed_at > since


def _is_small_sight(memory: MemoryItem, company: Collection[str]) -> bool:
    """Return whether the memory is of an everyday action of one of the company."""
    is_sight = memory.origin is MemoryOrigin.PERCEIVED_AGENT
    is_small = memory.importance <= SIGHT_IMPORTANCE_MAX
    return is_sight and is_small and memory.subject_name in company


def _line(
    memory: MemoryItem | StoredMemory,
    *,
    formed: datetime,
    repeated: datetime | None,
    superseded: datetime | None,
    over: datetime | None,
) -> str:
    """Return the line of a memory with these game times."""
    text = memory.description
    if memory.passing_on:
        text = with_terms(text, memory.passing_on)
    if memory.origin != MemoryOrigin.DESCRIPTION:
        text = f"{_time_text(formed)}: {text}"
    if repeated is not None:
        text = phrase(
            "{memory} ({times} times, last on {time})",
            memory=text,
            times=memory.times,
            time=_time_text(repeated),
        )
    if superseded is None:
        return text if over is None else _over(text, memory.origin, over)
    time = _time_text(superseded)
    if memory.origin == MemoryOrigin.CONVERSATION:
        return phrase(
            "{memory} (what was agreed was superseded on {time})", memory=text, time=time
        )
    return phrase("{memory} (superseded on {time})", memory=text, time=time)


def _over(text: str, origin: str, since: datetime) -> str:
    """Return the line of a memory with a mark that its event is over, and since when."""
    if origin == MemoryOrigin.ENDED:
        return text
    if origin in _DERIVED:
        time = _time_text(since)
        return phrase("{memory} (it rests on what ended on {time})", memory=text, time=time)
    return phrase("{memory} (over)", memory=text)


def _time_text(time: datetime) -> str:
    return f"{format_short_day(time)} {format_clock(time)}"
