"""The commands that ask a model: lasting facts of a description, and the summary (S1)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from apps.agents.summary import NO_FACTS, AgentSummary, Identity, LastingFacts
from apps.kernel.language import phrase
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import (
    SUMMARY_PURPOSES,
    FactEstablished,
    FactKind,
    FactSource,
    SelfSummarised,
)
from apps.memory.facts import canonical_until
from apps.memory.items import SummaryInput, ToItems
from apps.memory.llm_tasks.facts import FACTS, FactsInput, LastingFactsFound
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.memory.passing_on import IN_CONFIDENCE
from apps.memory.queries import CurrentSummary
from apps.memory.retrieval import RankedMemory
from apps.memory.retrieval_session import RetrievalSession
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT


def establish_facts(
    llm: AgentLLM,
    agent: Identity,
    phrases: Sequence[str],
    *,
    others: Mapping[str, str],
    today: date,
) -> list[FactEstablished]:
    """Return the facts of the phrases of a description, which are the memories from 1 on.

    It is one call. `others` are the slugs of the other agents by full name.
    """
    if not phrases:
        return []
    inputs = FactsInput(
        agent_name=agent.name,
        today=today,
        statements=tuple(phrases),
        others=tuple(others),
    )
    return facts_of(llm.ask(FACTS, inputs), phrases, others)


def facts_of(
    found: LastingFactsFound, phrases: Sequence[str], others: Mapping[str, str]
) -> list[FactEstablished]:
    """Return the facts of an answer, in its order; one tie for each other agent."""
    ties = {one.other: one for one in reversed(found.ties) if one.other in others}
    facts = [
        *([_fact(FactKind.OCCUPATION, found.occupation, phrases)] if found.occupation else ()),
        *(
            replace(
                _fact(FactKind.PURSUIT, one.because_of, phrases),
                until=canonical_until(one.until),
            )
            for one in found.pursuits
        ),
        *(
            _fact(kind, [number], phrases)
            for kind, numbers in (
                (FactKind.ROUTINE, found.routines),
                (FactKind.INTENTION, found.intentions),
                (FactKind.SECRET, found.secrets),
                (FactKind.STATE, found.states),
            )
            for number in dict.fromkeys(numbers)
        ),
        *(
            replace(
                _fact(FactKind.RELATIONSHIP, one.because_of, phrases),
                other=others[name],
                tie=one.tie,
                standing=one.standing,
            )
            for name, one in reversed(ties.items())
        ),
    ]
    return [replace(fact, number=number) for number, fact in enumerate(facts, start=1)]


def _fact(kind: FactKind, because_of: Sequence[int], phrases: Sequence[str]) -> FactEstablished:
    """Return the fact of the phrases with these numbers, with the number 0."""
    evidence = tuple(dict.fromkeys(because_of))
    return FactEstablished(
        number=0,
        kind=kind,
        statements=tuple(phrases[number - 1] for number in evidence),
        evidence=evidence,
        source=FactSource.DESCRIPTION,
        passing_on=IN_CONFIDENCE if kind is FactKind.SECRET else "",
    )


def core_characteristics_query(name: str) -> str:
    """Return the query for the core characteristics of the agent of the full name."""
    return phrase("{name}'s core characteristics", name=name)


def daily_occupation_query(name: str) -> str:
    """Return the query for the daily occupation of the agent."""
    return phrase("{name}'s current daily occupation", name=name)


def recent_progress_query(name: str) -> str:
    """Return the query for the agent's feeling about its progress."""
    return phrase("{name}'s feeling about their recent progress in life", name=name)


SHARES_OF_BUDGET = 2
# The queries of the three summaries, each with its purpose.
_QUERIES = tuple(
    zip(
        SUMMARY_PURPOSES,
        (core_characteristics_query, daily_occupation_query, recent_progress_query),
        strict=True,
    )
)


# Both have the three summaries of memories.
SummaryParts = SelfSummarised | CurrentSummary


def agent_summary(
    identity: Identity, renewed: SummaryParts | None, lasting: LastingFacts = NO_FACTS
) -> AgentSummary:
    """Return the summary description, of the identity alone if `renewed` is None."""
    return AgentSummary(
        name=identity.name,
        age=identity.age,
        traits=identity.traits,
        core=renewed.core if renewed else "",
        occupation=renewed.occupation if renewed else "",
        feeling=renewed.feeling if renewed else "",
        lasting=lasting,
    )


def renew_summary(  # noqa: PLR0913 (the parts of a summary)
    llm: AgentLLM,
    identity: Identity,
    retrieval: RetrievalSession,
    *,
    items: ToItems,
    now: datetime,
    due_tick: int,
    lasting: LastingFacts = NO_FACTS,
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
) -> SelfSummarised:
    """Return the event of a new summary, after three retrievals and one call.

    Each retrieval has half of `token_budget`: they overlap, and a memory that several of them
    find is given once. `items` converts retrieved memories; `lasting` holds besides. Without
    memories all summaries are "".
    """
    memories = items(_retrieved(retrieval, identity.name, token_budget).values())
    renewed = SelfSummarised(core="", occupation="", feeling="", text="", due_tick=due_tick)
    if memories:
        answer = llm.ask(
            SUMMARIES,
            SummaryInput(agent_name=identity.name, now=now, memories=memories, lasting=lasting),
        )
        renewed = replace(
            renewed,
            core=one_line(answer.core),
            occupation=one_line(answer.occupation),
            feeling=one_line(answer.feeling),
        )
    return replace(renewed, text=agent_summary(identity, renewed).text)


def _retrieved(
    retrieval: RetrievalSession, name: str, token_budget: int
) -> dict[int, RankedMemory]:
    """Return the memories for the three queries by number, those of the first query first."""
    retrieval.embed([query(name) for _, query in _QUERIES])
    itself = retrieval.itself()
    return {
        memory.number: memory
        for purpose, query in _QUERIES
        for memory in retrieval.retrieve(
            query(name),
            purpose,
            token_budget=token_budget // SHARES_OF_BUDGET,
            subject=itself,
        )
    }
