"""Vectors stored by content: a text is embedded once for each model (ADR 87).

All simulations share the vectors that this installation has computed or requested. Those of an
imported archive belong to that simulation and its branches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from pgvector import HalfVector

from apps.django_support.statements import carry_out
from apps.kernel.batches import batches
from apps.lineage.branches import ancestors_of
from apps.llm.calls.budget import add_to_budget, check_budget
from apps.llm.calls.call_log import EMBEDDING, CallPlace, EmbeddingContext, FailedCall
from apps.llm.calls.django_call_log import DjangoCallLog, release_connection
from apps.llm.calls.metrics import count_embedding
from apps.llm.calls.record import tries_json
from apps.llm.cleaning import clean_text
from apps.llm.models import SHARED, EmbeddingCallRow, EmbeddingRow
from apps.llm.port import EmbeddingModel, ModelError
from apps.llm.prices import FREE
from apps.llm.usage import Usage

ROWS_PER_INSERT_MAX = 500
HALF_DIGITS = 5  # significant ones: a half float has eleven bits

_INSERT = """
INSERT INTO llm_embeddingrow (origin, model, dimensions, text_sha256, vector)
SELECT %(origin)s, %(model)s, %(dimensions)s, new.key, new.vector::halfvec
FROM unnest(%(keys)s::text[], %(vectors)s::text[]) AS new(key, vector)
ON CONFLICT DO NOTHING
"""


# The vector of a text; of several, that of the greatest origin (see `origins_of`).
VECTOR_OF = """
SELECT vector FROM llm_embeddingrow
WHERE model = {model} AND dimensions = {dimensions}
    AND text_sha256 = encode(sha256(convert_to({text}, 'UTF8')), 'hex')
    AND llm_embeddingrow.origin = ANY({origins})
ORDER BY llm_embeddingrow.origin DESC LIMIT 1
"""


def text_key(text: str) -> str:
    """Return the key of the text's vector: its sha256 in hexadecimals."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def origins_of(simulation_id: UUID | None) -> list[UUID]:
    """Return the origins of the vectors that a simulation reads; without one, SHARED alone.

    Of several vectors of a text it reads the one with the greatest origin: SHARED is the least.
    """
    if simulation_id is None:
        return [SHARED]
    return [
        SHARED,
        simulation_id,
        *(share.simulation_id for share in ancestors_of(simulation_id)),
    ]


def stored_vectors(
    keys: Sequence[str], *, model: str, dimensions: int, simulation_id: UUID | None = None
) -> dict[str, list[float]]:
    """Return the vectors by text key that the simulation reads. Calls no model."""
    rows = EmbeddingRow.objects.filter(
        origin__in=origins_of(simulation_id),
        model=model,
        dimensions=dimensions,
        text_sha256__in=keys,
    ).order_by("origin")
    return {key: as_halves(vector) for key, vector in rows.values_list("text_sha256", "vector")}


def as_halves(vector: Sequence[float]) -> list[float]:
    """Return the vector rounded to half floats, as it is stored.

    The driver reads decimal forms, which differ a little from them.
    """
    exact: list[float] = HalfVector(list(vector)).to_list()
    return exact


