"""The projection of summary descriptions."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.memory.summary.events import SelfSummarised
from apps.memory.summary.models import SelfSummaryRow


def _summarised(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, SelfSummarised)
    own = SelfSummaryRow.objects.filter(
        simulation_id=recorded.simulation_id, agent=recorded.stream, to_tick=None
    )
    # Of two renewals in one turn only the later one is valid at the end of the tick.
    own.filter(from_tick=recorded.tick).delete()
    own.update(to_tick=recorded.tick)
    SelfSummaryRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        core=event.core,
        occupation=event.occupation,
        feeling=event.feeling,
        text=event.text,
        due_tick=event.due_tick,
        from_tick=recorded.tick,
    )


SELF_SUMMARIES = Projection(
    models=(SelfSummaryRow,),
    handlers={SelfSummarised: _summarised},
)
