"""Texts that users give at any door are such as can be stored."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from apps.kernel.request_models import (
    Listed,
    RequestModel,
    UnusableValues,
    read_value,
    read_values,
)

pytestmark = pytest.mark.unit


class TestTexts:
    @given(st.integers(0, 0x1F).filter(lambda code: chr(code) not in "\n\t\r"))
    def test_have_no_characters_that_say_nothing(self, code: int) -> None:
        with pytest.raises(UnusableValues, match=f"U\\+{code:04X}"):
            read_value(str, f"a{chr(code)}b", "name")

    @pytest.mark.parametrize("text", ["Mar\0ia", "Mar\ud83cia"])
    def test_are_refused_at_their_place(self, text: str) -> None:
        with pytest.raises(UnusableValues) as refused:
            read_value(Listed[str], ["Klaus", text], "agents")
        [fault] = refused.value.faults
        assert (fault.place, fault.code) == (("agents", 1), "unusable-text")


class Titled(RequestModel):
    name: Annotated[str, Field(max_length=3)]
    title: str = Field(default_factory=lambda values: values["name"])


class TestDefaults:
    def test_that_are_made_from_a_field_with_a_fault_are_no_fault(self) -> None:
        with pytest.raises(UnusableValues) as refused:
            read_values(Titled, {"name": "too long"})
        assert [one.place for one in refused.value.faults] == [("name",)]
