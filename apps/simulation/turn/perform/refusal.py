"""Handle a refusal: a node is closed, full or taken (W5).

An agent that cannot enter or use a node waits for it. After some attempts in an hour, the rest
of the hour is planned anew without an object that is taken; before another node the agent
passes the time.
One that a user controls stays where it is.
"""

from dataclasses import replace

from apps.agents.events import ActionKind, TurnedAway
from apps.agents.phrases import object_text
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.reaction.events import StateJudged
from apps.simulation.turn.context.outcome import PlannedStep, Turn
from apps.simulation.turn.context.records import ATTEMPTS_MAX
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perform.stay import (
    EMOJI_OF_KINDS,
    PASSING_THE_TIME,
    begin,
    look_around,
    pass_time,
    wait,
)
from apps.simulation.turn.remember.remember import remember_or_count
from apps.world.tree import NodeKind

PATIENCE_WAITS = 5


def give_up_attempt(turn: Turn, node: str, step: PlannedStep | None) -> Turn:
    """Give up the attempt of the tick before, made for the step, which did not succeed."""
    why = occupied(turn, node)
    if step is not None and node == step.object:
        return refuse_object(turn, step)
    if step is not None:
        return refuse(turn, step, node, why)
    turn = turn.record(TurnedAway(node=node, why=why))
    return pass_time(turn, until=turn.tick + 1)


def refuse_object(turn: Turn, step: PlannedStep, *, cause: str = "") -> Turn:
    """Record that the object of the step is taken; wait for it, or do the step beside it.

    A step is done beside the object, in its area, where the agent does it together with one
    that uses the object: two listen at a bed that holds one.
    """
    why = occupied(turn, step.object)
    if not _is_done_beside(turn, step):
        return refuse(turn, step, step.object, why)
    turn = turn.record(TurnedAway(node=step.object, why=why), cause=cause)
    beside = replace(step, object="", object_state="")
    return begin(turn, beside, cause=turn.last_event)


def refuse_state(turn: Turn, step: PlannedStep, hindrance: StateJudged) -> Turn:
    """Record that the state of the object prevents its use.

    The agent waits for what ends by itself. Otherwise it looks at it for a tick, then decides
    (`react_to_obstacle`); the plan has nothing more at the object (`barred_objects`), but for
    sleep, which is tried again as where the bed is taken.
    """
    state = turn.view.set_state_of(step.object)
    assert state is not None, "a state hinders the step"
    why = object_text(turn.tree.words(step.object), state.state)
    is_known = turn.records.times_refused(step.object, since_tick=step.from_tick) > 0
    if hindrance.ends_by_itself or is_known:
        return refuse(turn, step, step.object, why)
    turn = _record_refusal(turn, step.object, why)
    looking = phrase("looking at {what}", what=turn.tree.words(step.object))
    return wait(turn, looking, until=turn.tick + 1, plan_item=step.plan_item)


def _is_done_beside(context: TurnContext, step: PlannedStep) -> bool:
    """Return whether an agent that uses the object of the step takes part in the step.

    The step or its act names it, or they agreed on something for now. A sleeper needs its bed,
    and what is left needs its object.
    """
    if step.asleep or step.is_requested or step.act.kind.leaves_thing:
        return False
    agreed = {
        other
        for one in context.records.commitments
        if one.starts <= context.now < one.ends
        for other in one.others
    }
    together = {*step.with_agents, step.act.other, *agreed}
    return any(use.agent in together for use in context.view.occupants_of(step.object))


def refuse(turn: Turn, step: PlannedStep, node: str, why: str, *, waiting: str = "") -> Turn:
    """Record that the node is occupied; wait for it for a while, then give up.

    `waiting` is the action of waiting in words; by default the agent waits for the node.
    """
    turn = _record_refusal(turn, node, why)
    if step.is_requested:
        return look_around(turn)
    wait_ticks = turn.ticks_of(minutes=turn.settings.wait_minutes)
    hour = turn.records.hour_at(turn.tick)
    replans = hour is not None and node == step.object and not step.asleep
    since = hour.from_tick if hour is not None and replans else step.from_tick
    attempts = turn.records.times_refused(node, since_tick=since) + 1
    until = turn.tick + wait_ticks
    # Another knock may be answered; a node in use is still in use.
    is_patient = attempts < ATTEMPTS_MAX and (waiting or not _has_given_up(turn, node))
    words = turn.tree.words(node)
    doing = waiting or phrase("waiting for {what}", what=words)
    if is_patient and until < step.to_tick:
        return wait(turn, doing, until=until, plan_item=step.plan_item)
    if replans and attempts >= ATTEMPTS_MAX:
        # In the next turn the plan has nothing at the object (`AgentRecords.given_up_at`).
        return wait(turn, doing, until=turn.tick + 1, plan_item=step.plan_item)
    # Bounded: a bed that was taken is tried again later in the night.
    until = min(step.to_tick, turn.tick + PATIENCE_WAITS * wait_ticks)
    return pass_time(turn, until=until, plan_item=step.plan_item)


def _has_given_up(context: TurnContext, node: str) -> bool:
    """Return whether the agent passes the time because it has waited for the node in vain.

    The patience with a node is not renewed by the next action that needs it.
    """
    action = context.action
    if action is None or action.kind is not ActionKind.PASSING_TIME:
        return False
    return context.records.times_refused(node, since_tick=action.from_tick) > 0


def wait_for_opening(turn: Turn, step: PlannedStep, node: str, why: str) -> Turn:
    """Wait before a closed door, which opens before the step is over."""
    turn = _record_refusal(turn, node, why)
    if step.is_requested:
        return look_around(turn)
    place = turn.tree.place_of(node)
    until = min(turn.constants.opening_tick(node, turn.tick), step.to_tick)
    waiting = phrase("waiting for {place} to open", place=place)
    return wait(turn, waiting, until=until, plan_item=step.plan_item)


def at_home(context: TurnContext, step: PlannedStep | None) -> PlannedStep:
    """Return what the agent does at home instead of the step, or of nothing planned."""
    idle = PlannedStep(
        kind=ActionKind.PASSING_TIME,
        description=phrase(PASSING_THE_TIME),
        emoji=EMOJI_OF_KINDS[ActionKind.PASSING_TIME],
        area=context.identity.home,
        from_tick=context.tick,
        to_tick=context.tick + context.ticks_of(minutes=context.settings.wait_minutes),
    )
    if step is None:
        return idle
    return replace(
        idle, from_tick=step.from_tick, to_tick=step.to_tick, plan_item=step.plan_item
    )


def occupied(context: TurnContext, node: str) -> str:
    """Return the sentence that a node is taken or full."""
    tree = context.tree
    is_object = tree.node(node).kind is NodeKind.OBJECT
    words = tree.words(node)
    if is_object:
        return phrase("{object}: taken", object=words)
    return phrase("{room} is full", room=words)


def _record_refusal(turn: Turn, node: str, why: str) -> Turn:
    turn = turn.record(TurnedAway(node=node, why=why))
    return remember_or_count(
        turn, why, subject=node, origin=MemoryOrigin.TURNED_AWAY, importance=ROUTINE_IMPORTANCE
    )
