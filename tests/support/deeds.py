"""Deeds of agents, built by hand."""

from apps.agents.status import Deed, PlannedTime


def done_as(planned: PlannedTime) -> Deed:
    """Return the planned time as one that took place, in the words of the plan."""
    return Deed(
        starts=planned.starts,
        ends=planned.ends,
        actions=(planned.activity,),
        activity=planned.activity,
        place=planned.place,
        is_asleep=planned.is_asleep,
    )
