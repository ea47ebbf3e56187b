"""The lasting facts and the summary description of the agent in a turn, and their changes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from apps.agents.summary import AgentSummary, Identity, LastingFacts
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.commands import agent_summary, establish_facts, renew_summary
from apps.memory.events import FactChange, FactEstablished, FactSource, ScheduledActivity
from apps.memory.facts import Fact, changed_fact, end_of, lasting_facts, with_events
from apps.simulation.ports import Constants
from apps.simulation.turn.context.outcome import Turn


def facts_described(
    llm: AgentLLM, constants: Constants, agent: Identity, phrases: Sequence[str], *, tick: int
) -> list[FactEstablished]:
    """Return the facts of the phrases of the agent's description, as of the tick.

    Its ties are to the other people of the world. An agent that joins later is not among them:
    its ties come from its own description alone.
    """
    return establish_facts(
        llm,
        agent,
        phrases,
        others={one.name: one.slug for one in constants.world.agents if one.slug != agent.slug},
        today=constants.calendar.time_at(tick).date(),
    )


def known_by_facts(facts: Sequence[FactEstablished]) -> dict[int, dict[str, Any]]:
    """Return what the facts say of the memories of a description, by their numbers (ADR 78).

    These are fields of `MemoryFormed`: the end of what a phrase says, and that it is a secret.
    """
    known: dict[int, dict[str, Any]] = {
        number: {"scheduled": ScheduledActivity(activity="", ends=ends)}
        for number, ends in ends_by_evidence(facts).items()
    }
    for fact in facts:
        if fact.passing_on:
            for number in fact.evidence:
                known.setdefault(number, {})["passing_on"] = fact.passing_on
    return known


def ends_by_evidence(facts: Sequence[Fact] | Sequence[FactEstablished]) -> dict[int, datetime]:
    """Return the ends of the memories that are evidence of dated facts, by their numbers.

    A memory ends with the last of these facts, or never if one of its facts has no end.
    """
    lasting = {number for fact in facts if not fact.until for number in fact.evidence}
    ends: dict[int, datetime] = {}
    for fact in facts:
        last = end_of(fact.until)
        if last is not None:
            for number in set(fact.evidence) - lasting:
                ends[number] = max(last, ends.get(number, last))
    return ends


def facts_now(turn: Turn) -> dict[int, Fact]:
    """Return the facts by number, the changes of this turn included."""
    return with_events(turn.records.facts, (new.event for new in turn.events))


def lasting_facts_now(turn: Turn) -> LastingFacts:
    """Return the sentences of the facts that hold now."""
    return lasting_facts(facts_now(turn).values(), turn.calendar, turn.tick)


def next_fact(turn: Turn) -> int:
    """Return the next free number of a fact."""
    new = [one.event.number for one in turn.events if isinstance(one.event, FactEstablished)]
    return max(new) + 1 if new else turn.records.next_fact


def change_fact(
    turn: Turn,
    change: FactChange,
    *,
    sentence: str,
    evidence: tuple[int, ...],
    source: FactSource,
    cause: str,
    passing_on: str = "",
) -> Turn:
    """Return the turn with the event of the change, unless nothing changes."""
    event = changed_fact(
        facts_now(turn),
        change,
        sentence=sentence,
        evidence=evidence,
        source=source,
        next_number=next_fact(turn),
        passing_on=passing_on,
    )
    return turn if event is None else turn.record(event, cause=cause)


def with_summary(turn: Turn) -> tuple[Turn, AgentSummary]:
    """Return the turn with a summary description, renewed if it is due, and the summary.

    A reflection makes it due: a summary of the same turn was made before the reflection.
    """
    if turn.summary is not None:
        return turn, turn.summary
    records = turn.records
    lasting = lasting_facts_now(turn)
    current = records.summary
    if current is not None and current.due_tick > turn.tick:
        reflected = records.last_reflected
        if reflected is None or reflected < current.from_tick:
            return _with(turn, agent_summary(turn.identity, current, lasting))
    settings = turn.settings
    renewed = renew_summary(
        turn.llm,
        turn.identity,
        turn.retrieval,
        items=turn.items,
        lasting=lasting,
        now=turn.now,
        due_tick=turn.tick + turn.ticks_of(minutes=settings.summary_refresh_hours * 60),
        token_budget=settings.retrieval_tokens,
    )
    turn = turn.record(renewed)
    return _with(turn, agent_summary(turn.identity, renewed, lasting))


def _with(turn: Turn, summary: AgentSummary) -> tuple[Turn, AgentSummary]:
    return replace(turn, summary=summary), summary
