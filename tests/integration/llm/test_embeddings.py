"""Vectors in PostgreSQL: by content, once, whoever comes first."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from apps.llm.embeddings import ensure_embedded, stored_vectors, text_key, vectors_for
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import DIMENSIONS_MAX
from apps.llm.models import EmbeddingRow
from apps.llm.openai_embedding import OpenAIEmbeddingModel
from apps.llm.port import ModelMisconfigured
from tests.model_server.server import DIMENSIONS, EMBEDDING_MODEL, ModelServer

TEXTS = [f"thing number {number}" for number in range(40)]


@pytest.mark.django_db
class TestEnsureEmbedded:
    def test_keeps_each_text_once_for_each_model(self) -> None:
        ensure_embedded(["a walk", "a walk", "a party"], HashingEmbedding())
        ensure_embedded(["a walk"], HashingEmbedding())
        ensure_embedded(["a walk"], HashingEmbedding(64))
        assert EmbeddingRow.objects.count() == 3

    @pytest.mark.parametrize("dimensions", [8, DIMENSIONS_MAX])
    def test_lets_dimensions_differ_in_one_table(self, dimensions: int) -> None:
        ensure_embedded(["a walk"], HashingEmbedding(dimensions))
        [vector] = stored_vectors(
            [text_key("a walk")], model="hashing-v1", dimensions=dimensions
        ).values()
        assert len(vector) == dimensions

    def test_is_read_without_a_model(self) -> None:
        ensure_embedded(["a walk"], HashingEmbedding())
        vectors = vectors_for(["a walk"], HashingEmbedding())
        kept = stored_vectors(
            [text_key("a walk"), text_key("else")], model="hashing-v1", dimensions=384
        )
        assert kept == {text_key("a walk"): vectors["a walk"]}


@pytest.mark.django_db(transaction=True)
class TestTogether:
    def test_several_workers_may_embed_the_same(self) -> None:
        def embed(turn: int) -> None:
            texts = TEXTS[turn:] + TEXTS[:turn]
            try:
                with transaction.atomic():
                    ensure_embedded(texts, HashingEmbedding())
            finally:
                connection.close()

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(embed, range(0, 36, 6)))
        assert EmbeddingRow.objects.count() == len(TEXTS)

    def test_a_server_is_asked_for_what_is_missing(self, model_server: ModelServer) -> None:
        model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
        ensure_embedded(TEXTS[:3], model)
        ensure_embedded(TEXTS[:5], model)
        assert [body["input"] for body in model_server.requests] == [
            TEXTS[:3],
            TEXTS[3:5],
        ]

    def test_nothing_is_kept_of_a_model_that_changed_its_dimensions(
        self, model_server: ModelServer
    ) -> None:
        model_server.dimensions = 5
        model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
        with pytest.raises(ModelMisconfigured):
            ensure_embedded(TEXTS[:3], model)
        assert EmbeddingRow.objects.count() == 0
