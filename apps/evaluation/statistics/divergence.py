"""The divergence of two distributions."""

import math
from collections.abc import Mapping


def jensen_shannon_divergence(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the divergence of two distributions in bits, 0 if equal to 1 if disjoint.

    The values of each sum to 1.
    """
    mean = {key: (one.get(key, 0) + other.get(key, 0)) / 2 for key in {*one, *other}}
    return (_divergence(one, mean) + _divergence(other, mean)) / 2


def _divergence(one: Mapping[str, float], mean: Mapping[str, float]) -> float:
    """Return the Kullback-Leibler divergence in bits."""
    return sum(share * math.log2(share / mean[key]) for key, share in one.items() if share)
