"""The summary description of the agent in a turn: the current one, or a renewed one (S1)."""

from dataclasses import replace

from apps.agents.summary import AgentSummary
from apps.memory.summary.commands import agent_summary, renew_summary
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.fact_changes import lasting_facts_now


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
