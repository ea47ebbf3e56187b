"""What the tasks of planning reject, and what they accept as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.planning.checks import (
    ACTIVITY_CHARACTERS_MAX,
    require_activity,
    require_emoji,
    require_progress,
    require_state,
)

JOHN = "John Lin"
ODD = ["Going to bed", "John and Mei have breakfast together", 'sing "Happy Birthday"']


class TestActivities:
    @pytest.mark.parametrize("odd", [*ODD, "today: rest", "tocar la guitarra", "祈る"])
    def test_of_any_wording_are_accepted(self, odd: str) -> None:
        require_activity(odd, field="activity", agent_name=JOHN)
        require_progress(odd, field="description", agent_name=JOHN)

    @pytest.mark.parametrize(
        ("rejected", "reason"),
        [
            ("", "blank"),
            (" \n", "blank"),
            ("John Lin has lunch", "begins with 'John Lin'"),
            ("john  lin eats", "begins with 'John Lin'"),
            ("To have lunch", "begins with 'to'"),
            ("x" * (ACTIVITY_CHARACTERS_MAX + 1), "at most 300"),
        ],
    )
    def test_that_cannot_be_used_are_rejected(self, rejected: str, reason: str) -> None:
        with pytest.raises(ValueError, match=f'"activity".*{reason}'):
            require_activity(f"{rejected} ", field="activity", agent_name=JOHN)

    @pytest.mark.parametrize("rejected", [" ", "John Lin is eating", "x" * 301])
    def test_in_progress_that_cannot_be_used_are_rejected(self, rejected: str) -> None:
        with pytest.raises(ValueError, match='"description"'):
            require_progress(rejected, field="description", agent_name=JOHN)


class TestObjectStates:
    @pytest.mark.parametrize("state", ["in use", "Brewing coffee", "theirs for now"])
    def test_are_accepted_as_they_are(self, state: str) -> None:
        require_state(state, field="object_state")

    @pytest.mark.parametrize("state", ["", "The stove is on", "the stove", "x" * 81])
    def test_that_name_the_object_or_have_no_use_are_rejected(self, state: str) -> None:
        with pytest.raises(ValueError, match='"object_state"'):
            require_state(state, field="object_state")


class TestEmoji:
    @pytest.mark.parametrize("emoji", ["☕", "☕️🥐", "👩🏽‍🍳", "🇩🇪", "🙏 📜", "⏳"])
    def test_are_accepted(self, emoji: str) -> None:
        require_emoji(emoji, field="emoji")

    @pytest.mark.parametrize("text", ["", "coffee", ":coffee:", "☕ coffee", "^", "☕" * 21])
    def test_are_the_only_thing_accepted(self, text: str) -> None:
        with pytest.raises(ValueError, match='"emoji"'):
            require_emoji(text, field="emoji")

    @given(st.text(st.characters(categories=["L", "N", "P"]), min_size=1))
    def test_never_have_letters_digits_or_punctuation(self, text: str) -> None:
        with pytest.raises(ValueError, match='"emoji"'):
            require_emoji(f"☕{text}", field="emoji")
