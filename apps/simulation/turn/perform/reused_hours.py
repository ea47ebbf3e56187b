"""Whether the actions of a known hour are done again, and with which variation (ADR 38)."""

from apps.planning.events import ActionsPlanned
from apps.planning.reuse import Variation, fitting_hours, reuse_hour
from apps.planning.rules import PlannedHour
from apps.planning.surroundings import known_areas
from apps.planning.tiling import Span
from apps.simulation.turn.context.outcome import TurnOutcome
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import open_agreements
from apps.simulation.turn.perceive.situation import object_states


def reused_actions(
    context: TurnContext, outcome: TurnOutcome, hour: PlannedHour
) -> ActionsPlanned | None:
    """Return the actions of a known hour for this one, None where something is new.

    New are an agreement for this time, an object that is not idle and was when the known hour
    was planned, and a node that is no longer on offer; `AgentRecords.known_hours` leaves out
    what is older than the news.
    """
    known = context.records.known_hours
    if not known or _is_agreed(context, outcome, hour):
        return None
    span = Span(max(context.tick, hour.from_tick), hour.to_tick)
    tree, agent = context.constants.world.tree, context.identity
    fitting = fitting_hours(
        known,
        span=span,
        areas=known_areas(
            tree,
            context.known,
            place=tree.place_of(hour.place),
            person=agent.name,
            home=agent.home,
        ),
        changed=_objects_in_use(context),
        previous=context.action.description if context.action else "",
        ticks_per_minute=context.ticks_of(minutes=1),
    )
    if not fitting:
        return None
    settings = context.constants.settings
    return reuse_hour(
        fitting,
        hour=hour,
        variation=Variation(
            seed=context.constants.seed,
            agent=agent.slug,
            tick=context.tick,
            ticks_per_minute=context.ticks_of(minutes=1),
            ticks_min=context.ticks_of(minutes=settings.action_minutes_min),
            ticks_max=context.ticks_of(minutes=settings.action_minutes_max),
        ),
        next_number=outcome.next_plan_item,
    )


def _is_agreed(context: TurnContext, outcome: TurnOutcome, hour: PlannedHour) -> bool:
    """Return whether something is agreed for the time of the hour."""
    time_at = context.constants.calendar.time_at
    return any(
        one.starts < time_at(hour.to_tick) and one.ends > time_at(hour.from_tick)
        for one in open_agreements(context, outcome)
    )


def _objects_in_use(context: TurnContext) -> dict[str, int]:
    """Return the objects that are not idle as last seen, with the tick of that sight."""
    new = {one.sight.subject for one in context.news}
    seen = context.acquainted.objects
    return {
        one.path: context.tick if one.path in new else seen[one.path].tick
        for one in object_states(context)
    }
