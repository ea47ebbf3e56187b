"""What every embedding model keeps to, and what a server's can do wrong."""

import json
import math
from typing import Any

import pytest

from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import EmbeddingModel, ModelMisconfigured, ModelUnavailable
from apps.llm.servers.openai_embedding import (
    OpenAIEmbeddingModel,
)
from tests.model_server.faults import Body, broken
from tests.model_server.server import DIMENSIONS, EMBEDDING_MODEL, ModelServer


class EmbeddingModelContract:
    """Inherited by a test class for each adapter, which says what its `model` is."""

    def test_gives_each_text_a_vector_of_its_dimensions(self, model: EmbeddingModel) -> None:
        vectors = model.embed(["a walk", "a party", "a walk"])
        assert [len(vector) for vector in vectors] == [model.dimensions] * 3
        assert vectors[0] == pytest.approx(vectors[2])
        assert vectors[0] != pytest.approx(vectors[1])

    def test_gives_vectors_of_length_one(self, model: EmbeddingModel) -> None:
        for vector in model.embed(["a walk", "", "!!!", "散歩"]):
            assert math.hypot(*vector) == pytest.approx(1.0)

    def test_gives_a_text_its_vector_whatever_stands_beside_it(
        self, model: EmbeddingModel
    ) -> None:
        together = model.embed(["a party", "a walk"])
        assert together[1] == pytest.approx(model.embed(["a walk"])[0])

    def test_of_nothing_gives_nothing(self, model: EmbeddingModel) -> None:
        assert model.embed([]) == []

    def test_takes_more_than_fits_into_one_request(self, model: EmbeddingModel) -> None:
        texts = [f"thing number {number}" for number in range(2 * 128 + 1)]
        vectors = model.embed(texts)
        assert len(vectors) == len(texts)
        assert vectors[-1] == pytest.approx(model.embed(texts[-1:])[0])


class TestHashingEmbedding(EmbeddingModelContract):
    @pytest.fixture
    def model(self) -> EmbeddingModel:
        return HashingEmbedding()


class TestOpenAIEmbeddingModel(EmbeddingModelContract):
    @pytest.fixture
    def model(self, model_server: ModelServer) -> EmbeddingModel:
        return self.of(model_server)

    def of(self, model_server: ModelServer, **settings: Any) -> OpenAIEmbeddingModel:
        server = model_server.as_server(**settings)
        return OpenAIEmbeddingModel(server, EMBEDDING_MODEL, DIMENSIONS)

    def test_sends_dimensions_only_where_the_server_takes_them(
        self, model_server: ModelServer
    ) -> None:
        self.of(model_server).embed(["x"])
        self.of(model_server, sends_dimensions=False).embed(["x"])
        assert [body.get("dimensions") for body in model_server.requests] == [DIMENSIONS, None]

    def test_refuses_other_dimensions_and_names_the_mend(
        self, model_server: ModelServer
    ) -> None:
        model_server.dimensions = 5
        with pytest.raises(ModelMisconfigured, match="name embedding_dimensions 5"):
            self.of(model_server).embed(["x"])

    def test_refuses_vectors_without_direction(self, model_server: ModelServer) -> None:
        data = [{"object": "embedding", "index": 0, "embedding": [0.0] * DIMENSIONS}]
        nothing = {"object": "list", "model": "m", "data": data, "usage": {}}
        model_server.goes_wrong(Body(json.dumps(nothing)))
        with pytest.raises(ModelMisconfigured, match="without direction"):
            self.of(model_server).embed(["x"])

    @pytest.mark.parametrize("text", ["no JSON", "[]", "{}", '{"data": []}', "null"])
    def test_takes_garbled_lists_for_a_server_that_is_away(
        self, model_server: ModelServer, text: str
    ) -> None:
        model_server.goes_wrong(*[Body(text)] * 3)
        with pytest.raises(ModelUnavailable):
            self.of(model_server).embed(["x"])

    def test_tries_again(self, model_server: ModelServer) -> None:
        model_server.goes_wrong(broken(), broken())
        assert len(self.of(model_server).embed(["x"])) == 1
