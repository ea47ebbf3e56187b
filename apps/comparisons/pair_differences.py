"""Pairs of agents that are acquainted in one of two histories only (E4)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference:
    """The pairs of one kind of acquaintance that one history has and the other has not.

    A pair (agent, other) is directed: the agent knows, has seen, or is related to the other.
    """

    kind: str
    only_one: tuple[Pair, ...]
    only_other: tuple[Pair, ...]


def pair_differences(
    one: Mapping[str, Collection[Pair]], other: Mapping[str, Collection[Pair]]
) -> tuple[PairDifference, ...]:
    """Return the differences by kind, in the order of the kinds; equal kinds are left out."""
    found = (
        PairDifference(
            kind=kind,
            only_one=tuple(sorted(set(pairs) - set(other[kind]))),
            only_other=tuple(sorted(set(other[kind]) - set(pairs))),
        )
        for kind, pairs in one.items()
    )
    return tuple(one for one in found if one.only_one or one.only_other)
