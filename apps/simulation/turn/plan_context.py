"""What planning is given in a turn: circumstances, yesterday, what is done of an hour."""

from datetime import date

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import format_date
from apps.memory.purposes import RetrievalPurpose
from apps.planning import queries as plan_queries
from apps.planning.circumstances import Circumstances
from apps.planning.events import PlannedItem
from apps.planning.inputs import Yesterday
from apps.planning.rules import PlanItem
from apps.simulation.turn.context import Turn

# Longer ago than this, what was done of an hour does not count any more.
RESUMED_MINUTES = 180
DONE_MAX = 8


def yesterday_of(turn: Turn, today: str) -> Yesterday | None:
    """Return the latest planned day, with the memories of it (P3)."""
    simulation_id, agent = turn.constants.simulation_id, turn.identity.slug
    day = plan_queries.latest_day(simulation_id, agent, as_of_tick=turn.before)
    if day is None:
        return None
    memories = turn.retrieval.retrieve(
        f"what {turn.identity.name} did on {_date(day)} and what came of it",
        RetrievalPurpose.YESTERDAY,
        token_budget=turn.constants.settings.retrieval_tokens // 4,
    )
    return plan_queries.yesterday_of(
        simulation_id,
        agent,
        today=today,
        calendar=turn.constants.calendar,
        as_of_tick=turn.before,
        memories=turn.items(memories),
    )


def done_of(turn: Turn, hour: PlanItem | PlannedItem) -> tuple[str, ...]:
    """Return what the agent did of the hour before an interruption, the latest last."""
    if not hour.continues:
        return ()
    simulation_id, agent = turn.constants.simulation_id, turn.identity.slug
    first_tick = turn.tick - turn.constants.calendar.ticks_of(minutes=RESUMED_MINUTES)
    planned = plan_queries.actions_of_hour(
        simulation_id, agent, hour.continues, as_of_tick=turn.before
    )
    actions = agent_queries.actions_between(
        simulation_id, agent, from_tick=first_tick, to_tick=turn.before
    )
    done = (
        action.description
        for action in actions
        if action.plan_item in planned and action.kind is ActionKind.PLANNED
    )
    return tuple(dict.fromkeys(done))[-DONE_MAX:]


def agreed_query(turn: Turn, day: str) -> str:
    """Return the query for what was agreed to for a day, which is "2023-02-13" or the like."""
    name = turn.identity.name
    return f"what {name} agreed to, is invited to and plans on {_date(day)}"


def _date(day: str) -> str:
    return format_date(date.fromisoformat(day))


def circumstances_of(turn: Turn, summary: AgentSummary, *queries: str) -> Circumstances:
    """Return the input of planning; the queries share the budget of a prompt (M5)."""
    budget = turn.constants.settings.retrieval_tokens // len(queries)
    memories = {
        memory.number: memory
        for query in queries
        for memory in turn.retrieval.retrieve(
            query, RetrievalPurpose.PLANNING, token_budget=budget
        )
    }
    return Circumstances(
        identity=turn.identity,
        summary=summary,
        memories=turn.items(memories.values()),
        known=turn.known,
        tree=turn.constants.world.tree,
        calendar=turn.constants.calendar,
        settings=turn.constants.settings.planning,
    )
