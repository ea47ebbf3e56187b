"""Remember an own activity once, with its times, when the agent turns to another one (M2).

The actions of an activity are on the log (ADR 50).
"""

from collections.abc import Sequence

from apps.agents.events import ActionKind
from apps.kernel.game_time import format_clock
from apps.kernel.language import phrase
from apps.kernel.text import join_and
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.planning.events import HoursPlanned
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.records import DoneAction
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.routine import is_detail

# The memory of an activity names so many of its actions, the most important ones.
ACTIONS_NAMED_MAX = 3
# An activity that is taken up again after a longer pause is remembered as another one.
PAUSE_MINUTES_MAX = 60


def activity_of(context: TurnContext, outcome: TurnOutcome, hour: int) -> str:
    """Return the activity of the planned hour of the number, "" if there is none."""
    planned = (
        item
        for new in outcome.events
        if isinstance(new.event, HoursPlanned)
        for item in new.event.items
    )
    descriptions = {item.number: item.description for item in context.records.hours}
    descriptions |= {item.number: item.description for item in planned}
    return descriptions.get(hour, "")


def remember_activity(context: TurnContext, outcome: TurnOutcome, *, now: str) -> TurnOutcome:
    """Remember the activity that the agent has performed, unless it is the one of `now`.

    An activity of routine actions only is not remembered. One that the agent remembers from
    earlier is counted.
    """
    performed = _latest_activity(context)
    if not performed or performed[-1].activity == now:
        return outcome
    actions = [one for one in performed if not _is_detail(one)]
    importances = [one.importance for one in actions]
    if all(importance == ROUTINE_IMPORTANCE for importance in importances):
        return outcome
    activity, own = performed[-1].activity, context.identity.slug
    earlier = context.retrieval.of_activity(activity, subject=own)
    if earlier is None:
        return outcome.with_memory(
            MemoryKind.OBSERVATION,
            _text(context, actions, performed),
            cause=outcome.last_event,
            subject=own,
            origin=MemoryOrigin.OWN_ACTION,
            importance=max(importances) if all(importances) else None,
            action=ActionKind.PLANNED,
            activity=activity,
        )
    if earlier.last_tick >= performed[0].from_tick:
        return outcome
    return outcome.with_repetition(earlier.number, cause=outcome.last_event)


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
    time_at = context.constants.calendar.time_at
    return phrase(
        "{name} was {activities} from {start} to {end}",
        name=context.identity.name,
        activities=join_and(_named(actions)),
        start=format_clock(time_at(performed[0].from_tick)),
        end=format_clock(time_at(performed[-1].to_tick)),
    )


def _named(actions: Sequence[DoneAction]) -> list[str]:
    """Return the actions that the memory names, each once, in order of time."""
    ticks: dict[str, int] = {}
    importance: dict[str, int] = {}
    for one in actions:
        ticks[one.description] = ticks.get(one.description, 0) + one.to_tick - one.from_tick
        importance[one.description] = max(one.importance, importance.get(one.description, 0))
    best = sorted(ticks, key=lambda words: (-importance[words], -ticks[words]))
    named = set(best[:ACTIONS_NAMED_MAX])
    return [words for words in ticks if words in named]
