"""The lasting facts and the summary description of the agent in a turn, and their changes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from apps.agents.summary import AgentSummary, Identity, LastingFacts
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.commands import agent_summary, establish_facts, renew_summary
from apps.memory.events import FactChange, FactEstablished, FactSource, ScheduledActivity
from apps.memory.facts import Fact, changed_fact, end_of, lasting_facts, with_events
from apps.simulation.ports import Constants
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext


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


def scheduled_by_facts(facts: Sequence[FactEstablished]) -> dict[int, ScheduledActivity]:
    """Return the end of what phrases of a description say, by their numbers (ADR 78)."""
    return {
        number: ScheduledActivity(activity="", ends=ends)
        for number, ends in ends_by_evidence(facts).items()
    }


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


def facts_now(context: TurnContext, outcome: TurnOutcome) -> dict[int, Fact]:
    """Return the facts by number, the changes of this turn included."""
    return with_events(context.records.facts, (new.event for new in outcome.events))


def lasting_facts_now(context: TurnContext, outcome: TurnOutcome) -> LastingFacts:
    """Return the sentences of the facts that hold now."""
    return lasting_facts(
        facts_now(context, outcome).values(), context.constants.calendar, context.tick
    )


def next_fact(context: TurnContext, outcome: TurnOutcome) -> int:
    """Return the next free number of a fact."""
    new = [one.event.number for one in outcome.events if isinstance(one.event, FactEstablished)]
    return max(new) + 1 if new else context.records.next_fact


def change_fact(
    context: TurnContext,
    outcome: TurnOutcome,
    change: FactChange,
    *,
    sentence: str,
    evidence: tuple[int, ...],
    source: FactSource,
    cause: str,
) -> TurnOutcome:
    """Return the outcome with the event of the change, unless nothing changes."""
    event = changed_fact(
        facts_now(context, outcome),
        change,
        sentence=sentence,
        evidence=evidence,
        source=source,
        next_number=next_fact(context, outcome),
    )
    return outcome if event is None else record(context, outcome, event, cause=cause)


def with_summary(
    context: TurnContext, outcome: TurnOutcome
) -> tuple[TurnOutcome, AgentSummary]:
    """Return the outcome with a summary description, renewed if it is due, and the summary.

    A reflection makes it due: a summary of the same turn was made before the reflection.
    """
    if outcome.summary is not None:
        return outcome, outcome.summary
    records = context.records
    lasting = lasting_facts_now(context, outcome)
    current = records.summary
    if current is not None and current.due_tick > context.tick:
        reflected = records.last_reflected
        if reflected is None or reflected < current.from_tick:
            return _with(outcome, agent_summary(context.identity, current, lasting))
    settings = context.constants.settings
    renewed = renew_summary(
        context.llm,
        context.identity,
        context.retrieval,
        items=context.items,
        lasting=lasting,
        now=context.now,
        due_tick=context.tick + context.ticks_of(minutes=settings.summary_refresh_hours * 60),
        token_budget=settings.retrieval_tokens,
    )
    outcome = record(context, outcome, renewed)
    return _with(outcome, agent_summary(context.identity, renewed, lasting))


def _with(outcome: TurnOutcome, summary: AgentSummary) -> tuple[TurnOutcome, AgentSummary]:
    return replace(outcome, summary=summary), summary
