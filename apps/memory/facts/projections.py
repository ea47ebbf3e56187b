"""The projection of lasting facts."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.memory.facts.events import FactEstablished, FactRevised
from apps.memory.facts.models import FactRow


def _established(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, FactEstablished)
    FactRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        from_tick=recorded.tick,
        number=event.number,
        kind=event.kind.value,
        other=event.other,
        tie=event.tie or "",
        standing=event.standing or "",
        statements=list(event.statements),
        opinion="",
        evidence=list(event.evidence),
        source=event.source.value,
        until=event.until,
    )


def _revised(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, FactRevised)
    current = FactRow.objects.filter(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        number=event.number,
        to_tick=None,
    )
    row = current.get()
    # Of several versions of one turn only the last one is valid at the end of the tick.
    if row.from_tick < recorded.tick:
        current.update(to_tick=recorded.tick)
        row.pk, row.copied_from, row.from_tick = None, None, recorded.tick
    elif event.ended:
        row.delete()
    if event.ended:
        return
    row.tie, row.standing = event.tie or "", event.standing or ""
    row.statements, row.opinion = list(event.statements), event.opinion
    row.until = event.until
    row.evidence, row.source = list(event.evidence), event.source.value
    row.save()


LASTING_FACTS = Projection(
    models=(FactRow,),
    handlers={FactEstablished: _established, FactRevised: _revised},
)
