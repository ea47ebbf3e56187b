"""Read what an agent did and saw in the time of an agreement, from its own stream."""

from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.models import SeenPersonRow
from apps.dialogue.endings import Attendance, PassedAgreement
from apps.dialogue.queries import talks
from apps.planning import queries as plan_queries
from apps.simulation.ports import Constants
from apps.world.errors import AmbiguousPlace, UnknownPlace

# An agent that was seen there so long before the beginning, and not elsewhere, came early.
EARLY_MINUTES = 15


def attendance_of(constants: Constants, agent: str, agreement: PassedAgreement) -> Attendance:
    """Return what the agent did and saw while the agreement was to be kept."""
    calendar, of_agent = constants.calendar, (constants.simulation_id, agent)
    from_tick = max(0, calendar.tick_at(agreement.starts))
    to_tick = calendar.tick_at(agreement.ends)
    place = _place_of(constants, agreement.place)
    sights = _people_seen(
        *of_agent,
        from_tick=max(0, from_tick - calendar.ticks_of(minutes=EARLY_MINUTES)),
        to_tick=to_tick,
    )
    there = [other for other, area in sights if _is_in(constants, area, place)]
    if not place:
        met = talks(
            constants.simulation_id, from_tick=from_tick, to_tick=to_tick, agents=[agent]
        )
        there += [talk.other for talk in met]
        seen = tuple(dict.fromkeys(there))
        return Attendance(minutes_there=None, was_planned=False, seen=seen)
    hours = plan_queries.items_between(
        *of_agent, level="hour", from_tick=from_tick, to_tick=to_tick, as_of_tick=to_tick
    )
    return Attendance(
        minutes_there=_minutes_in(constants, agent, place, from_tick, to_tick),
        was_planned=any(_is_in(constants, hour.place, place) for hour in hours),
        seen=tuple(dict.fromkeys(there)),
    )


def _place_of(constants: Constants, words: str) -> str:
    """Return the path of the place that the words name, "" for none."""
    try:
        return constants.world.tree.resolve(words).path
    except (UnknownPlace, AmbiguousPlace):
        return ""


def _is_in(constants: Constants, area: str, place: str) -> bool:
    """Return whether the area lies in the place; every area does in none."""
    tree = constants.world.tree
    return not place or (
        area in tree and any(node.path == place for node in tree.line_of(area))
    )


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
    areas = [constants.world.map.area_at(tile) for tile in tiles if tile is not None]
    inside = {area for area in set(areas) if _is_in(constants, area, place)}
    return constants.calendar.minutes_of(sum(area in inside for area in areas))


def _people_seen(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int
) -> list[tuple[str, str]]:
    """Return the agents that the agent noticed in the ticks, each with the area, in order."""
    rows = SeenPersonRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__range=(from_tick, to_tick)
    )
    return list(rows.order_by("from_tick", "subject").values_list("subject", "area"))
