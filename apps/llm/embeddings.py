"""Vectors kept by content: a text is embedded once, whoever says it and however often."""

from collections.abc import Sequence
from hashlib import sha256

from pgvector import HalfVector

from apps.django_support.statements import carry_out
from apps.llm.journal import give_back_connection
from apps.llm.models import EmbeddingRow
from apps.llm.port import EmbeddingModel

ROWS_PER_INSERT_MAX = 500
HALF_DIGITS = 5  # significant ones: a half float has eleven bits

_KEEP = """
INSERT INTO llm_embeddingrow (model, dimensions, text_sha256, vector)
SELECT %(model)s, %(dimensions)s, new.key, new.vector::halfvec
FROM unnest(%(keys)s::text[], %(vectors)s::text[]) AS new(key, vector)
ON CONFLICT DO NOTHING
"""


def text_key(text: str) -> str:
    """Return the key that the text's vector is kept under: its sha256 in hexadecimals."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def ensure_embedded(texts: Sequence[str], model: EmbeddingModel) -> None:
    """Embed and keep what is not kept yet.

    What a local model embeds takes less time than looking for what it need not: it is
    not looked for, and what is kept already stays.

    :raises ModelUnavailable: if the model does not answer.
    :raises ModelMisconfigured: if it refuses, or answers with another dimension.
    """
    by_key = {text_key(text): text for text in texts}
    known = _known_keys(list(by_key), model) if model.remote else set()
    missing = [key for key in by_key if key not in known]
    if not missing:
        return
    if model.remote:
        give_back_connection()
    vectors = model.embed([by_key[key] for key in missing])
    # Sorted, so that two workers with the same texts cannot wait for each other.
    rows = sorted(zip(missing, vectors, strict=True))
    for first in range(0, len(rows), ROWS_PER_INSERT_MAX):
        _keep(rows[first : first + ROWS_PER_INSERT_MAX], model)


def vectors_for(texts: Sequence[str], model: EmbeddingModel) -> dict[str, list[float]]:
    """Return the vectors by text, as they are kept; embed what is not kept yet.

    A local model's are worked out on the spot and not kept: they are the same every time.

    :raises ModelUnavailable: if the model does not answer.
    :raises ModelMisconfigured: if it refuses, or answers with another dimension.
    """
    if not model.remote:
        once = list(dict.fromkeys(texts))
        return dict(zip(once, map(as_halves, model.embed(once)), strict=True))
    ensure_embedded(texts, model)
    by_key = {text_key(text): text for text in texts}
    kept = stored_vectors(list(by_key), model=model.name, dimensions=model.dimensions)
    return {text: kept[key] for key, text in by_key.items()}


def stored_vectors(
    keys: Sequence[str], *, model: str, dimensions: int
) -> dict[str, list[float]]:
    """Return the vectors that are kept, by text key. Never asks a model."""
    rows = EmbeddingRow.objects.filter(
        model=model, dimensions=dimensions, text_sha256__in=keys
    ).values_list("text_sha256", "vector")
    return {key: as_halves(vector) for key, vector in rows}


class StoredVectors:
    """The vectors of one embedding model in EmbeddingRow; see `ledger.Vectors`."""

    def __init__(self, model: EmbeddingModel) -> None:
        """Keep the model."""
        self._model = model

    def ensure(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept."""
        ensure_embedded(texts, self._model)

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text, as they are kept."""
        return vectors_for(texts, self._model)


def as_halves(vector: list[float]) -> list[float]:
    """Return the vector rounded to half floats, as they are kept.

    What the driver reads are their decimal forms, which are a little beside them.
    """
    exact: list[float] = HalfVector(vector).to_list()
    return exact


def _keep(rows: Sequence[tuple[str, list[float]]], model: EmbeddingModel) -> None:
    keys, vectors = zip(*rows, strict=True)
    kept = {
        "model": model.name,
        "dimensions": model.dimensions,
        "keys": list(keys),
        "vectors": [_as_text(vector) for vector in vectors],
    }
    carry_out(_KEEP, kept)


def _as_text(vector: list[float]) -> str:
    """Return the vector's halves in the fewest digits that tell them all apart."""
    halves = (f"{half:.{HALF_DIGITS}g}" if half else "0" for half in as_halves(vector))
    return f"[{','.join(halves)}]"


def _known_keys(keys: Sequence[str], model: EmbeddingModel) -> set[str]:
    return set(
        EmbeddingRow.objects.filter(
            model=model.name, dimensions=model.dimensions, text_sha256__in=keys
        ).values_list("text_sha256", flat=True)
    )
