"""Begin an action where the agent stands: a planned step, or waiting and idling."""

from apps.agents.events import ActionBegan, ActionKind
from apps.agents.phrases import doing_text
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import noted, phrase
from apps.memory.events import MemoryOrigin
from apps.simulation.turn.context.outcome import PERFORMED, PlannedStep, Turn
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


def begin(turn: Turn, step: PlannedStep, *, cause: str = "") -> Turn:
    """Begin the step, and remember it, or the activity that is over with it."""
    activity = activity_of(turn, step.hour)
    began = ActionBegan(
        kind=step.kind,
        description=step.description,
        emoji=step.emoji,
        tile=turn.tile,
        area=turn.area,
        object=step.object,
        object_state=step.object_state,
        asleep=step.asleep,
        until_tick=step.to_tick,
        plan_item=step.plan_item,
        act=step.act.kind,
        other=step.act.other,
        activity=activity,
    )
    turn = turn.record(began, cause=cause)
    if step.kind in {ActionKind.PLANNED, ActionKind.SLEEPING} and activity:
        turn = remember_activity(turn, now=activity)
    if not is_remembered(step, activity):
        return turn.intending(PERFORMED)
    return remember_or_count(
        turn,
        action_text(turn, step.description),
        cause=turn.last_event,
        subject=turn.identity.slug,
        origin=MemoryOrigin.OWN_ACTION,
        importance=importance_of_step(step),
        action=step.kind,
    ).intending(PERFORMED)


def action_text(context: TurnContext, description: str) -> str:
    """Return the memory of an own action."""
    return doing_text(context.identity.name, description)


def look_around(turn: Turn) -> Turn:
    """Stay until the user requests an action."""
    return _stay(turn, ActionKind.IDLE, phrase(LOOKING_AROUND), until=FOREVER_TICK)


def pass_time(turn: Turn, *, until: int, plan_item: int = 0) -> Turn:
    """Stay because the planned action is not possible."""
    return _stay(
        turn,
        ActionKind.PASSING_TIME,
        phrase(PASSING_THE_TIME),
        until=until,
        plan_item=plan_item,
    )


def wait(turn: Turn, waiting: str, *, until: int, plan_item: int) -> Turn:
    """Stay until a node can be entered or used; `waiting` is the action in words."""
    return _stay(turn, ActionKind.WAITING, waiting, until=until, plan_item=plan_item)


def _stay(
    turn: Turn, kind: ActionKind, description: str, *, until: int, plan_item: int = 0
) -> Turn:
    step = PlannedStep(
        kind=kind,
        plan_item=plan_item,
        description=description,
        emoji=EMOJI_OF_KINDS[kind],
        area=turn.area,
        from_tick=turn.tick,
        to_tick=until,
    )
    return begin(turn, step)
