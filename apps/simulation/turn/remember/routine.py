"""Routine, by rule: what is not remembered, and the importance of what is (M3, ADR 30, ADR 50).

The functions decide by the kind of an action and of a sight. Where they return no importance,
the model rates.
"""

from collections.abc import Sequence

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context.outcome import PlannedStep
from apps.simulation.turn.context.turn_context import TurnContext

# Actions between activities; neither performing nor seeing them is remembered.
_PASSING = frozenset(
    {
        ActionKind.SLEEPING,
        ActionKind.WALKING,
        ActionKind.WAITING,
        ActionKind.PASSING_TIME,
        ActionKind.IDLE,
    }
)
# A planned action this important is remembered besides its activity.
DETAIL_IMPORTANCE = 5


def is_remembered(step: PlannedStep, activity: str) -> bool:
    """Return whether the beginning of the step is remembered by itself.

    The actions of an activity are remembered as one, when it is over (`activities`).
    """
    if step.kind is not ActionKind.PLANNED or not activity:
        return step.kind not in _PASSING
    return is_detail(step.act.kind, step.with_agents, step.importance)


def is_detail(act: str, with_agents: Sequence[str], importance: int) -> bool:
    """Return whether a planned action is remembered besides its activity.

    It is if other agents have a part in it, or if its importance is no longer everyday.
    """
    return act != ActKind.NONE or bool(with_agents) or importance >= DETAIL_IMPORTANCE


def importance_of_step(step: PlannedStep) -> int | None:
    """Return the importance of an own action; a planned one may carry its own."""
    return step.importance or None


def is_unremarkable(context: TurnContext, seen: InView) -> bool:
    """Return whether the sight is known and not remembered.

    That is an object that is idle or in use, an agent between two activities, and the sight of
    a conversation with the agent itself, whose words are remembered. A stranger is remembered
    in any case.
    """
    sight = seen.sight
    if sight.is_object:
        return context.view.set_state_of(sight.subject) is None
    if is_stranger(context, sight.subject):
        return False
    action = context.view.action_of(sight.subject)
    if action is None:
        return False
    is_own_talk = action.kind is ActionKind.TALKING and _is_with_agent(context, sight.subject)
    return action.kind in _PASSING or is_own_talk


def activity_seen(context: TurnContext, seen: InView) -> str:
    """Return the activity that the sight is a part of, "" where it is remembered by itself."""
    action = None if seen.sight.is_object else context.view.action_of(seen.sight.subject)
    if action is None or action.kind is not ActionKind.PLANNED:
        return ""
    return "" if action.act is not ActKind.NONE else action.activity


def is_stranger(context: TurnContext, other: str) -> bool:
    """Return whether the agent has neither seen the other one nor known it from before."""
    if other in context.acquainted.agents:
        return False
    name = context.name_of(other)
    return not any(name in statement for statement in context.description)


def importance_of_sight(context: TurnContext, seen: InView) -> int | None:
    """Return the importance of a sight that is remembered.

    The activities of others are routine. The state of an object that is remembered is none,
    alarming or not, nor is a stranger, a conversation, or an action of an agent under the
    control of a user.
    """
    if seen.sight.is_object:
        return None
    action = context.view.action_of(seen.sight.subject)
    is_routine = not is_stranger(context, seen.sight.subject) and (
        action is None or action.kind is ActionKind.PLANNED
    )
    return ROUTINE_IMPORTANCE if is_routine else None


def _is_with_agent(context: TurnContext, other: str) -> bool:
    """Return whether the conversation of the other one is with the agent itself."""
    talk = context.conversations.talk_of(other)
    return talk is not None and talk.other == context.identity.slug