class StoredVectors:
    """The vectors of one embedding model in EmbeddingRow; see `Vectors`.

    `context` is what the requests of a remote model are recorded for.

    Its methods raise ModelUnavailable if the model does not answer, ModelMisconfigured if it
    refuses or answers with another dimension, and BudgetSpent if the budget is spent.
    """

    def __init__(self, model: EmbeddingModel, context: EmbeddingContext | None = None) -> None:
        self._model = model
        self._context = context
        self._simulation_id = None if context is None else context.simulation_id

    def ensure(self, texts: Sequence[str], *, along: Sequence[str] = ()) -> None:
        """Embed and store the texts that have no vector yet.

        Embedding with a local model takes less time than a query for the missing ones. The
        vectors of a remote model are stored after each request: what arrived is not paid for
        again. The texts `along` are embedded too if one of the others has no vector yet.
        """
        model = self._model
        needed = {text_key(text): text for text in texts}
        if not model.remote:
            _store(model, list(needed), model.embed(list(needed.values())))
            return
        by_key = needed | {text_key(text): text for text in along}
        known = set(
            EmbeddingRow.objects.filter(
                origin__in=origins_of(self._simulation_id),
                model=model.name,
                dimensions=model.dimensions,
                text_sha256__in=list(by_key),
            ).values_list("text_sha256", flat=True)
        )
        if needed.keys() <= known:
            return
        missing = [key for key in by_key if key not in known]
        for start in range(0, len(missing), model.texts_at_once_max):
            keys = missing[start : start + model.texts_at_once_max]
            self._embed_remotely({key: by_key[key] for key in keys})

    def vectors(
        self, texts: Sequence[str], *, along: Sequence[str] = ()
    ) -> dict[str, list[float]]:
        """Return the vectors by text, as they are stored; missing ones are embedded.

        Those of a local model are computed and not stored: they are the same every time.
        """
        if not self._model.remote:
            once = list(dict.fromkeys(texts))
            return dict(zip(once, map(as_halves, self._model.embed(once)), strict=True))
        self.ensure(texts, along=along)
        keys = {text: text_key(text) for text in texts}
        stored = stored_vectors(
            list(keys.values()),
            model=self._model.name,
            dimensions=self._model.dimensions,
            simulation_id=self._simulation_id,
        )
        return {text: stored[key] for text, key in keys.items()}

    def _embed_remotely(self, by_key: Mapping[str, str]) -> None:
        """Embed the texts of one request; vectors and record are one transaction."""
        model, context = self._model, self._context
        assert context is not None, "a request to a remote model is recorded for a turn"
        check_budget(context.simulation_id, (), is_priced=context.price is not None)
        release_connection()
        try:
            embedded = model.embed_at_once(list(by_key.values()))
        except ModelError as error:
            _record_failure(model, context, error)
            raise
        price = context.price or FREE
        spent = Usage(
            calls=1,
            prompt_tokens=embedded.prompt_tokens,
            latency_ms=round(embedded.latency_seconds * 1_000),
            cost=price.cost(prompt_tokens=embedded.prompt_tokens, completion_tokens=0),
        )
        with transaction.atomic():
            _store(model, list(by_key), embedded.vectors)
            row = EmbeddingCallRow.objects.create(
                simulation_id=context.simulation_id,
                tick=context.tick,
                stream=context.stream,
                purpose=context.purpose,
                server=model.server,
                model=model.name,
                **asdict(embedded.served),
                texts=len(by_key),
                characters=sum(map(len, by_key.values())),
                prompt_tokens=spent.prompt_tokens,
                latency_ms=spent.latency_ms,
                cost=spent.cost,
                setbacks=list(map(clean_text, embedded.setbacks)),
            )
            add_to_budget(context.simulation_id, [spent])
            count_embedding(row)


def _store(model: EmbeddingModel, keys: Sequence[str], vectors: Sequence[list[float]]) -> None:
    store_vectors(dict(zip(keys, vectors, strict=True)), model.name, model.dimensions)


def store_vectors(
    vectors: Mapping[str, Sequence[float]],
    model: str,
    dimensions: int,
    *,
    origin: UUID = SHARED,
) -> None:
    """Insert the vectors, by text key, that are not stored yet."""
    # Sorted, so that two workers with the same texts cannot deadlock.
    for batch in batches(sorted(vectors.items()), ROWS_PER_INSERT_MAX):
        values = {
            "origin": origin,
            "model": model,
            "dimensions": dimensions,
            "keys": [key for key, _ in batch],
            "vectors": [_as_text(vector) for _, vector in batch],
        }
        carry_out(_INSERT, values)


def _as_text(vector: Sequence[float]) -> str:
    """Return the vector's half floats in the fewest digits that distinguish them all."""
    halves = (f"{half:.{HALF_DIGITS}g}" if half else "0" for half in as_halves(vector))
    return f"[{','.join(halves)}]"


def _record_failure(
    model: EmbeddingModel, context: EmbeddingContext, error: ModelError
) -> None:
    place = CallPlace(
        simulation_id=context.simulation_id,
        tick=context.tick,
        stream=context.stream,
        task=EMBEDDING,
        ordinal=0,
    )
    failure = FailedCall(
        place=place,
        server=model.server,
        model=model.name,
        code=error.code,
        detail=clean_text(error.message),
        attempts=tries_json(error),
        spent=Usage(),
    )
    DjangoCallLog(context.simulation_id).record_failure(failure)
