"""Embeddings by feature hashing: without download, network or knowledge of meaning.

Texts are similar when they share words and pairs of words, not when they mean the same ("sofa"
and "couch" are unrelated). It is the default because it is always available and equal in every
process; configure an embedding server for meaning.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from apps.kernel.words import STOP_WORDS, stem_of, words_of
from apps.llm.model_spec import HASHING, HASHING_DIMENSIONS, HASHING_STEMS, OFFLINE
from apps.llm.port import Embedded

STOP_WORD_WEIGHT = 0.2
BIGRAM_WEIGHT = 0.6
TEXTS_AT_ONCE_MAX = 1_000
FEATURES_KEPT_MAX = 50_000  # in memory, a few MB


class HashingEmbedding:
    """Vectors of length one: unigrams and bigrams hashed into a few hundred signed buckets.

    Under the name HASHING_STEMS, the words are English stems: "decorations" is similar to
    "decoration", and "Maria's" to "Maria" (ADR 44).
    """

    server = OFFLINE
    remote = False
    texts_at_once_max = TEXTS_AT_ONCE_MAX

    def __init__(self, dimensions: int = HASHING_DIMENSIONS, name: str = HASHING) -> None:
        self.dimensions = dimensions
        self.name = name

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, in order."""
        return [self._vector(text) for text in texts]

    def embed_at_once(self, texts: Sequence[str]) -> Embedded:
        """Return the vectors; they cost nothing."""
        return Embedded(vectors=self.embed(texts))

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        is_stemmed = self.name == HASHING_STEMS
        for feature, weight in _features(text, is_stemmed=is_stemmed):
            place, sign = _bucket(feature, self.dimensions)
            vector[place] += sign * weight
        length = math.sqrt(sum(value * value for value in vector))
        if length == 0.0:
            # No words, or they cancelled out: a cosine needs some direction.
            vector[_bucket(f"nothing in {text}", self.dimensions)[0]] = 1.0
            return vector
        return [value / length for value in vector]


def _features(text: str, *, is_stemmed: bool) -> Iterator[tuple[str, float]]:
    """Yield words and pairs of words, weighted sublinearly in how often they occur."""
    words = words_of(text)
    if is_stemmed:
        words = [stem_of(word) for word in words]
    for word, count in Counter(words).items():
        yield word, _weight(word) * (1.0 + math.log(count))
    for (left, right), count in Counter(pairwise(words)).items():
        weight = BIGRAM_WEIGHT * math.sqrt(_weight(left) * _weight(right))
        yield f"{left} {right}", weight * (1.0 + math.log(count))


def _weight(word: str) -> float:
    return STOP_WORD_WEIGHT if word in STOP_WORDS else 1.0


@lru_cache(maxsize=FEATURES_KEPT_MAX)
def _bucket(feature: str, dimensions: int) -> tuple[int, float]:
    """Return the bucket of the feature and its sign."""
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return (number >> 1) % dimensions, 1.0 if number & 1 else -1.0
