"""A simulation with a log of tens of megabytes, made without running it."""

from django.contrib.auth.models import User

from apps.eventlog.models import EventRow
from apps.simulation.models import SimulationRow
from tests.support.towns import found

MANY = 8_000
CHARACTERS_EACH = 10_000


def a_long_log(events: int = MANY) -> SimulationRow:
    """Return a simulation of the only user, with so many events of 10 kB, all committed."""
    row = found()
    EventRow.objects.bulk_create(
        EventRow(
            simulation_id=row.pk,
            tick=tick,
            stream="isabella-rodriguez",
            ordinal=0,
            type="agents.turned-away.v1",
            data={"node": "", "why": "x" * CHARACTERS_EACH},
        )
        for tick in range(2, events + 2)
    )
    SimulationRow.objects.filter(pk=row.pk).update(
        committed_tick=events + 2, owner=User.objects.get()
    )
    return row
