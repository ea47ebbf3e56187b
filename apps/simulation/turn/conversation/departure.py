"""Departure: the next activity in another area, and the way there after taking leave (D1)."""

from apps.agents.status import Departure
from apps.dialogue.utterances import Talk
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.planning.inputs import LeaveTaken
from apps.planning.revision import begin_actions_now, begin_hours_now
from apps.planning.rules import PlanItem
from apps.simulation.turn.context.outcome import FollowPlan, RevisePlan, Turn
from apps.simulation.turn.context.turn_context import TurnContext

# After taking leave the agent begins an activity elsewhere earlier by this at most.
EARLIER_MINUTES_MAX = 30


def departure_of(context: TurnContext) -> Departure | None:
    """Return the next activity of the plan in another area, None if it keeps the agent here."""
    item = _next_elsewhere(context)
    if item is None:
        return None
    tree, hour = context.tree, context.records.hour_at(item.from_tick)
    place = tree.place_of(context.area) if context.area else ""
    return Departure(
        starts=max(context.now, context.calendar.time_at(item.from_tick)),
        activity=item.description if hour is None else hour.description,
        place=tree.words(item.place),
        leaves_place=not place or tree.place_of(item.place) != place,
    )


def has_taken_leave(context: TurnContext, talk: Talk) -> bool:
    """Return whether the agent has said in the conversation that it leaves."""
    return any(said.leaves for said in context.utterances.said_in(talk.conversation))


def depart(turn: Turn, other: str) -> Turn:
    """Go where the plan goes on, after leave was taken of another agent.

    An activity that begins there within EARLIER_MINUTES_MAX begins now. If the plan keeps the
    agent here for longer, it is revised.
    """
    item = _next_elsewhere(turn)
    latest = turn.tick + turn.ticks_of(minutes=EARLIER_MINUTES_MAX)
    if item is None or item.from_tick > latest:
        reason = LeaveTaken(other=turn.name_of(other))
        return turn.intending(RevisePlan(reasons=(reason,), cause=turn.last_event))
    if item.from_tick <= turn.tick:
        return turn.intending(FollowPlan())
    return _begin_now(turn, item)


def _next_elsewhere(context: TurnContext) -> PlanItem | None:
    """Return the first action of this hour, else the first later hour, in another area.

    Of a later hour the place is known and not the area in it: an hour in the place around the
    agent keeps it there. The night does not count.
    """
    records = context.records
    later = [hour for hour in records.hours if hour.from_tick > context.tick]
    planned = (one for one in (*records.pending_actions(), *later) if not one.asleep)
    return next((one for one in planned if not _is_here(context, one)), None)


def _is_here(context: TurnContext, item: PlanItem) -> bool:
    return f"{context.area}: ".startswith(f"{item.place}: ")


def _begin_now(turn: Turn, item: PlanItem) -> Turn:
    """Let the action or the hour begin now, and drop those planned before it."""
    records = turn.records
    is_hour = item.level == "hour"
    following = [
        one
        for one in (records.hours if is_hour else records.pending_actions())
        if one.from_tick >= item.from_tick
    ]
    begin = begin_hours_now if is_hour else begin_actions_now
    event: HoursPlanned | ActionsPlanned = begin(
        following, now_tick=turn.tick, next_number=turn.next_plan_item
    )
    turn = turn.record(event, cause=turn.last_event)
    begins = event.items[0] if isinstance(event, HoursPlanned) else turn.actions_ahead()[0]
    return turn.intending(FollowPlan(begins=begins))
