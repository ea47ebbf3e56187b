"""Embedding models behind any server that speaks the OpenAI protocol (L1)."""

import base64
import math
import struct
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from apps.kernel.batches import batches
from apps.kernel.chance import unit
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import (
    NOTHING_SAID,
    Embedded,
    ModelMisconfigured,
    ModelUnavailable,
    Served,
)
from apps.llm.servers.chat_replies import PROMPT_TOKENS, reported_name, token_count
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import (
    MISSING_STATUSES,
    NO_NUMBER_WORDS,
    ServerError,
    misconfigured,
)
from apps.llm.servers.openai_client import Tries, client_of, send, version_of
from apps.llm.tokens import count_tokens

TEXT_CHARACTERS_MAX = 20_000  # well under the 8k tokens that servers take
TEXT_CHARACTERS_MIN = 200
# What a server may refuse, and words of its errors.
DIMENSIONS, LIST = "dimensions", "input"
REFUSED_WORDS = {
    DIMENSIONS: ("dimension", "matryoshka"),
    LIST: ("str type expected", "valid string", "must be a string"),
}
BATCH_WORDS = ("batch", "too many", "inputs", "array", "larger than", "maximum number")
LONG_WORDS = ("too long", "length", "too large", "tokens", "too big")
BYTES_PER_NUMBER = 4
SHOWN_CHARACTERS_MAX = 60
NO_EMBEDDINGS = (
    "check the name of its embedding model; for a server without embeddings, name another one, "
    "or set OPENAI_EMBEDDING_MODEL to nothing, which embeds texts by hashing"
)


class _Embedding(BaseModel):
    index: int | None = None
    embedding: Any


class _Reply(BaseModel):
    """The parts of a list of embeddings that are used."""

    data: list[_Embedding]
    usage: Any = None
    model: Any = None
    system_fingerprint: Any = None


