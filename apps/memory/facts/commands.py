"""Establishing the lasting facts in an agent's description (ADR 53)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from apps.agents.summary import Identity
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.facts.events import FactEstablished, FactKind, FactSource
from apps.memory.facts.llm_tasks import FACTS, FactsInput, LastingFactsFound
from apps.memory.facts.rules import canonical_until


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
            _fact(FactKind.ROUTINE, [number], phrases)
            for number in dict.fromkeys(found.routines)
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
    )
