"""The projection of reflections."""

from dataclasses import asdict

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.reflection.events import Reflected
from apps.reflection.models import ReflectionRow


def _reflected(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Reflected)
    ReflectionRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        tick=recorded.tick,
        ordinal=recorded.place.ordinal,
        importance=event.importance,
        questions=list(event.questions),
        insights=[asdict(insight) for insight in event.insights],
        dropped=[asdict(insight) for insight in event.dropped],
        kind=event.kind.value,
    )


REFLECTIONS = Projection(
    models=(ReflectionRow,),
    handlers={Reflected: _reflected},
)