class OpenAIEmbeddingModel:
    """One embedding model of one server; its vectors are normalized to length one.

    The object remembers what the server refuses: the length of vectors, a list of texts, more
    than so many of them at once.
    """

    remote = True

    def __init__(self, server: Server, model: str, dimensions: int) -> None:
        self._server = server
        self.server = server.name
        self.name = model
        self.dimensions = dimensions
        self._refused: set[str] = set() if server.sends_dimensions else {DIMENSIONS}
        self.texts_at_once_max = self._texts_max = server.texts_at_once_max

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text; see `EmbeddingModel`."""
        vectors: list[list[float]] = []
        for some in batches(texts, self.texts_at_once_max):
            vectors += self.embed_at_once(some).vectors
        return vectors

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Embed the texts, in one request if the server takes so many; see `EmbeddingModel`.

        A text that the server cannot embed alone is shortened, then embedded by hashing; a
        setback says so.
        """
        tries = Tries(self._server, lambda number: unit(number, "retry", self.name, *texts[:1]))
        # Servers refuse an empty text; a blank is as empty as they take.
        sent = [text[:TEXT_CHARACTERS_MAX] or " " for text in texts]
        parts = [self._embedded(batch, tries) for batch in batches(sent, self._texts_max)]
        return Embedded(
            vectors=[vector for part in parts for vector in part.vectors],
            prompt_tokens=sum(part.prompt_tokens for part in parts),
            latency_seconds=sum(part.latency_seconds for part in parts),
            served=_last_served(parts),
            setbacks=tuple(tries.setbacks),
        )

    def _embedded(self, texts: Sequence[str], tries: Tries) -> Embedded:
        """Embed the texts in one request, or in another form if the server refuses that."""
        given_alone = LIST in self._refused and len(texts) == 1
        parameters: dict[str, Any] = {
            "model": self.name,
            "input": texts[0] if given_alone else list(texts),
            "encoding_format": "float",
        }
        if DIMENSIONS not in self._refused:
            parameters["dimensions"] = self.dimensions
        create = client_of(self._server).embeddings.with_streaming_response.create
        try:
            response = send(tries, create, parameters, _Reply)
        except ServerError as error:
            return self._conceded(error, texts, tries)
        given = response.reply.data
        if len(given) != len(texts):
            if len(texts) > 1:
                tries.setbacks.append(f"{len(texts)} texts got {len(given)} vectors")
                return self._halved(texts, tries)
            raise ModelUnavailable(
                f"the model server {self.server!r} answered {len(texts)} texts with "
                f"{len(given)} vectors; run the simulation again"
            )
        # Some servers give no index, or each vector the same one; all keep the order.
        if sorted(one.index or 0 for one in given) == list(range(len(given))):
            given = sorted(given, key=lambda one: one.index or 0)
        prompt_tokens = token_count(response.reply.usage, *PROMPT_TOKENS)
        return Embedded(
            vectors=[
                self._unit(one.embedding, text, tries)
                for one, text in zip(given, texts, strict=True)
            ],
            prompt_tokens=prompt_tokens or sum(map(count_tokens, texts)),
            latency_seconds=response.seconds,
            served=Served(
                served_model=reported_name(response.reply.model),
                system_fingerprint=reported_name(response.reply.system_fingerprint),
                server_version=version_of(self._server),
            ),
        )

    def _conceded(self, error: ServerError, texts: Sequence[str], tries: Tries) -> Embedded:
        """Embed the texts in a form that the server has not refused.

        :raises ModelMisconfigured: if there is none.
        """
        is_missing = error.status in MISSING_STATUSES
        hint = NO_EMBEDDINGS if is_missing else ""
        refused = misconfigured(error, self._server, tries.setbacks, hint)
        if is_missing or not error.may_be_conceded or error.is_about_model:
            raise refused
        tries.setbacks.append(error.told)
        for name, words in REFUSED_WORDS.items():
            if name not in self._refused and error.names(words):
                self._refused.add(name)
                return self._embedded(texts, tries)
        if len(texts) > 1:
            if LIST in self._refused:
                self._texts_max = 1
            elif (
                error.names(BATCH_WORDS) or error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            ):
                self._texts_max = min(self._texts_max, len(texts) // 2)
            return self._halved(texts, tries)
        return self._embedded_alone(texts[0], error, refused, tries)

    def _embedded_alone(
        self, text: str, error: ServerError, refused: ModelMisconfigured, tries: Tries
    ) -> Embedded:
        """Embed a text that the server cannot embed as it is."""
        is_too_long = error.is_about_length or error.names(LONG_WORDS)
        if is_too_long and len(text) >= 2 * TEXT_CHARACTERS_MIN:
            return self._embedded([text[: len(text) // 2]], tries)
        if is_too_long or error.is_about_content or error.names(NO_NUMBER_WORDS):
            return Embedded(vectors=[self._hashed(text, tries)])
        raise refused

    def _halved(self, texts: Sequence[str], tries: Tries) -> Embedded:
        first, second = (
            self._embedded(part, tries)
            for part in (texts[: len(texts) // 2], texts[len(texts) // 2 :])
        )
        return Embedded(
            vectors=first.vectors + second.vectors,
            prompt_tokens=first.prompt_tokens + second.prompt_tokens,
            latency_seconds=first.latency_seconds + second.latency_seconds,
            served=_last_served([first, second]),
        )

    def _hashed(self, text: str, tries: Tries) -> list[float]:
        """Return the vector by hashing of a text that the server cannot embed.

        Nothing is near it but texts with the same fault; the others keep their vectors.
        """
        tries.setbacks.append(f"embedded by hashing: {text[:SHOWN_CHARACTERS_MAX]}")
        return HashingEmbedding(self.dimensions).embed([text])[0]

    def _unit(self, given: object, text: str, tries: Tries) -> list[float]:
        """Return the vector at length one: of numbers, of base64, or in a list of its own."""
        while isinstance(given, list) and len(given) == 1 and isinstance(given[0], list):
            [given] = given
        vector = _numbers(given) if isinstance(given, str) else given
        if not isinstance(vector, list) or any(isinstance(one, list | str) for one in vector):
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with a vector for each token, or "
                "with no numbers; start its server for embeddings, with pooling"
            )
        if len(vector) != self.dimensions:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with {len(vector)} dimensions, "
                f"the simulation was created with {self.dimensions}; "
                f"name embedding_dimensions {len(vector)} when you create one",
                model=self.server,
                setting=f"embedding_dimensions: {len(vector)}",
            )
        if any(value is None or not math.isfinite(value) for value in vector):
            return self._hashed(text, tries)
        length = math.hypot(*vector)
        if length == 0.0:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with vectors without direction; "
                "choose another"
            )
        return [value / length for value in vector]


def _last_served(parts: Sequence[Embedded]) -> Served:
    """Return what the last reply says; a text that was embedded by hashing has none."""
    said = (part.served for part in reversed(parts) if part.served != NOTHING_SAID)
    return next(said, NOTHING_SAID)


def _numbers(text: str) -> list[float]:
    """Return the little-endian floats of base64.

    :raises ModelMisconfigured: if it is something else.
    """
    try:
        data = base64.b64decode(text, validate=True)
        return list(struct.unpack(f"<{len(data) // BYTES_PER_NUMBER}f", data))
    except (ValueError, struct.error) as error:
        raise ModelMisconfigured(
            f"the embedding server answers with the text {text[:SHOWN_CHARACTERS_MAX]!r} in "
            "place of numbers; choose another model"
        ) from error
