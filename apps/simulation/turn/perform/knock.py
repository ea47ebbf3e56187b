"""Knock at a door that an agent has no right to enter, and wait for a short time (W5).

If nobody opens, the agent perceives it as it perceives an occupied room.
"""

from apps.agents.events import ActionKind, DoorKnocked
from apps.kernel.language import phrase
from apps.simulation.turn.context.outcome import PERFORMED, PlannedStep, TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perform.refusal import refuse
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS

# How long an agent waits at a door at which it has knocked.
KNOCK_MINUTES = 1


def knock_or_wait(
    context: TurnContext, outcome: TurnOutcome, step: PlannedStep, node: str
) -> TurnOutcome:
    """Knock at the door of the node; after a knock that nobody answered, wait."""
    words = context.constants.world.tree.words(node)
    if _has_knocked(context, node):
        why = phrase("nobody opened the door of {place}", place=words)
        waiting = phrase("waiting for somebody to open the door of {place}", place=words)
        return refuse(context, outcome, step, node, why, waiting=waiting)
    knocked = DoorKnocked(
        tile=context.tile,
        node=node,
        description=knocking_text(words),
        emoji=EMOJI_OF_KINDS[ActionKind.KNOCKING],
        until_tick=context.tick + context.ticks_of(minutes=KNOCK_MINUTES),
        plan_item=step.plan_item,
    )
    return record(context, outcome, knocked).intending(PERFORMED)


def _has_knocked(context: TurnContext, node: str) -> bool:
    action = context.action
    return (
        action is not None
        and action.kind is ActionKind.KNOCKING
        and action.towards == node
        and context.is_action_over
    )


def knocking_text(door_of: str) -> str:
    """Return the action of knocking at the door of a node in words."""
    return phrase("knocking at the door of {place}", place=door_of)
