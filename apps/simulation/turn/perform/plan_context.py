"""Inputs of planning in a turn: context, and the step planned for now."""

from dataclasses import replace
from functools import partial
from math import ceil

from apps.agents.acts import Act
from apps.agents.events import ActionKind, Tile
from apps.agents.summary import AgentSummary
from apps.memory.events import RetrievalPurpose
from apps.planning.context import PlanningContext
from apps.planning.inputs import IntendedTalk
from apps.planning.rules import PlanItem
from apps.simulation.ports import Constants
from apps.simulation.turn.context.outcome import PlannedStep, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import (
    day_outline,
    open_agreements,
    own_place,
    status_of,
)
from apps.simulation.turn.perform.admission import invitations
from apps.simulation.turn.remember.passed_commitments import open_promises
from apps.simulation.turn.remember.remember import expect_texts


def step_of(action: PlanItem) -> PlannedStep:
    """Return the planned action as a step."""
    return PlannedStep(
        kind=ActionKind.SLEEPING if action.asleep else ActionKind.PLANNED,
        plan_item=action.number,
        hour=action.parent,
        description=action.description,
        emoji=action.emoji,
        area=action.place,
        object=action.object,
        object_state=action.object_state,
        asleep=action.asleep,
        from_tick=action.from_tick,
        to_tick=action.to_tick,
        importance=action.importance,
        act=Act(kind=action.act, other=action.other, about=action.about),
        with_agents=action.with_agents,
        planned_tick=action.planned_tick,
    )


def step_now(context: TurnContext) -> PlannedStep | None:
    """Return the planned action of this tick, None where the plan has none yet.

    After an act that is over the next action of the hour begins early.
    """
    pending = context.records.pending_actions()
    return step_from(pending[0], context.tick) if pending else None


def step_from(action: PlanItem, tick: int) -> PlannedStep:
    """Return the planned action as a step that begins at the tick, or has begun before."""
    step = step_of(action)
    return replace(step, from_tick=min(step.from_tick, tick))


def walking_minutes(constants: Constants, start: Tile) -> dict[str, int]:
    """Return the minutes of the walk from a tile to each area, rounded up."""
    minutes_of = constants.calendar.minutes_of
    steps = constants.world.paths.steps_to_areas(start)
    return {area: ceil(minutes_of(count)) for area, count in steps.items()}


def _walks_from(constants: Constants, area: str) -> dict[str, int]:
    """Return the minutes of the walk from an area to each other one; none without a tile."""
    tiles = constants.world.map.area_tiles(area)
    return walking_minutes(constants, tiles[0]) if tiles else {}


def planning_context_of(
    turn: Turn,
    summary: AgentSummary,
    *queries: str,
    about_itself: str = "",
    tokens_max: int | None = None,
) -> PlanningContext:
    """Return the input of planning; the queries share the budget of a prompt (M5).

    `about_itself` is the query that asks about the agent itself.
    The budget is that of the settings, or `tokens_max` if that is less. Without queries nothing
    is retrieved.
    """
    tokens = turn.settings.retrieval_tokens
    budget = min(tokens, tokens if tokens_max is None else tokens_max) // max(1, len(queries))
    if queries:
        expect_texts(turn)
        turn.retrieval.embed(queries)
    memories = {
        memory.number: memory
        for query in queries
        for memory in turn.retrieval.retrieve(
            query,
            RetrievalPurpose.PLANNING,
            token_budget=budget,
            subject=turn.retrieval.itself() if query == about_itself else None,
        )
    }
    return PlanningContext(
        identity=turn.identity,
        summary=summary,
        memories=turn.items(memories.values()),
        agreements=open_agreements(turn),
        promises=open_promises(turn),
        outline=day_outline(turn),
        put_off=tuple(
            IntendedTalk(other=name, what=one.what)
            for one in turn.records.put_off
            if (name := turn.name_of(one.other))
        ),
        known=turn.known,
        here=own_place(turn),
        status=status_of(turn, turn.identity.slug),
        invitations=invitations(turn),
        walks=walking_minutes(turn.constants, turn.tile),
        walks_from=partial(_walks_from, turn.constants),
        tree=turn.tree,
        calendar=turn.calendar,
        settings=turn.settings.planning,
    )
