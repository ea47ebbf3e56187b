"""Fields take what they say they take, and tell whoever sends something else what that is."""

from typing import Any

import pytest
from rest_framework.exceptions import ValidationError
from rest_framework.fields import Field

from apps.api.http.fields import SHOWN_CHARACTERS_MAX, Choice, SlugParameter


def refusal_of(field: "Field[Any, Any, Any, Any]", sent: str) -> tuple[str, str]:
    """Return why the field refuses what is sent, and the code."""
    with pytest.raises(ValidationError) as refused:
        field.run_validation(sent)
    details: Any = refused.value.get_full_details()
    return str(details[0]["message"]), str(details[0]["code"])


class TestChoice:
    def test_names_what_there_is_to_choose_from(self) -> None:
        field = Choice(choices=["event", "plan", "reflection"])
        assert field.run_validation("plan") == "plan"
        told, code = refusal_of(field, "dream")
        assert told == '"dream" is none of: event, plan, reflection'
        assert code == "invalid_choice"

    def test_repeats_no_more_of_what_was_sent_than_anybody_needs(self) -> None:
        field = Choice(choices=["event"])
        told, _ = refusal_of(field, "x" * 1_000_000)
        assert len(told) < SHOWN_CHARACTERS_MAX + 40


class TestSlug:
    @pytest.mark.parametrize("text", ["isabella-rodriguez", "b2", "x" * 120])
    def test_takes_what_people_are_called_in_addresses(self, text: str) -> None:
        assert SlugParameter().run_validation(text) == text

    @pytest.mark.parametrize("text", ["Isabella", "-b", "x" * 121, "a b", "ä"])
    def test_refuses_all_else_and_shows_one(self, text: str) -> None:
        told = refusal_of(SlugParameter(), text)
        assert told == ("write a slug such as isabella-rodriguez", "invalid")
