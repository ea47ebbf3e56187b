"""Vectors kept by content: a text is embedded once, whoever says it and however often."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from django.db import transaction
from pgvector import HalfVector

from apps.django_support.statements import carry_out
from apps.llm.budget import count_in, refuse_spent
from apps.llm.call_counts import count_embedding
from apps.llm.call_log import EMBEDDING, NOTHING_SPENT, Asker, CallPlace, FailedCall, Spent
from apps.llm.call_record import tries_json
from apps.llm.cleaning import clean_text
from apps.llm.django_call_log import DjangoCallLog, give_back_connection
from apps.llm.models import EmbeddingCallRow, EmbeddingRow
from apps.llm.port import EmbeddingModel, ModelRefusal
from apps.llm.prices import FREE

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


def ensure_embedded(
    texts: Sequence[str], model: EmbeddingModel, asker: Asker | None = None
) -> None:
    """Embed and keep what is not kept yet.

    What a local model embeds takes less time than looking for what it need not: it is
    not looked for, and what is kept already stays. What a remote model embeds is kept
    request by request: none that came back is paid again.

    :raises ModelUnavailable: if the model does not answer.
    :raises ModelMisconfigured: if it refuses, or answers with another dimension.
    :raises BudgetSpent: if the asker's simulation has used as much as it may.
    """
    by_key = {text_key(text): text for text in texts}
    known = _known_keys(list(by_key), model) if model.remote else set()
    missing = [key for key in by_key if key not in known]
    if not model.remote:
        _keep(model, missing, model.embed([by_key[key] for key in missing]))
        return
    for start in range(0, len(missing), model.texts_at_once_max):
        assert asker is not None, "a remote model is asked on somebody's behalf, on record"
        keys = missing[start : start + model.texts_at_once_max]
        _embed_remotely(model, {key: by_key[key] for key in keys}, asker)


def vectors_for(
    texts: Sequence[str], model: EmbeddingModel, asker: Asker | None = None
) -> dict[str, list[float]]:
    """Return the vectors by text, as they are kept; embed what is not kept yet.

    A local model's are worked out on the spot and not kept: they are the same every time.

    :raises ModelUnavailable: if the model does not answer.
    :raises ModelMisconfigured: if it refuses, or answers with another dimension.
    :raises BudgetSpent: if the asker's simulation has used as much as it may.
    """
    if not model.remote:
        once = list(dict.fromkeys(texts))
        return dict(zip(once, map(as_halves, model.embed(once)), strict=True))
    ensure_embedded(texts, model, asker)
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

    def __init__(self, model: EmbeddingModel, asker: Asker) -> None:
        """Keep the model, and on whose behalf it is asked."""
        self._model = model
        self._asker = asker

    def ensure(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept."""
        ensure_embedded(texts, self._model, self._asker)

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text, as they are kept."""
        return vectors_for(texts, self._model, self._asker)


def as_halves(vector: list[float]) -> list[float]:
    """Return the vector rounded to half floats, as they are kept.

    What the driver reads are their decimal forms, which are a little beside them.
    """
    exact: list[float] = HalfVector(vector).to_list()
    return exact


def _keep(model: EmbeddingModel, keys: Sequence[str], vectors: Sequence[list[float]]) -> None:
    """Keep the vectors; those that somebody else has kept meanwhile stay as they are."""
    # Sorted, so that two workers with the same texts cannot wait for each other.
    rows = sorted(zip(keys, vectors, strict=True))
    for first in range(0, len(rows), ROWS_PER_INSERT_MAX):
        some = rows[first : first + ROWS_PER_INSERT_MAX]
        kept = {
            "model": model.name,
            "dimensions": model.dimensions,
            "keys": [key for key, _ in some],
            "vectors": [_as_text(vector) for _, vector in some],
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


def _embed_remotely(model: EmbeddingModel, by_key: Mapping[str, str], asker: Asker) -> None:
    """Embed what fits one request; vectors and their record are kept together."""
    refuse_spent(asker.simulation_id, is_priced=asker.price is not None)
    give_back_connection()
    try:
        embedded = model.embed_at_once(list(by_key.values()))
    except ModelRefusal as refusal:
        DjangoCallLog(asker.simulation_id).record_failure(_failed(model, asker, refusal))
        raise
    cost = (asker.price or FREE).cost(prompt_tokens=embedded.prompt_tokens, completion_tokens=0)
    latency_ms = round(embedded.latency_seconds * 1_000)
    with transaction.atomic():
        _keep(model, list(by_key), embedded.vectors)
        row = EmbeddingCallRow.objects.create(
            simulation_id=asker.simulation_id,
            tick=asker.tick,
            stream=asker.stream,
            server=model.server,
            model=model.name,
            texts=len(by_key),
            characters=sum(map(len, by_key.values())),
            prompt_tokens=embedded.prompt_tokens,
            latency_ms=latency_ms,
            cost=cost,
            setbacks=[clean_text(setback) for setback in embedded.setbacks],
        )
        spent = Spent(
            prompt_tokens=embedded.prompt_tokens,
            completion_tokens=0,
            latency_ms=latency_ms,
            cost=cost,
        )
        count_in(asker.simulation_id, [spent])
        count_embedding(row)


def _failed(model: EmbeddingModel, asker: Asker, refusal: ModelRefusal) -> FailedCall:
    return FailedCall(
        place=CallPlace(
            simulation_id=asker.simulation_id,
            tick=asker.tick,
            stream=asker.stream,
            chain=EMBEDDING,
            ordinal=0,
        ),
        server=model.server,
        model=model.name,
        code=refusal.code,
        detail=clean_text(refusal.message),
        attempts=tries_json(refusal),
        spent=NOTHING_SPENT,
    )
