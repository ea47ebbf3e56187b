"""Inputs of planning in a turn: context, yesterday, and the step planned for now."""

from dataclasses import replace
from datetime import date

from apps.agents.events import ActionKind
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import format_date
from apps.memory.purposes import RetrievalPurpose
from apps.planning.context import PlanningContext
from apps.planning.events import PlannedAction
from apps.planning.inputs import Yesterday
from apps.planning.rules import PlanItem
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.planned_step import PlannedStep


def step_of(action: PlanItem | PlannedAction) -> PlannedStep:
    """Return the planned action as a step."""
    return PlannedStep(
        kind=ActionKind.SLEEPING if action.asleep else ActionKind.PLANNED,
        plan_item=action.number,
        description=action.description,
        emoji=action.emoji,
        area=action.area if isinstance(action, PlannedAction) else action.place,
        object=action.object,
        object_state=action.object_state,
        asleep=action.asleep,
        from_tick=action.from_tick,
        to_tick=action.to_tick,
    )


def step_now(context: TurnContext) -> PlannedStep | None:
    """Return the planned action of this tick, None where the plan has none yet."""
    action = context.records.action
    return None if action is None else step_of(action)


def yesterday_of(context: TurnContext) -> Yesterday | None:
    """Return the latest planned day, with the memories of it (P3)."""
    day = context.records.latest_day
    if day is None:
        return None
    memories = context.retrieval.retrieve(
        f"what {context.identity.name} did on {_date(day)} and what came of it",
        RetrievalPurpose.YESTERDAY,
        token_budget=context.constants.settings.retrieval_tokens // 4,
    )
    yesterday = context.records.yesterday
    return yesterday and replace(yesterday, memories=context.items(memories))


def agreed_query(context: TurnContext, day: str) -> str:
    """Return the query for what was agreed to for a day, which is "2023-02-13" or the like."""
    name = context.identity.name
    return f"what {name} agreed to, is invited to and plans on {_date(day)}"


def planning_context_of(
    context: TurnContext, summary: AgentSummary, *queries: str
) -> PlanningContext:
    """Return the input of planning; the queries share the budget of a prompt (M5)."""
    budget = context.constants.settings.retrieval_tokens // len(queries)
    memories = {
        memory.number: memory
        for query in queries
        for memory in context.retrieval.retrieve(
            query, RetrievalPurpose.PLANNING, token_budget=budget
        )
    }
    return PlanningContext(
        identity=context.identity,
        summary=summary,
        memories=context.items(memories.values()),
        known=context.known,
        tree=context.constants.world.tree,
        calendar=context.constants.calendar,
        settings=context.constants.settings.planning,
    )


def _date(day: str) -> str:
    return format_date(date.fromisoformat(day))
