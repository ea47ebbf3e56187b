"""Embedding models behind any server that speaks the OpenAI protocol (L1)."""

import math
from collections.abc import Sequence
from typing import Any

from openai import APIError
from pydantic import BaseModel

from apps.llm.openai_client import client_of, places_at, raise_as_ours, reply_in
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.servers import Server

TEXTS_PER_REQUEST_MAX = 128
TEXT_CHARACTERS_MAX = 20_000  # well under the 8k tokens that servers take


class _Embedding(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    """What is read of a list of embeddings."""

    data: list[_Embedding]


class OpenAIEmbeddingModel:
    """One embedding model of one server; its vectors are made length one."""

    remote = True

    def __init__(self, server: Server, model: str, dimensions: int) -> None:
        """Keep the server, the model's name and the dimensions that it must answer with."""
        self._server = server
        self.name = model
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text; see `EmbeddingModel`."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), TEXTS_PER_REQUEST_MAX):
            vectors += self._batch(texts[start : start + TEXTS_PER_REQUEST_MAX])
        return vectors

    def _batch(self, texts: Sequence[str]) -> list[list[float]]:
        parameters: dict[str, Any] = {
            "model": self.name,
            # Servers refuse an empty text; a blank is as empty as they take.
            "input": [text[:TEXT_CHARACTERS_MAX] or " " for text in texts],
            "encoding_format": "float",
        }
        if self._server.sends_dimensions:
            parameters["dimensions"] = self.dimensions
        embeddings = client_of(self._server).embeddings
        try:
            with places_at(self._server):
                answer = embeddings.with_raw_response.create(**parameters)
        except APIError as error:
            raise_as_ours(error, self._server)
        reply = reply_in(answer, _Reply, self._server)
        if len(reply.data) != len(texts):
            raise ModelUnavailable(
                f"the model server {self._server.name!r} answered {len(texts)} texts with "
                f"{len(reply.data)} vectors; run the simulation again"
            )
        in_order = sorted(reply.data, key=lambda embedding: embedding.index)
        return [self._unit(embedding.embedding) for embedding in in_order]

    def _unit(self, vector: Sequence[float]) -> list[float]:
        if len(vector) != self.dimensions:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with {len(vector)} dimensions, "
                f"the simulation was founded with {self.dimensions}; "
                f"name embedding_dimensions {len(vector)} when you found one"
            )
        length = math.sqrt(sum(value * value for value in vector))
        if not math.isfinite(length) or length == 0.0:
            raise ModelMisconfigured(
                f"the embedding model {self.name!r} answers with vectors without direction; "
                "choose another"
            )
        return [value / length for value in vector]
