"""Read the attendance of an agent at an agreement, from its own stream (D3)."""

from collections import Counter
from collections.abc import Iterable

from apps.agents import queries as agent_queries
from apps.dialogue.commitments import Attendance, PassedAgreement, attended_minutes
from apps.dialogue.queries import talks
from apps.planning import queries as plan_queries
from apps.simulation.ports import Constants
from apps.simulation.turn.context.named_places import is_within

# An agent of the agreement that was seen there so long before the beginning came early. Other
# agents may be about to leave when it begins: they count if they are seen there once the time
# has passed in which an agent of the agreement would have attended.
EARLY_MINUTES = 15


def attendance_of(constants: Constants, agent: str, agreement: PassedAgreement) -> Attendance:
    """Return the attendance of the agent in the time of the agreement, or a little earlier.

    Agents that met in another room of the agreed place count as present.
    """
    calendar, of_agent = constants.calendar, (constants.simulation_id, agent)
    tree, place = constants.world.tree, agreement.node
    from_tick = max(0, calendar.tick_at(agreement.starts))
    to_tick = calendar.tick_at(agreement.ends)
    early_tick = max(0, from_tick - calendar.ticks_of(minutes=EARLY_MINUTES))
    stays_from = from_tick + calendar.ticks_of(minutes=attended_minutes(agreement))
    around = tree.place_of(place) if place else ""
    sights = agent_queries.sights_between(*of_agent, from_tick=early_tick, to_tick=to_tick)
    seen = [
        one.subject
        for one in sights
        if (one.from_tick >= stays_from or one.subject in agreement.others)
        and (not around or is_within(tree, one.area, around))
    ]
    met = talks(constants.simulation_id, from_tick=from_tick, to_tick=to_tick, agents=[agent])
    seen += [talk.other for talk in met if not place or not talk.by_phone]
    if not place:
        return Attendance(minutes_there=None, was_planned=False, seen=_unique(seen))
    hours = plan_queries.items_between(
        *of_agent, level="hour", from_tick=from_tick, to_tick=to_tick, as_of_tick=to_tick
    )
    is_together = not set(agreement.others).isdisjoint(seen)
    there = around if is_together else place
    return Attendance(
        minutes_there=_minutes_in(constants, agent, there, early_tick, to_tick),
        was_planned=any(is_within(tree, hour.place, place) for hour in hours),
        seen=_unique(seen),
    )


def _unique(agents: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(agents))


def _minutes_in(
    constants: Constants, agent: str, place: str, from_tick: int, to_tick: int
) -> float:
    """Return how many of the minutes the agent was in the place."""
    tree = constants.world.tree
    ticks = _areas_between(constants, agent, from_tick, to_tick)
    inside = (count for area, count in ticks.items() if is_within(tree, area, place))
    return constants.calendar.minutes_of(sum(inside))


def _areas_between(
    constants: Constants, agent: str, from_tick: int, to_tick: int
) -> Counter[str]:
    """Return in how many of the ticks the agent was in each area."""
    found = agent_queries.tracks(
        constants.simulation_id, from_tick=from_tick, to_tick=to_tick, agents=[agent]
    )
    if agent not in found:
        return Counter()
    tiles = (found[agent].tile_at(tick) for tick in range(from_tick, to_tick))
    return Counter(constants.world.map.area_at(tile) for tile in tiles if tile is not None)
