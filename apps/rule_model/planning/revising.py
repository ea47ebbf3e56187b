"""Says what the rest of a day holds after something came between (stand-in)."""

from dataclasses import replace

from apps.planning.chains.hourly_plan import HourlyPlan
from apps.planning.chains.revised_hours import HoursToRevise, as_planned
from apps.rule_model.model import Chance
from apps.rule_model.planning.agreed import with_appointments
from apps.rule_model.planning.resolved import with_resolutions


def revised_hours(given: HoursToRevise, chance: Chance) -> HourlyPlan:  # noqa: ARG001
    """Return everything as it was planned, but for what was agreed to and decided.

    What was decided before is in the plan already, or done: only what has just been is put in.
    """
    told = (given.happened, *given.memories)
    agreed = with_appointments(
        given.slots, given.agent_name, told, date=given.date, places=given.places
    )
    slots = with_resolutions(
        agreed,
        given.agent_name,
        (given.happened,),
        date=given.date,
        places=given.places,
        known=given.memories,
    )
    return as_planned(replace(given, slots=tuple(slots)))
