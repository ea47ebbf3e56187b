"""Begin an action where the agent stands: a planned step, or waiting and idling."""

from apps.agents.events import ActionBegan, ActionKind
from apps.agents.phrases import doing_text
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import noted, phrase
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.turn.context.outcome import PERFORMED, PlannedStep, TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.activities import (
    activity_of,
    importance_of_step,
    is_remembered,
    remember_activity,
)
from apps.simulation.turn.remember.remember import remember_or_count

EMOJI_OF_KINDS = {
    ActionKind.WALKING: "🚶",
    ActionKind.WAITING: "⏳",
    ActionKind.PASSING_TIME: "💭",
    ActionKind.IDLE: "👀",
    ActionKind.KNOCKING: "✊",
}
PASSING_THE_TIME = noted("passing the time")
LOOKING_AROUND = noted("looking around")


def begin(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, *, cause: str = ""
) -> TurnOutcome:
    """Begin the step, and remember it, or the activity that is over with it."""
    activity = activity_of(context, outcome, step.hour)
    began = ActionBegan(
        kind=step.kind,
        description=step.description,
        emoji=step.emoji,
        tile=context.tile,
        area=context.area,
        object=step.object,
        object_state=step.object_state,
        asleep=step.asleep,
        until_tick=step.to_tick,
        plan_item=step.plan_item,
        act=step.act.kind,
        other=step.act.other,
        activity=activity,
    )
    outcome = record(context, outcome, began, cause=cause)
    if step.kind in {ActionKind.PLANNED, ActionKind.SLEEPING} and activity:
        outcome = remember_activity(context, outcome, now=activity)
    if not is_remembered(step, activity):
        return outcome.intending(PERFORMED)
    return remember_or_count(
        context,
        outcome,
        MemoryKind.OBSERVATION,
        action_text(context, step.description),
        cause=outcome.last_event,
        subject=context.identity.slug,
        origin=MemoryOrigin.OWN_ACTION,
        importance=importance_of_step(step),
        action=step.kind,
    ).intending(PERFORMED)


def action_text(context: TurnContext, description: str) -> str:
    """Return the memory of an own action."""
    return doing_text(context.identity.name, description)


def look_around(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Stay until the user requests an action."""
    return _stay(context, outcome, ActionKind.IDLE, phrase(LOOKING_AROUND), until=FOREVER_TICK)


def pass_time(
    context: TurnContext, outcome: TurnOutcome, *, until: int, plan_item: int = 0
) -> TurnOutcome:
    """Stay because the planned action is not possible."""
    return _stay(
        context,
        outcome,
        ActionKind.PASSING_TIME,
        phrase(PASSING_THE_TIME),
        until=until,
        plan_item=plan_item,
    )


def wait(
    context: TurnContext, outcome: TurnOutcome, waiting: str, *, until: int, plan_item: int
) -> TurnOutcome:
    """Stay until a node can be entered or used; `waiting` is the action in words."""
    return _stay(
        context, outcome, ActionKind.WAITING, waiting, until=until, plan_item=plan_item
    )


def _stay(
    context: TurnContext,
    outcome: TurnOutcome,
    kind: ActionKind,
    description: str,
    *,
    until: int,
    plan_item: int = 0,
) -> TurnOutcome:
    step = PlannedStep(
        kind=kind,
        plan_item=plan_item,
        description=description,
        emoji=EMOJI_OF_KINDS[kind],
        area=context.area,
        from_tick=context.tick,
        to_tick=until,
    )
    return begin(context, outcome, step)
