"""The choice of memories for a prompt from rankings of all (M5, ADR 44)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from apps.kernel.game_time import GameCalendar
from apps.llm.tokens import count_fitting
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.focus import Focus, attended_event
from apps.memory.prompt_lines import budget_line, worth_printing
from apps.memory.retrieval import RankedMemory, Subject
from apps.memory.retrieval_settings import RetrievalSettings
from apps.memory.rules import (
    CANDIDATES_MAX,
    CONDENSED_IMPORTANCE_MAX,
    CONDENSED_RELEVANCE_MIN,
    MEMORIES_PER_PROMPT_MAX,
    NEVER_CONDENSED,
    STATEMENT_RELEVANCE_MIN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The memories that a prompt has, in order, and all that were ranked for it.

    `ranked` begins with those about the subject of the retrieval; the others follow by score.
    """

    in_prompt: Sequence[RankedMemory]
    ranked: Sequence[RankedMemory]


def choose_memories(  # noqa: PLR0913 (a choice depends on all of them)
    rank: Callable[..., list[RankedMemory]],
    settings: RetrievalSettings,
    purpose: str,
    *,
    token_budget: int,
    calendar: GameCalendar,
    subject: Subject | Focus | None = None,
    condensed_tick: int = NEVER_CONDENSED,
    limit: int = CANDIDATES_MAX,
) -> Choice:
    """Return the choice for a prompt of the purpose.

    `rank` returns a ranking; it takes a `limit` and a `subject`, as `retrieve` does. A prompt
    has at most MEMORIES_PER_PROMPT_MAX, without routine and repetitions; the first whose line
    does not fit into the tokens ends the list. With a `subject` it begins with the memories
    about it that fit into their share of the tokens. Without one, that is the event that the
    best memories are about, if the agent was there (`attended_event`). Up to `limit` memories
    are ranked, of which CANDIDATES_MAX are candidates.
    """

    def fitting(memories: Iterable[RankedMemory], tokens: int) -> list[RankedMemory]:
        printed = worth_printing(memories)
        if settings.condensed_memories == "left out":
            printed = without_condensed(printed, condensed_tick)
        printed = printed[:MEMORIES_PER_PROMPT_MAX]
        return printed[: count_fitting(list(map(budget_line, printed)), tokens)]

    ranked = rank(limit=max(limit, CANDIDATES_MAX))
    candidates, about = ranked[:CANDIDATES_MAX], list[RankedMemory]()
    if subject is None and settings.looks_for_event(purpose):
        subject = attended_event(candidates, calendar)
    if settings.leaves_out_distant(purpose):
        candidates = without_distant_statements(candidates)
    share = settings.share_of(subject)
    if share > 0:
        about = fitting(rank(limit=CANDIDATES_MAX, subject=subject), int(token_budget * share))
    return Choice(
        in_prompt=fitting(combined(about, candidates), token_budget),
        ranked=combined(about, ranked)[:limit],
    )


def without_condensed(
    memories: Iterable[RankedMemory], condensed_tick: int
) -> list[RankedMemory]:
    """Return the memories without those of little importance that were condensed by the tick.

    A memory that is relevant to the query stays (CONDENSED_RELEVANCE_MIN).
    """
    return [
        one
        for one in memories
        if max(one.formed_tick, one.last_repeated_tick or 0) > condensed_tick
        or one.importance > CONDENSED_IMPORTANCE_MAX
        or one.kind == MemoryKind.REFLECTION
        or one.origin == MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= CONDENSED_RELEVANCE_MIN
    ]


def without_distant_statements(memories: Iterable[RankedMemory]) -> list[RankedMemory]:
    """Return the memories without the phrases of the description that are not relevant.

    They are of great importance, so that they would fill the window of each query.
    """
    return [
        one
        for one in memories
        if one.origin != MemoryOrigin.DESCRIPTION
        or one.parts.relevance.scaled >= STATEMENT_RELEVANCE_MIN
    ]


def combined(
    first: Iterable[RankedMemory], others: Iterable[RankedMemory]
) -> list[RankedMemory]:
    """Return the memories of both, each once, in this order."""
    return list({memory.number: memory for memory in (*first, *others)}.values())
