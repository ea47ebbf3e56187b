"""Vectors in PostgreSQL: by content, once, whoever comes first."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection, transaction

from apps.llm.calls.budget import Budget, set_budget
from apps.llm.calls.call_log import EmbeddingContext
from apps.llm.calls.queries import CostGroup, costs
from apps.llm.embeddings import StoredVectors, stored_vectors, text_key
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import DIMENSIONS_MAX
from apps.llm.models import EmbeddingCallRow, EmbeddingRow, ModelFailureRow
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.llm.prices import Price
from apps.llm.servers.openai_embedding import (
    OpenAIEmbeddingModel,
)
from tests.model_server.faults import broken, busy
from tests.model_server.server import DIMENSIONS, EMBEDDING_MODEL, ModelServer

CONTEXT = EmbeddingContext(
    simulation_id=uuid4(), tick=7, stream="klaus-mueller", price=Price(prompt=Decimal(2))
)
TEXTS = [f"thing number {number}" for number in range(40)]


def count_vectors(texts: Iterable[str]) -> int:
    """Return how many vectors of the texts are stored, for all models together.

    Other tests of the same process may have stored vectors of other texts.
    """
    keys = {text_key(text) for text in texts}
    return EmbeddingRow.objects.filter(text_sha256__in=keys).count()


@pytest.mark.django_db
class TestEnsureEmbedded:
    def test_keeps_each_text_once_for_each_model(self) -> None:
        once, twice = "thing stored once", "thing stored for two models"
        StoredVectors(HashingEmbedding()).ensure([twice, twice, once])
        StoredVectors(HashingEmbedding()).ensure([twice])
        StoredVectors(HashingEmbedding(64)).ensure([twice])
        assert count_vectors([once, twice]) == 3

    @pytest.mark.parametrize("dimensions", [8, DIMENSIONS_MAX])
    def test_lets_dimensions_differ_in_one_table(self, dimensions: int) -> None:
        StoredVectors(HashingEmbedding(dimensions)).ensure(["a walk"])
        [vector] = stored_vectors(
            [text_key("a walk")], model="hashing-v1", dimensions=dimensions
        ).values()
        assert len(vector) == dimensions

    def test_is_read_without_a_model(self) -> None:
        StoredVectors(HashingEmbedding()).ensure(["a walk"])
        vectors = StoredVectors(HashingEmbedding()).vectors(["a walk"])
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
                    StoredVectors(HashingEmbedding()).ensure(texts)
            finally:
                connection.close()

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(embed, range(0, 36, 6)))
        assert count_vectors(TEXTS) == len(TEXTS)

    def test_a_server_is_asked_for_what_is_missing(self, model_server: ModelServer) -> None:
        model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
        StoredVectors(model, CONTEXT).ensure(TEXTS[:3])
        StoredVectors(model, CONTEXT).ensure(TEXTS[:5])
        assert [body["input"] for body in model_server.requests] == [
            TEXTS[:3],
            TEXTS[3:5],
        ]

    def test_expected_texts_ride_along_and_make_no_request(
        self, model_server: ModelServer
    ) -> None:
        model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
        vectors = StoredVectors(model, CONTEXT)
        vectors.ensure(TEXTS[:2])
        vectors.ensure(TEXTS[:2], along=TEXTS[2:4])
        assert set(vectors.vectors(TEXTS[4:5], along=TEXTS[1:4])) == {TEXTS[4]}
        vectors.ensure(TEXTS[2:4])
        assert [body["input"] for body in model_server.requests] == [
            TEXTS[:2],
            [TEXTS[4], *TEXTS[2:4]],
        ]

    def test_nothing_is_kept_of_a_model_that_changed_its_dimensions(
        self, model_server: ModelServer
    ) -> None:
        model_server.dimensions = 5
        model = OpenAIEmbeddingModel(model_server.as_server(), EMBEDDING_MODEL, DIMENSIONS)
        with pytest.raises(ModelMisconfigured):
            StoredVectors(model, CONTEXT).ensure(TEXTS[:3])
        assert count_vectors(TEXTS[:3]) == 0


@pytest.mark.django_db(transaction=True)
class TestRecord:
    """Requests for vectors to a server are on record, and what came back is paid once."""

    def model(self, model_server: ModelServer, **settings: object) -> OpenAIEmbeddingModel:
        server = model_server.as_server(**settings)
        return OpenAIEmbeddingModel(server, EMBEDDING_MODEL, DIMENSIONS)

    def test_tells_whose_request_it_was_and_what_it_used(
        self, model_server: ModelServer
    ) -> None:
        model_server.goes_wrong(busy())
        model_server.says = {"model": "embedding-0718", "system_fingerprint": "fp_1"}
        model_server.pages["/version"] = '{"version": "1.2.3"}'
        model = self.model(model_server, version_path="/version")
        StoredVectors(model, CONTEXT).ensure(TEXTS[:3])
        row = EmbeddingCallRow.objects.get(simulation_id=CONTEXT.simulation_id)
        assert (row.tick, row.stream, row.texts) == (7, "klaus-mueller", 3)
        assert row.characters == sum(map(len, TEXTS[:3]))
        assert (row.prompt_tokens, row.cost) == (1, Decimal("0.000002"))
        assert row.setbacks == ["429: slow down"]
        assert (row.served_model, row.system_fingerprint) == ("embedding-0718", "fp_1")
        assert (row.server_version, row.purpose) == ("1.2.3", "turn")

    def test_counts_towards_what_is_spent(self, model_server: ModelServer) -> None:
        StoredVectors(self.model(model_server), CONTEXT).ensure(TEXTS[:3])
        [line] = costs(CONTEXT.simulation_id, by=CostGroup.TASK)
        assert (line.key, line.calls, line.prompt_tokens) == ("embedding", 1, 1)
        assert (line.cached_prompt_tokens, line.billed_equivalent_tokens) == (0, 1)

    def test_keeps_what_came_before_a_failure(self, model_server: ModelServer) -> None:
        # Two requests' worth of texts: the first is answered, the second is not.
        texts = [f"text {number}" for number in range(128 + 5)]
        model = self.model(model_server)
        model_server.for_good = broken()
        model_server.answers_before = 1
        with pytest.raises(ModelUnavailable):
            StoredVectors(model, CONTEXT).ensure(texts)
        failure = ModelFailureRow.objects.get(simulation_id=CONTEXT.simulation_id)
        assert (failure.task, failure.code) == ("embedding", "model-unavailable")
        assert count_vectors(texts) == 128
        model_server.for_good = None
        StoredVectors(model, CONTEXT).ensure(texts)
        assert len(model_server.requests[-1]["input"]) == 5

    def test_is_not_made_beyond_the_budget(self, model_server: ModelServer) -> None:
        model = self.model(model_server)
        StoredVectors(model, CONTEXT).ensure(TEXTS[:1])
        set_budget(CONTEXT.simulation_id, Budget(tokens=2))
        StoredVectors(model, CONTEXT).ensure(TEXTS[1:2])
        with pytest.raises(BudgetSpent, match="budget of 2 tokens is spent: 2"):
            StoredVectors(model, CONTEXT).ensure(TEXTS[2:3])
        assert len(model_server.requests) == 2
