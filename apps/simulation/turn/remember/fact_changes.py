"""The lasting facts of the agent in a turn, and their changes (ADR 53)."""

from collections.abc import Sequence
from datetime import datetime

from apps.agents.identity import Identity
from apps.agents.summary import LastingFacts
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.events import ScheduledActivity
from apps.memory.facts.commands import establish_facts
from apps.memory.facts.events import FactChange, FactEstablished, FactSource
from apps.memory.facts.rules import Fact, changed_fact, end_of, lasting_facts, with_events
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
