"""The projection of lasting facts."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, insert
from apps.memory.facts.events import FactEstablished, FactRevised
from apps.memory.facts.models import FactRow


def _established(event: FactEstablished, recorded: Recorded) -> None:
    insert(FactRow, recorded, tie=event.tie or "", standing=event.standing or "", opinion="")


def _revised(event: FactRevised, recorded: Recorded) -> None:
    current = agent_rows(FactRow, recorded, number=event.number, to_tick=None)
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
