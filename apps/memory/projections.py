"""The projection of memory streams."""

from collections.abc import Iterable

from django.db import connection

from apps.django_support.statements import carry_out
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, fields_of, insert
from apps.kernel.errors import SmallvilleError
from apps.lineage.statements import copy_inherited
from apps.llm.embeddings import VECTOR_OF, origins_of
from apps.memory.events import (
    FactEstablished,
    FactRevised,
    MemoriesRated,
    MemoriesRepeated,
    MemoriesRetrieved,
    MemoryFormed,
    MemorySuperseded,
    SelfSummarised,
)
from apps.memory.items import scheduled_to_json
from apps.memory.models import FactRow, MemoryRow, RepetitionRow, RetrievalRow, SelfSummaryRow

# The vector is copied inside the database, by content. Embeddings are stored facts, so that a
# rebuild never calls a model.
_VECTOR = VECTOR_OF.format(
    model="%(embedded_by)s",
    dimensions="%(dimensions)s",
    text="%(description)s",
    origins="%(origins)s",
)
_FORM = f"""
INSERT INTO memory_memoryrow (
    simulation_id, agent, number, kind, description, rating, rated_tick, evidence, subject,
    perceived, origin, scheduled, action, activity, passing_on, formed_tick, ordinal, embedding
)
SELECT
    %(simulation_id)s, %(agent)s, %(number)s, %(kind)s, %(description)s, %(rating)s,
    %(rated_tick)s, to_jsonb(%(evidence)s::int[]), %(subject)s, %(perceived)s,
    %(origin)s, %(scheduled)s::jsonb, %(action)s, %(activity)s, %(passing_on)s,
    %(tick)s, %(ordinal)s, vector
FROM ({_VECTOR}) AS stored
"""  # noqa: S608 (parts of statements)

_UNRATED = "agent = %(agent)s AND number = ANY(%(numbers)s::int[]) AND rated_tick IS NULL"
_RATE = """
UPDATE memory_memoryrow AS memory SET rating = rated.importance, rated_tick = %(tick)s
FROM unnest(%(numbers)s::int[], %(importances)s::int[]) AS rated(number, importance)
WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
    AND memory.number = rated.number AND rated_tick IS NULL
"""

_CURRENT = "agent = %(agent)s AND number = ANY(%(numbers)s::int[]) AND to_tick IS NULL"
_END_RETRIEVAL = """
UPDATE memory_retrievalrow SET to_tick = %(tick)s
WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
    AND number = ANY(%(numbers)s::int[]) AND to_tick IS NULL AND from_tick < %(tick)s
"""

# Two retrievals of one turn may return the same memory, which has one row.
_RETRIEVE = """
INSERT INTO memory_retrievalrow (simulation_id, agent, number, from_tick)
SELECT %(simulation_id)s, %(agent)s, number, %(tick)s
FROM unnest(%(numbers)s::int[]) AS number
ON CONFLICT (simulation_id, agent, number, from_tick) DO NOTHING
"""

_END_REPETITION = """
UPDATE memory_repetitionrow SET to_tick = %(tick)s
WHERE simulation_id = %(simulation_id)s AND agent = %(agent)s
    AND number = ANY(%(numbers)s::int[]) AND to_tick IS NULL
"""

_REPEAT = """
INSERT INTO memory_repetitionrow (simulation_id, agent, number, times, from_tick)
SELECT %(simulation_id)s, %(agent)s, repeated.number, 1 + coalesce((
    SELECT max(times) FROM memory_repetitionrow AS earlier
    WHERE earlier.simulation_id = %(simulation_id)s AND earlier.agent = %(agent)s
        AND earlier.number = repeated.number
), 1), %(tick)s
FROM unnest(%(numbers)s::int[]) AS repeated(number)
"""


class VectorMissing(SmallvilleError):
    """The description of a memory has no vector."""


def _formed(event: MemoryFormed, recorded: Recorded) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _FORM,
            fields_of(event)
            | {
                "simulation_id": recorded.simulation_id,
                "agent": recorded.stream,
                "rating": event.importance,
                "rated_tick": recorded.tick if event.rated else None,
                "scheduled": scheduled_to_json(event.scheduled),
                "action": event.action or "",
                "tick": recorded.tick,
                "ordinal": recorded.place.ordinal,
                "origins": origins_of(recorded.simulation_id),
            },
        )
        if cursor.rowcount == 0:
            raise VectorMissing(
                f"memory {event.number} of {recorded.stream} has no vector under "
                f"{event.embedded_by!r} with {event.dimensions} numbers: embed the description "
                f"first, with form_memories or AgentLLM.embed; it is {event.description!r}"
            )


def _rated(event: MemoriesRated, recorded: Recorded) -> None:
    values = {
        "simulation_id": recorded.simulation_id,
        "agent": recorded.stream,
        "numbers": list(event.numbers),
        "importances": list(event.importances),
        "tick": recorded.tick,
    }
    copy_inherited(MemoryRow, recorded.simulation_id, _UNRATED, values)
    carry_out(_RATE, values)


def _repeated(event: MemoriesRepeated, recorded: Recorded) -> None:
    _renew(recorded, event.numbers, RepetitionRow, _END_REPETITION, _REPEAT)


def _superseded(event: MemorySuperseded, recorded: Recorded) -> None:
    rows = agent_rows(MemoryRow, recorded, number=event.number, superseded_tick=None)
    rows.update(superseded_tick=recorded.tick)


def _recalled(event: MemoriesRetrieved, recorded: Recorded) -> None:
    _renew(recorded, set(event.numbers), RetrievalRow, _END_RETRIEVAL, _RETRIEVE)


def _renew(
    recorded: Recorded,
    numbers: Iterable[int],
    model: type[RepetitionRow] | type[RetrievalRow],
    *statements: str,
) -> None:
    """End the latest rows of the memories of these numbers, and begin others at the tick."""
    values = {
        "simulation_id": recorded.simulation_id,
        "agent": recorded.stream,
        "numbers": sorted(numbers),
        "tick": recorded.tick,
    }
    copy_inherited(model, recorded.simulation_id, _CURRENT, values)
    for statement in statements:
        carry_out(statement, values)


MEMORY_STREAM = Projection(
    models=(MemoryRow, RepetitionRow, RetrievalRow),
    handlers={
        MemoryFormed: _formed,
        MemoriesRepeated: _repeated,
        MemoriesRated: _rated,
        MemorySuperseded: _superseded,
        MemoriesRetrieved: _recalled,
    },
)


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
    row.until, row.passing_on = event.until, event.passing_on
    row.evidence, row.source = list(event.evidence), event.source.value
    row.save()


LASTING_FACTS = Projection(
    models=(FactRow,),
    handlers={FactEstablished: _established, FactRevised: _revised},
)


def _summarised(_event: SelfSummarised, recorded: Recorded) -> None:
    own = agent_rows(SelfSummaryRow, recorded, to_tick=None)
    # Of two renewals in one turn only the later one is valid at the end of the tick.
    own.filter(from_tick=recorded.tick).delete()
    own.update(to_tick=recorded.tick)
    insert(SelfSummaryRow, recorded)


SELF_SUMMARIES = Projection(
    models=(SelfSummaryRow,),
    handlers={SelfSummarised: _summarised},
)
