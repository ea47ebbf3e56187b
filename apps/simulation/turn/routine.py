"""The importance of routine, by rule: from the kind of an action and of a sight (M3, ADR 30).

The functions return None for what the model rates.
"""

from apps.agents.events import ActionKind
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.planned_step import PlannedStep

# Another agent that is seen doing one of these goes about its day.
_ROUTINE_OF_OTHERS = frozenset(
    {
        ActionKind.PLANNED,
        ActionKind.SLEEPING,
        ActionKind.WALKING,
        ActionKind.WAITING,
        ActionKind.PASSING_TIME,
        ActionKind.IDLE,
    }
)
_OWN_ROUTINE = _ROUTINE_OF_OTHERS - {ActionKind.PLANNED}


def importance_of_step(step: PlannedStep) -> int | None:
    """Return the importance of an own action; a planned one may carry its own."""
    if step.kind in _OWN_ROUTINE:
        return ROUTINE_IMPORTANCE
    return step.importance or None


def importance_of_sight(context: TurnContext, seen: InView) -> int | None:
    """Return the importance of a sight: the routine of others, and the state of an object.

    A state that a user has set is no routine, alarming or not, nor is what an agent that a
    user controls does.
    """
    subject = seen.sight.subject
    if seen.sight.is_object:
        is_routine = context.view.set_state_of(subject) is None
    else:
        action = context.view.action_of(subject)
        is_routine = (
            action is None
            or action.kind in _ROUTINE_OF_OTHERS
            or (action.kind is ActionKind.TALKING and _is_with_agent(context, subject))
        )
    return ROUTINE_IMPORTANCE if is_routine else None


def _is_with_agent(context: TurnContext, other: str) -> bool:
    """Return whether the conversation of the other one is with the agent itself."""
    talk = context.conversations.talk_of(other)
    return talk is not None and talk.other == context.identity.slug
