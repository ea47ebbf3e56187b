"""The spread of news: who knows it, by which chain of events, and who claims to (E4)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from uuid import UUID

from apps.dialogue.events import Said
from apps.evaluation.social.news import (
    NO_EVIDENCE,
    KnowledgeVerdict,
    News,
    NewsEvidence,
    description_of,
)
from apps.evaluation.social.prompt_records import evidence_in_prompt
from apps.history import Recorded
from apps.interaction.models import InterviewRow
from apps.kernel.words import content_stems
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.work.rows import WorkState


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsLink:
    """One step of a chain: `agent` learned the news at `tick` from `source`, by an event.

    `memory` is the description of the memory that holds it, `number` its number.
    """

    agent: str
    tick: int
    source: str
    event: str
    """The words or the deed of the source, under …/events."""
    memory: str
    number: int


class Unexplained(Exception):
    """An agent knows something that no event explains, or one in memories not searched."""

    def __init__(self, problem: str, *, teller_not_searched: str = "") -> None:
        super().__init__(problem)
        self.teller_not_searched = teller_not_searched


def _not_searched(teller: str) -> Unexplained:
    return Unexplained(
        f"the memories of {teller} were not searched; search all agents, or as of an earlier "
        "moment if it has left",
        teller_not_searched=teller,
    )


# The origins of memories that no agent has told.
_GIVEN = frozenset(
    {
        MemoryOrigin.DESCRIPTION,
        MemoryOrigin.INNER_VOICE,
        MemoryOrigin.DECIDED,
        MemoryOrigin.TOLD_OBSERVATION,
        MemoryOrigin.INTERVIEW,
    }
)


def _is_given(memory: Recorded) -> bool:
    """Return whether no agent has told a memory: it is of a description or of a user."""
    return getattr(memory.event, "origin", None) in _GIVEN


def _shared_words(memory: Recorded, said: Recorded) -> int:
    assert isinstance(said.event, Said)
    return len(content_stems(description_of(memory)) & content_stems(said.event.text))


class Grapevine:
    """The memories, words and deeds of a history, in which the way of news is followed.

    :param events: the log in canonical order.
    """

    def __init__(self, events: Iterable[Recorded]) -> None:
        self._events = {str(recorded.place): recorded for recorded in events}

    @cached_property
    def _streams(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            found.setdefault(recorded.stream, []).append(recorded)
        return found

    @cached_property
    def _memories(self) -> dict[str, list[Recorded]]:
        return {
            agent: [one for one in stream if isinstance(one.event, MemoryFormed)]
            for agent, stream in self._streams.items()
        }

    @cached_property
    def _said(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            if isinstance(recorded.event, Said):
                found.setdefault(recorded.event.conversation, []).append(recorded)
        return found

    def knowers(self, news: News, *, at_tick: int) -> dict[str, Recorded]:
        """Return the agents that know the news at the tick, with the first memory of it."""
        return {
            agent: first
            for agent in self._memories
            if (first := self.first_memory(news, agent, at_tick=at_tick)) is not None
        }

    def first_memory(self, news: News, agent: str, *, at_tick: int) -> Recorded | None:
        """Return the first memory of the news that an agent has at the tick, None for none."""
        return next(
            (
                memory
                for memory in self._memories.get(agent, ())
                if memory.tick <= at_tick and news.is_held_by(memory)
            ),
            None,
        )

    def chain(self, news: News, agent: str, *, at_tick: int) -> list[NewsLink]:
        """Return how the news came to an agent, from the first teller on; () for an origin.

        :raises Unexplained: if a step has no cause in what the one before said or did, or may
            have one in memories that were not searched.
        """
        links: list[NewsLink] = []
        tick = at_tick
        while True:
            first = self.first_memory(news, agent, at_tick=tick)
            if first is None:
                raise Unexplained(f"{agent} does not know of the {news.name} before {tick + 1}")
            if _is_given(first):
                return links[::-1]
            told = self._cause(news, first)
            links.append(
                NewsLink(
                    agent=agent,
                    tick=first.tick,
                    source=told.stream,
                    event=str(told.place),
                    memory=description_of(first),
                    number=_number(first),
                )
            )
            agent, tick = told.stream, told.tick - 1
            if any(link.agent == agent for link in links):
                raise Unexplained(f"{news.name}: {links} goes round in a circle")

    def _cause(self, news: News, memory: Recorded) -> Recorded:
        """Return the words or the deed of another agent that the memory came from."""
        cause = self._events.get(memory.cause)
        if cause is None:
            raise Unexplained(f"nothing told {memory.stream}: {description_of(memory)!r}")
        if isinstance(cause.event, Said):
            return self._words(news, memory, cause.event.conversation)
        if cause.stream != memory.stream:
            if not self.first_memory(news, cause.stream, at_tick=cause.tick - 1):
                if not news.is_known_of(cause.stream):
                    raise _not_searched(cause.stream)
                raise Unexplained(
                    f"{cause.stream} did what they could not know at {cause.tick}"
                )
            return cause
        conversation = getattr(cause.event, "conversation", "")
        if conversation:
            return self._words(news, memory, conversation)
        raise Unexplained(f"{memory.stream} made it up: {description_of(memory)!r}")

    def _words(self, news: News, memory: Recorded, conversation: str) -> Recorded:
        """Return the utterance of another agent that told it, whose prompt held the news."""
        heard = [
            said
            for said in self._said.get(conversation, ())
            if said.stream != memory.stream and said.tick <= memory.tick
        ]
        if not heard:
            raise Unexplained(f"no words in {conversation} told {memory.stream}")
        heard.sort(key=lambda said: _shared_words(memory, said), reverse=True)
        for said in heard:
            if self._has_in_mind(news, said):
                return said
        for said in heard:
            if not news.is_known_of(said.stream):
                raise _not_searched(said.stream)
        first = heard[0]
        raise Unexplained(f"{first.stream} said at {first.tick} what was not in mind")

    def _has_in_mind(self, news: News, said: Recorded) -> bool:
        """Return whether the prompt of the words had the news from memories of the speaker.

        They are those that were retrieved, and those that a record in it rests on.
        """
        event = said.event
        assert isinstance(event, Said)
        numbers = {*event.memories} | evidence_in_prompt(self._streams[said.stream], said)
        return any(
            news.is_held_by(kept)
            for kept in self._memories.get(said.stream, ())
            if _number(kept) in numbers and kept.tick <= said.tick
        )


def _number(memory: Recorded) -> int:
    assert isinstance(memory.event, MemoryFormed)
    return memory.event.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Knower:
    """An agent that knows the news, with the first memory that holds it.

    `chain` are the steps by which the news came to it, () for an origin. `problem` says why
    there is no chain, "" otherwise: the agent may have made it up, unless `teller_not_searched`
    names an agent whose memories would have to be searched first.
    """

    agent: str
    memory: int
    description: str
    tick: int
    is_origin: bool
    """Whether it knows it from its description or from a user."""
    chain: tuple[NewsLink, ...]
    problem: str
    teller_not_searched: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFinding:
    """The verdict on an agent, and what it rests on."""

    agent: str
    verdict: KnowledgeVerdict
    """`hallucinated`: the verifier says yes and names no memory; `unverified`: the model gave
    no valid answer. Neither counts as knowing."""
    knower: Knower | None
    """The memory and the chain of events of an agent that knows it."""
    evidence: NewsEvidence | None
    """What a news search has read and asked; None for news by words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diffusion:
    """Who knows a piece of news as of the end of a tick, and who does not, by slug.

    The news is found by its words, or by the memories that a search has verified.
    """

    news: str
    as_of_tick: int
    findings: tuple[AgentFinding, ...]

    @property
    def knowers(self) -> tuple[Knower, ...]:
        """The agents that know it."""
        return tuple(one.knower for one in self.findings if one.knower is not None)

    @property
    def unaware(self) -> tuple[str, ...]:
        """The other agents, whatever the verdict on them."""
        return tuple(one.agent for one in self.findings if one.knower is None)

    @property
    def agents(self) -> int:
        """The number of agents."""
        return len(self.findings)

    @property
    def knowing(self) -> int:
        """The number of agents that know it."""
        return self.count(KnowledgeVerdict.KNOWS)

    @property
    def hallucinated(self) -> int:
        """The number of agents that a verifier believes to know it, without a memory."""
        return self.count(KnowledgeVerdict.HALLUCINATED)

    @property
    def unverified(self) -> int:
        """The number of agents of which a model gave no valid answer."""
        return self.count(KnowledgeVerdict.UNVERIFIED)

    def count(self, verdict: KnowledgeVerdict) -> int:
        """Return the number of agents with the verdict."""
        return sum(one.verdict is verdict for one in self.findings)

    @property
    def share(self) -> float | None:
        """The share of the agents that know, 0 to 1; None without agents."""
        return self.knowing / self.agents if self.agents else None

    @property
    def unexplained(self) -> int:
        """The number of knowers without a chain of events, whose tellers were all searched."""
        return sum(
            bool(knower.problem) and not knower.teller_not_searched for knower in self.knowers
        )


