"""What is remembered of own activities and of sights, by rule (M2, M3, ADR 30, ADR 50).

An own activity becomes one memory with its times, when the agent turns to another one. Routine
is decided by the kind of an action and of a sight; where no importance is returned, the model
rates.
"""

from collections.abc import Sequence

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind
from apps.kernel.game_time import format_clock
from apps.kernel.language import phrase
from apps.kernel.text import join_and
from apps.memory.events import MemoryOrigin
from apps.memory.rules import LEFT_IMPORTANCE, NOTED_IMPORTANCE, ROUTINE_IMPORTANCE
from apps.planning.deeds import most_important
from apps.planning.events import HoursPlanned
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context.outcome import PlannedStep, Turn
from apps.simulation.turn.context.records import DoneAction
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

    The actions of an activity are remembered as one, when it is over.
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
    """Return whether the agent has neither seen the other agent nor known it from before."""
    if other in context.acquainted.agents:
        return False
    name = context.name_of(other)
    return not any(name in statement for statement in context.description)


def importance_of_sight(context: TurnContext, seen: InView) -> int | None:
    """Return the importance of a sight that is remembered.

    The activities of others are routine. A stranger, a talk of others, and what an agent has
    left at an object are noted by rule as well. What a user has brought about is rated by the
    model: the state of an object, or an action of an agent under control.
    """
    if seen.sight.is_object:
        state = context.view.set_state_of(seen.sight.subject)
        return LEFT_IMPORTANCE if state is not None and state.is_left else None
    action = context.view.action_of(seen.sight.subject)
    if action is not None and action.kind is ActionKind.USER_CONTROLLED:
        return None
    is_planned = action is None or action.kind is ActionKind.PLANNED
    if is_planned and not is_stranger(context, seen.sight.subject):
        return ROUTINE_IMPORTANCE
    return NOTED_IMPORTANCE


def _is_with_agent(context: TurnContext, other: str) -> bool:
    """Return whether the conversation of the other agent is with the agent itself."""
    talk = context.conversations.talk_of(other)
    return talk is not None and talk.other == context.identity.slug


# An activity that is taken up again after a longer pause is remembered as another one.
PAUSE_MINUTES_MAX = 60


def activity_of(turn: Turn, hour: int) -> str:
    """Return the activity of the planned hour of the number, "" if there is none."""
    planned = (
        item
        for new in turn.events
        if isinstance(new.event, HoursPlanned)
        for item in new.event.items
    )
    descriptions = {item.number: item.description for item in turn.records.hours}
    descriptions |= {item.number: item.description for item in planned}
    return descriptions.get(hour, "")


def remember_activity(turn: Turn, *, now: str) -> Turn:
    """Remember the activity that the agent has performed, unless it is the one of `now`.

    An activity of routine actions only is not remembered. One that the agent remembers from
    earlier is counted.
    """
    performed = _latest_activity(turn)
    if not performed or performed[-1].activity == now:
        return turn
    actions = [one for one in performed if not _is_detail(one)]
    importances = [one.importance for one in actions]
    if all(importance == ROUTINE_IMPORTANCE for importance in importances):
        return turn
    activity, own = performed[-1].activity, turn.identity.slug
    earlier = turn.retrieval.of_activity(activity, subject=own)
    if earlier is None:
        return turn.with_memory(
            _text(turn, actions, performed),
            cause=turn.last_event,
            subject=own,
            origin=MemoryOrigin.OWN_ACTION,
            importance=max(importances) if all(importances) else None,
            action=ActionKind.PLANNED,
            activity=activity,
        )
    if earlier.last_tick >= performed[0].from_tick:
        return turn
    return turn.with_repetition(earlier.number, cause=turn.last_event)


def _latest_activity(context: TurnContext) -> list[DoneAction]:
    """Return the latest planned actions that belong to one activity, in order."""
    pause = context.ticks_of(minutes=PAUSE_MINUTES_MAX)
    found: list[DoneAction] = []
    for action in reversed(context.records.done):
        is_other = found and found[-1].activity != action.activity
        if is_other or (found and found[-1].from_tick - action.to_tick > pause):
            break
        found.append(action)
    return found[::-1]


def _is_detail(action: DoneAction) -> bool:
    return is_detail(action.act, action.with_agents, action.importance)


def _text(
    context: TurnContext, actions: Sequence[DoneAction], performed: Sequence[DoneAction]
) -> str:
    """Return the memory of the activity: "Mei Lin was reading and making notes from …"."""
    time_at = context.calendar.time_at
    return phrase(
        "{name} was {activities} from {start} to {end}",
        name=context.identity.name,
        activities=join_and(_named(actions)),
        start=format_clock(time_at(performed[0].from_tick)),
        end=format_clock(time_at(performed[-1].to_tick)),
    )


def _named(actions: Sequence[DoneAction]) -> tuple[str, ...]:
    """Return the actions that the memory names, each once, in order of time."""
    return most_important(
        (one.description, one.importance, one.to_tick - one.from_tick) for one in actions
    )
