"""Measures the quality of retrieval, by variant and embedding, on questions judged by hand.

    .venv/bin/python -m benchmarks.retrieval_quality [--vectors FILE.npz …] [--table]
    .venv/bin/python -m benchmarks.retrieval_quality --texts FILE

The streams and questions are those of tests/fixtures/retrieval. Hashed words are always
measured; `--vectors` adds embeddings that `benchmarks/packaged_embeddings.py` made of the texts
that `--texts` writes. Prints a table for each embedding, stores the results under
docs/benchmarks/retrieval_quality, and writes the document from all of them.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.setting import prepare

prepare()

import numpy as np  # noqa: E402 (Django is set up first)
from django.db import connection  # noqa: E402

from apps.llm.hashing_embedding import HashingEmbedding  # noqa: E402
from apps.llm.model_spec import HASHING, HASHING_STEMS  # noqa: E402
from apps.llm.port import Embedded  # noqa: E402
from benchmarks.retrieval_table import RESULTS, TABLE, read_results, table  # noqa: E402
from tests.support.llm_doubles import ScriptedModel, agent_llm_in_memory  # noqa: E402
from tests.support.retrieval_measure import (  # noqa: E402
    VARIANTS,
    Variant,
    delete_streams,
    measure,
    subject_of,
    write_streams,
)
from tests.support.retrieval_questions import frozen_streams, questions  # noqa: E402

# The description and name of the embeddings that need no package.
HASHED = {
    HASHING: "words and pairs of words, hashed (default)",
    HASHING_STEMS: "English stems and pairs of them, hashed",
}
TICKS_PER_SECOND = 100  # of /proc


class StoredVectorsOfTexts:
    """An embedding model that returns given vectors."""

    remote = False
    server = "given"
    texts_at_once_max = 1_000

    def __init__(self, name: str, vectors: dict[str, list[float]]) -> None:
        self.name, self._vectors = name, vectors
        self.dimensions = len(next(iter(vectors.values())))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return [self._vectors[text] for text in texts]

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Return the vector of each text."""
        return Embedded(vectors=self.embed(texts))


def main() -> None:
    """Measure all variants for each embedding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, metavar="FILE")
    parser.add_argument("--vectors", type=Path, nargs="*", default=[], metavar="FILE")
    parser.add_argument("--table", action="store_true", help="only write the document")
    asked = parser.parse_args()
    if asked.texts:
        asked.texts.write_text(json.dumps(all_texts()), encoding="utf-8")
        return
    RESULTS.mkdir(parents=True, exist_ok=True)
    if not asked.table:
        for result in (*map(hashed, HASHED), *map(packaged, asked.vectors)):
            path = RESULTS / f"{result['embedding']}.json"
            path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            print(table([result]), flush=True)
    TABLE.write_text(table(read_results()), encoding="utf-8")


def all_texts() -> list[str]:
    """Return the texts to be embedded: the memories, and the queries of all variants."""
    queries = (variant.asks(question) for variant in VARIANTS for question in questions())
    return sorted({memory["description"] for memory in frozen_streams()} | set(queries))


def hashed(name: str) -> dict[str, Any]:
    """Measure an embedding by hashed words."""
    model, texts = HashingEmbedding(name=name), all_texts()
    begun = time.process_time()
    model.embed(texts)
    taken = 1_000 * (time.process_time() - begun) / len(texts)
    about = {"name": name, "description": HASHED[name]}
    return measured(about | {"package_bytes": 0, "milliseconds_per_text": taken}, model)


def packaged(path: Path) -> dict[str, Any]:
    """Measure an embedding of a package, from its vectors of all texts."""
    with np.load(path) as stored:
        about, vectors = json.loads(str(stored["about"])), stored["vectors"].tolist()
    given = dict(zip(all_texts(), vectors, strict=True))
    return measured(about, StoredVectorsOfTexts(about["name"], given))


def measured(about: dict[str, Any], model: Any) -> dict[str, Any]:
    """Return the figures of all variants with the embedding model."""
    simulation_id = write_streams(model.embed)
    llm = agent_llm_in_memory(ScriptedModel({}), embedding=model)
    try:
        variants = {one.name: _measured(simulation_id, one, llm) for one in VARIANTS}
    finally:
        delete_streams(simulation_id)
    return {
        "embedding": about["name"],
        "description": about["description"],
        "dimensions": model.dimensions,
        "package_megabytes": round(about["package_bytes"] / 1e6, 1),
        "milliseconds_per_text": round(about["milliseconds_per_text"], 3),
        "variants": variants,
    }


def _measured(simulation_id: Any, variant: Variant, llm: Any) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    taken = cpu_seconds(lambda: figures.update(measure(simulation_id, variant, llm)))
    settings = variant.retrieval()
    statements = sum(
        1 + (settings.share_of(subject_of(one)) > 0) + (settings.query_words == "rare first")
        for one in questions()
    )
    return {
        "kinds": figures,
        "statements_per_query": round(statements / len(questions()), 2),
        "cpu_milliseconds": round(1_000 * taken / len(questions()), 1),
    }


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of this process and of its server process of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        stat = Path(f"/proc/{cursor.fetchone()[0]}/stat")

    def used() -> float:
        server = sum(map(int, stat.read_text().rsplit(")", 1)[1].split()[11:13]))
        return time.process_time() + server / TICKS_PER_SECOND

    begun = used()
    work()
    return used() - begun


if __name__ == "__main__":
    main()
