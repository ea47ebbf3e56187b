"""Whether claims in the interviews of a survey are supported by memories (paper 7.1, E4)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.news import FollowedNews
from apps.interaction.models import InterviewRow
from apps.memory.events import MemoryFormed
from apps.work.rows import WorkState


class ClaimVerdict(StrEnum):
    """What an answer says of a piece of news, against the memories of the agent."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNAWARE = "unaware"
    FORGOTTEN = "forgotten"
    NO_VALUE = "no-value"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsClaim:
    """An answer about a piece of news, and its evidence.

    UNSUPPORTED is an answer that claims to know it although no memory holds it by then, which
    the paper calls hallucinated; FORGOTTEN one that denies it although `memory`, the number of
    a memory, holds it. NO_VALUE is an answer that says neither: it has no value, or the model
    gave no valid one. UNVERIFIED is one of an agent of which it is unknown whether its memories
    hold the news. `memory` is None where none holds the news.
    """

    interview: UUID
    agent: str
    tick: int
    conditions: str
    answer: str
    verdict: ClaimVerdict
    """`supported` claims to know what a memory holds, `unsupported` what none holds; `unaware`
    denies what none holds, `forgotten` what one holds. `no-value` has no valid value, and
    does neither. `unverified` is of an agent of which the news search has no valid answer.
    """
    memory: int | None


def claims_of(
    interviews: Iterable[InterviewRow],
    values: Iterable[str],
    news: FollowedNews,
    log: Grapevine,
    *,
    unverified: Collection[str] = (),
) -> list[NewsClaim]:
    """Return the claims of answered interviews, in order of their numbers.

    :param values: the options by which an answer claims to know the news, as "yes"; an answer
        of any other value denies it, and one without a valid value does neither.
    :param unverified: agents that may have memories of the news besides those of `news`.
    """
    claiming = set(values)
    found = []
    for row in sorted(interviews, key=lambda row: row.number):
        if row.state != WorkState.DONE:
            continue
        first = log.knowers(news, at_tick=row.as_of_tick).get(row.agent)
        memory, is_held = None, None if row.agent in unverified else False
        if first is not None:
            is_held = True
            assert isinstance(first.event, MemoryFormed)
            memory = first.event.number
        found.append(
            NewsClaim(
                interview=row.pk,
                agent=row.agent,
                tick=row.as_of_tick,
                conditions=row.conditions,
                answer=row.answer,
                verdict=_verdict(row, claiming, is_held=is_held),
                memory=memory,
            )
        )
    return found


def _verdict(
    row: InterviewRow, claiming: Collection[str], *, is_held: bool | None
) -> ClaimVerdict:
    if row.value is None or row.parse_error:
        return ClaimVerdict.NO_VALUE
    if is_held is None:
        return ClaimVerdict.UNVERIFIED
    if row.value in claiming:
        return ClaimVerdict.SUPPORTED if is_held else ClaimVerdict.UNSUPPORTED
    return ClaimVerdict.FORGOTTEN if is_held else ClaimVerdict.UNAWARE
