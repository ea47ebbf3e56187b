"""Read the attendance of an agent at an agreement, from its own stream (D3)."""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.models import SeenAgentRow
from apps.dialogue.commitments import Attendance, PassedAgreement, attended_minutes
from apps.dialogue.queries import talks
from apps.planning import queries as plan_queries
from apps.simulation.ports import Constants
from apps.simulation.turn.context.named_places import is_within, place_named

# An agent of the agreement that was seen there so long before the beginning came early. Other
# agents may be about to leave when it begins: they count if they are seen there once the time
# has passed in which an agent of the agreement would have attended.
EARLY_MINUTES = 15


def attendance_of(constants: Constants, agent: str, agreement: PassedAgreement) -> Attendance:
    """Return the attendance of the agent in the time of the agreement."""
    calendar, of_agent = constants.calendar, (constants.simulation_id, agent)
    tree, place = constants.world.tree, place_named(constants.world.tree, agreement.place)
    from_tick = max(0, calendar.tick_at(agreement.starts))
    to_tick = calendar.tick_at(agreement.ends)
    stays_from = from_tick + calendar.ticks_of(minutes=attended_minutes(agreement))
    sights = _people_seen(
        *of_agent,
        from_tick=max(0, from_tick - calendar.ticks_of(minutes=EARLY_MINUTES)),
        to_tick=to_tick,
    )
    seen = [
        other
        for other, area, tick in sights
        if (tick >= stays_from or other in agreement.others)
        and (not place or is_within(tree, area, place))
    ]
    if not place:
        met = talks(
            constants.simulation_id, from_tick=from_tick, to_tick=to_tick, agents=[agent]
        )
        seen += [talk.other for talk in met]
        return Attendance(minutes_there=None, was_planned=False, seen=_unique(seen))
    hours = plan_queries.items_between(
        *of_agent, level="hour", from_tick=from_tick, to_tick=to_tick, as_of_tick=to_tick
    )
    return Attendance(
        minutes_there=_minutes_in(constants, agent, place, from_tick, to_tick),
        was_planned=any(is_within(tree, hour.place, place) for hour in hours),
        seen=_unique(seen),
    )


def _unique(agents: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(agents))


def _minutes_in(
    constants: Constants, agent: str, place: str, from_tick: int, to_tick: int
) -> float:
    """Return how many of the minutes the agent was in the place."""
    found = agent_queries.tracks(
        constants.simulation_id, from_tick=from_tick, to_tick=to_tick, agents=[agent]
    )
    if agent not in found:
        return 0.0
    tiles = (found[agent].tile_at(tick) for tick in range(from_tick, to_tick))
    ticks = Counter(constants.world.map.area_at(tile) for tile in tiles if tile is not None)
    tree = constants.world.tree
    inside = (count for area, count in ticks.items() if is_within(tree, area, place))
    return constants.calendar.minutes_of(sum(inside))


def _people_seen(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[tuple[str, str, int]]:
    """Return the agents that the agent noticed, with area and tick, in order of ticks."""
    rows = SeenAgentRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=(from_tick, to_tick)
    )
    rows = rows.order_by("from_tick", "subject")
    return list(rows.values_list("subject", "area", "from_tick"))
