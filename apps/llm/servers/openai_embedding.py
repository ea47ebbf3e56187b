"""Embedding models behind any server that speaks the OpenAI protocol (L1)."""

import math
from collections.abc import Sequence
from typing import Any

from openai import APIStatusError
from pydantic import BaseModel

from apps.kernel.chance import unit
from apps.llm.port import Embedded, ModelMisconfigured, ModelUnavailable
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import misconfigured
from apps.llm.servers.openai_client import Tries, client_of, send

TEXTS_PER_REQUEST_MAX = 128
TEXT_CHARACTERS_MAX = 20_000  # well under the 8k tokens that servers take


class _Embedding(BaseModel):
    index: int
    embedding: list[float]


class _Usage(BaseModel):
    prompt_tokens: int | None = None


class _Reply(BaseModel):
    """The parts of a list of embeddings that are used."""

    data: list[_Embedding]
    usage: _Usage | None = None


class OpenAIEmbeddingModel:
    """One embedding model of one server; its vectors are normalized to length one."""

    remote = True
    texts_at_once_max = TEXTS_PER_REQUEST_MAX

    def __init__(self, server: Server, model: str, dimensions: int) -> None:
        self._server = server
        self.server = server.name
        self.name = model
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text; see `EmbeddingModel`."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), TEXTS_PER_REQUEST_MAX):
            vectors += self.embed_at_once(texts[start : start + TEXTS_PER_REQUEST_MAX]).vectors
        return vectors

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Embed the texts in one request; see `EmbeddingModel`."""
        parameters: dict[str, Any] = {
            "model": self.name,
            # Servers refuse an empty text; a blank is as empty as they take.
            "input": [text[:TEXT_CHARACTERS_MAX] or " " for text in texts],
            "encoding_format": "float",
        }
        if self._server.sends_dimensions:
            parameters["dimensions"] = self.dimensions
        tries = Tries(self._server, lambda number: unit(number, "retry", self.name, *texts[:1]))
        create = client_of(self._server).embeddings.with_streaming_response.create
        try:
            response = send(tries, create, parameters, _Reply)
        except APIStatusError as error:
            raise misconfigured(error, self._server, tries.setbacks) from error
        return Embedded(
            vectors=self._in_order(response.reply, len(texts)),
            prompt_tokens=(response.reply.usage or _Usage()).prompt_tokens or 0,
            latency_seconds=response.seconds,
            setbacks=tuple(tries.setbacks),
        )

    def _in_order(self, reply: _Reply, count: int) -> list[list[float]]:
        if len(reply.data) != count:
            raise ModelUnavailable(
                f"the model server {self.server!r} answered {count} texts with "
                f"{len(reply.data)} vectors; run the simulation again"
            )
        in_order = sorted(reply.data, key=lambda embedding: embedding.index)
        return [self._unit(embedding.embedding) for embedding in in_order]

    def _unit(self, vector: Sequence[float]) -> list[float]:
        if len(vector) != self.dimensions:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with {len(vector)} dimensions, "
                f"the simulation was created with {self.dimensions}; "
                f"name embedding_dimensions {len(vector)} when you create one"
            )
        length = math.sqrt(sum(value * value for value in vector))
        if not math.isfinite(length) or length == 0.0:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with vectors without direction; "
                "choose another"
            )
        return [value / length for value in vector]
