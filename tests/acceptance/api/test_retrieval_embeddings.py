"""A retrieval over the same memories with another embedding, as of any moment."""

from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.eventlog.store import log_sha256
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.models import EmbeddingRow
from apps.memory import queries as memory_queries
from apps.memory.mean_squares import rare_first
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

STEMS = {"embedding_model": "hashing-v2", "embedding_dimensions": 256}
QUERY = "Valentine's Day party"
ISABELLA = "isabella-rodriguez"
EARLIER = "2023-02-13T06:30:00"


def reembed(row: SimulationRow, model: str = "hashing-v2", dimensions: int = 256) -> str:
    out = StringIO()
    call_command(
        "reembed", str(row.pk), "--model", model, "--dimensions", str(dimensions), stdout=out
    )
    return out.getvalue()


def ranking(caller: Caller, town: str, **others: Any) -> Any:
    body = {"query": QUERY, "limit": 500, **others}
    response = caller.post(f"{town}/agents/{ISABELLA}/retrievals", body)
    assert response.status_code == 200, response.content
    return response.json()


def raw_parts(ranked: Any, part: str) -> dict[int, float]:
    return {one["id"]: one["parts"][part]["raw"] for one in ranked["results"]}


def test_needs_the_vectors_of_all_memories(
    town: str, lived: SimulationRow, isabella: Caller
) -> None:
    path = f"{town}/agents/{ISABELLA}/retrievals"
    body = {"query": QUERY, "embedding": STEMS}
    detail = problem(isabella.post(path, body), 422, "vectors-incomplete")["detail"]
    assert "manage.py reembed" in detail
    assert "vectors of hashing-v2 are stored" in reembed(lived)
    assert isabella.post(path, body).status_code == 200
    assert reembed(lived).startswith("0 vectors")


def test_measures_relevance_by_the_other_vectors(
    town: str, lived: SimulationRow, isabella: Caller
) -> None:
    """Expected are the cosines as numpy computes them from the vectors of the model."""
    reembed(lived)
    found = ranking(isabella, town, embedding=STEMS, at=EARLIER)
    tick = found["clock"]["tick"]
    memories = memory_queries.list_all_memories(lived.pk, as_of_tick=tick, agent=ISABELLA)
    texts = {one.number: one.description for one in memories}
    model = HashingEmbedding(256, "hashing-v2")
    vectors = np.array(model.embed(list(texts.values())), dtype="<f2").astype(float)
    [query] = model.embed([QUERY])
    rare = np.array(rare_first(query, list((vectors**2).mean(axis=0))))
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(rare)
    cosines = dict(zip(texts, vectors @ rare / lengths, strict=True))
    measured = raw_parts(found, "relevance")
    assert measured.keys() == cosines.keys()
    assert len(set(measured.values())) > 3
    for number, raw in measured.items():
        assert raw == pytest.approx(cosines[number], abs=1e-3)


def test_changes_nothing_else(town: str, lived: SimulationRow, isabella: Caller) -> None:
    history, before = log_sha256(lived.pk), ranking(isabella, town)
    reembed(lived)
    other = ranking(isabella, town, embedding=STEMS)
    assert ranking(isabella, town) == before
    assert log_sha256(lived.pk) == history
    for part in ("recency", "importance"):
        assert raw_parts(other, part) == raw_parts(before, part)
    assert raw_parts(other, "relevance") != raw_parts(before, "relevance")


def test_has_its_own_weights_too(town: str, lived: SimulationRow, isabella: Caller) -> None:
    reembed(lived)
    weights = {"recency": 0, "importance": 0, "relevance": 3}
    found = ranking(isabella, town, embedding=STEMS, weights=weights)
    scaled = [one["parts"]["relevance"]["scaled"] for one in found["results"]]
    assert scaled == sorted(scaled, reverse=True)
    assert found["results"][0]["score"] == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("embedding", "code"),
    [
        ({"embedding_model": "no-such-model"}, "unknown-model"),
        ({"embedding_server": "nowhere"}, "unknown-model"),
        ({"embedding_dimensions": 0}, "invalid-request"),
        ({"model": "hashing-v2"}, "invalid-request"),
    ],
)
def test_rejects_an_unknown_model(
    town: str, isabella: Caller, embedding: dict[str, Any], code: str
) -> None:
    path = f"{town}/agents/{ISABELLA}/retrievals"
    problem(isabella.post(path, {"query": QUERY, "embedding": embedding}), 422, code)


def test_the_command_names_an_unknown_model(lived: SimulationRow) -> None:
    stored = EmbeddingRow.objects.count()
    with pytest.raises(CommandError, match="no-such-model"):
        reembed(lived, "no-such-model")
    assert EmbeddingRow.objects.count() == stored
