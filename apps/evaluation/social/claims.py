"""Whether claims in the interviews of a survey are supported by memories (paper 7.1, E4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.news import News
from apps.interaction.models import InterviewRow
from apps.memory.events import MemoryFormed


class ClaimVerdict(StrEnum):
    """What an answer says of a piece of news, against the memories of the agent."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNAWARE = "unaware"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsClaim:
    """An answer about a piece of news, and its evidence.

    UNSUPPORTED is an answer that claims to know it although no memory holds it by then, which
    the paper calls hallucinated; FORGOTTEN one that denies it although `memory`, the number of
    a memory, holds it. `memory` is None where none does.
    """

    interview: UUID
    agent: str
    tick: int
    conditions: str
    answer: str
    verdict: ClaimVerdict
    memory: int | None


def claims_of(
    interviews: Iterable[InterviewRow], values: Iterable[str], news: News, log: Grapevine
) -> list[NewsClaim]:
    """Return the claims of answered interviews, in order of their numbers.

    :param values: the options by which an answer claims to know the news, as "yes"; an answer
        of any other value denies it, and one without a value counts as a denial.
    """
    claiming = set(values)
    found = []
    for row in sorted(interviews, key=lambda row: row.number):
        if row.state != InterviewRow.State.ANSWERED:
            continue
        first = log.knowers(news, at_tick=row.as_of_tick).get(row.agent)
        memory = None
        if first is not None:
            assert isinstance(first.event, MemoryFormed)
            memory = first.event.number
        found.append(
            NewsClaim(
                interview=row.pk,
                agent=row.agent,
                tick=row.as_of_tick,
                conditions=row.conditions,
                answer=row.answer,
                verdict=_verdict(is_claimed=row.value in claiming, is_held=first is not None),
                memory=memory,
            )
        )
    return found


def _verdict(*, is_claimed: bool, is_held: bool) -> ClaimVerdict:
    if is_claimed:
        return ClaimVerdict.SUPPORTED if is_held else ClaimVerdict.UNSUPPORTED
    return ClaimVerdict.FORGOTTEN if is_held else ClaimVerdict.UNAWARE
