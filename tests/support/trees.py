"""Reflection trees in tests."""

from collections.abc import Iterator

from apps.reflection.queries import TreeNode


def walk(node: TreeNode, depth: int = 0) -> Iterator[tuple[int, TreeNode]]:
    """Yield the memories of a tree with their depths, in pre-order."""
    yield depth, node
    for child in node.rests_on:
        yield from walk(child, depth + 1)
