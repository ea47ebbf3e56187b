"""A mapping that iterates in the order of its keys, however it was filled."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.kernel.ordered import OrderedByKey

KEYS = st.lists(st.text(max_size=3), unique=True, max_size=12)


class TestOrderedByKey:
    @settings(deadline=None, derandomize=True)
    @given(keys=KEYS)
    def test_iterates_in_the_order_of_keys_after_insertion_one_by_one(
        self, keys: list[str]
    ) -> None:
        filled: OrderedByKey[str, int] = OrderedByKey()
        for value, key in enumerate(keys):
            filled[key] = value
        assert list(filled) == list(filled.keys()) == sorted(keys)
        assert list(filled.values()) == [keys.index(key) for key in sorted(keys)]

    @settings(deadline=None, derandomize=True)
    @given(keys=KEYS)
    def test_iterates_in_the_order_of_keys_after_all_other_ways_of_filling(
        self, keys: list[str]
    ) -> None:
        items = [(key, 0) for key in keys]
        updated: OrderedByKey[str, int] = OrderedByKey()
        updated.update(items)
        defaulted: OrderedByKey[str, int] = OrderedByKey()
        for key in keys:
            defaulted.setdefault(key, 0)
        for filled in (OrderedByKey(items), OrderedByKey(dict(items)), updated, defaulted):
            assert list(filled.items()) == sorted(items)

    def test_keeps_the_order_when_a_value_is_replaced_or_a_key_removed(self) -> None:
        filled = OrderedByKey({"c": 1, "a": 2, "b": 3})
        filled["a"] = 9
        assert filled.pop("c") == 1
        filled["c"] = 4
        assert list(filled.items()) == [("a", 9), ("b", 3), ("c", 4)]
        assert ("c" in filled, "d" in filled, len(filled)) == (True, False, 3)

    def test_equals_any_mapping_of_the_same_items(self) -> None:
        assert OrderedByKey({"b": 1, "a": 2}) == {"a": 2, "b": 1}
        with pytest.raises(KeyError):
            OrderedByKey({"a": 1})["b"]
