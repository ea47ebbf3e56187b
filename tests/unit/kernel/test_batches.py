"""Batches: all items in order, in lists of a bounded size."""

from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.batches import batches


@given(st.lists(st.integers()), st.integers(min_value=1, max_value=7))
def test_hold_all_items_in_order(items: list[int], size: int) -> None:
    found = list(batches(iter(items), size))
    assert [item for batch in found for item in batch] == items
    assert all(len(batch) == size for batch in found[:-1])
    assert all(0 < len(batch) <= size for batch in found)
