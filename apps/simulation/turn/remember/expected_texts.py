"""The texts that a turn and the next ones need vectors of, as far as they are known (ADR 38).

They are embedded along with the first request of the turn, so that it is mostly the only one.
"""

from collections.abc import Iterator

from apps.agents.phrases import doing_text
from apps.llm.cleaning import clean_text
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.query_texts import hour_query, standing_queries
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.routine import is_detail


def expect_texts(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Announce the memories so far, the standing queries, and what the new plan will need."""
    context.llm.expect(map(clean_text, _texts(context, outcome)))
    return outcome


def _texts(context: TurnContext, outcome: TurnOutcome) -> Iterator[str]:
    name = context.identity.name
    today = context.plan_day_of(context.tick)
    yield from standing_queries(name, today)
    for memory in outcome.memories:
        yield memory.draft.description
    for new in outcome.events:
        if isinstance(new.event, HoursPlanned):
            yield from (
                hour_query(name, hour.description)
                for hour in new.event.items
                if not hour.asleep
            )
        elif isinstance(new.event, ActionsPlanned):
            yield from (
                doing_text(name, action.description)
                for action in new.event.items
                if is_detail(action.act, action.with_agents, action.importance)
            )
