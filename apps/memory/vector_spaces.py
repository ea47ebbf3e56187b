"""Vectors of memories under other embedding models than that of their history.

Such vectors are stored by content, as all vectors are (ADR 87). They change no history: a
retrieval on request may be scored with them, as of any tick.
"""

from dataclasses import dataclass
from uuid import UUID

from apps.kernel.errors import DomainError
from apps.lineage.statements import history_rows
from apps.llm.embeddings import VECTOR_OF, origins_of

_OF_SPACE = VECTOR_OF.format(
    model="%(space_model)s",
    dimensions="%(space_dimensions)s",
    text="description",
    origins="%(space_origins)s",
)
# The vectors of memories, and the table that they are read from.
OWN_VECTORS = {"vector": "embedding", "memories": "memory_memoryrow"}
OTHER_VECTORS = {
    "vector": "vector",
    "memories": f"memory_memoryrow CROSS JOIN LATERAL ({_OF_SPACE}) AS of_space",
}
_WITHOUT_VECTOR = f"""
SELECT DISTINCT description
FROM memory_memoryrow
WHERE simulation_id = %(simulation_id)s AND formed_tick <= %(as_of_tick)s
    AND (%(agent)s = '' OR agent = %(agent)s) AND NOT EXISTS ({_OF_SPACE})
ORDER BY description
"""  # noqa: S608 (parts of statements)


class VectorsIncomplete(DomainError):
    """Memories have no vector under the embedding model; `manage.py reembed` stores them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSpace:
    """The embedding model and the number of dimensions of vectors that can be compared."""

    model: str
    dimensions: int

    def values_for(self, simulation_id: UUID) -> dict[str, object]:
        """Return the values of the statements above."""
        return {
            "space_model": self.model,
            "space_dimensions": self.dimensions,
            "space_origins": origins_of(simulation_id),
        }


def texts_without_vector(
    simulation_id: UUID, space: VectorSpace, *, as_of_tick: int, agent: str = ""
) -> list[str]:
    """Return the descriptions of memories, of one agent or all, that have no vector in it."""
    values = space.values_for(simulation_id) | {
        "simulation_id": simulation_id,
        "agent": agent,
        "as_of_tick": as_of_tick,
    }
    rows = history_rows(_WITHOUT_VECTOR, values, simulation_id)
    return [text for (text,) in rows]


def ensure_complete(
    simulation_id: UUID, space: VectorSpace, *, as_of_tick: int, agent: str
) -> None:
    """Check that all memories of the agent have a vector.

    :raises VectorsIncomplete: if one has none.
    """
    missing = texts_without_vector(simulation_id, space, as_of_tick=as_of_tick, agent=agent)
    if missing:
        raise VectorsIncomplete(
            f"{len(missing)} descriptions of memories have no vector of {space.model!r} with "
            f"{space.dimensions} dimensions; `manage.py reembed` stores them"
        )