def diffusion(
    grapevine: Grapevine, news: News, agents: Iterable[str], *, as_of_tick: int
) -> Diffusion:
    """Return the diffusion of the news among agents, given by slug."""
    findings = []
    for agent in sorted(set(agents)):
        first = grapevine.first_memory(news, agent, at_tick=as_of_tick)
        evidence = (news.searched or {}).get(agent)
        findings.append(
            AgentFinding(
                agent=agent,
                verdict=(evidence or NO_EVIDENCE).verdict(has_memory=first is not None),
                knower=None if first is None else _knower(grapevine, news, first, as_of_tick),
                evidence=evidence,
            )
        )
    return Diffusion(news=news.name, as_of_tick=as_of_tick, findings=tuple(findings))


def _knower(grapevine: Grapevine, news: News, first: Recorded, as_of_tick: int) -> Knower:
    """Return the agent whose first memory of the news this is, with the chain of events."""
    chain: tuple[NewsLink, ...] = ()
    problem = teller = ""
    try:
        chain = tuple(grapevine.chain(news, first.stream, at_tick=as_of_tick))
    except Unexplained as error:
        problem, teller = str(error), error.teller_not_searched
    return Knower(
        agent=first.stream,
        memory=_number(first),
        description=description_of(first),
        tick=first.tick,
        is_origin=_is_given(first),
        chain=chain,
        problem=problem,
        teller_not_searched=teller,
    )


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
    news: News,
    log: Grapevine,
) -> list[NewsClaim]:
    """Return the claims of answered interviews, in order of their numbers.

    :param values: the options by which an answer claims to know the news, as "yes"; an answer
        of any other value denies it, and one without a valid value does neither.
    """
    claiming = set(values)
    found = []
    for row in sorted(interviews, key=lambda row: row.number):
        if row.state != WorkState.DONE:
            continue
        first = log.first_memory(news, row.agent, at_tick=row.as_of_tick)
        memory, is_held = None, None if row.agent in news.unverified else False
        if first is not None:
            memory, is_held = _number(first), True
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
