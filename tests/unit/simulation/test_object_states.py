"""A statement about an object, read in the forms that users write (U3)."""

import pytest

from apps.simulation.commands.object_state import UnusableState, parse_statement
from apps.world.problems import AmbiguousPlace, UnknownPlace
from tests.support.worlds import smallville

TREE = smallville().tree
STOVE = "Isabella's apartment: kitchen: stove"


class TestStatement:
    @pytest.mark.parametrize(
        ("text", "state"),
        [
            (f"<{STOVE}> is burning", "burning"),
            (f"<{STOVE}> is on fire!", "on fire"),
            (f"<{STOVE}> burning", "burning"),
            (f"<{STOVE}>'s smoking.", "smoking"),
            (f"<{STOVE}> becomes very hot", "very hot"),
            (f"  <{STOVE}>   is now   off ", "off"),
            (f"{STOVE} is burning", "burning"),
            (f"{STOVE}\u2019s on fire", "on fire"),
            (f"the {STOVE} has become cold", "cold"),
            (f"{STOVE} is what it is", "what it is"),
        ],
    )
    def test_names_object_and_state(self, text: str, state: str) -> None:
        words, found = parse_statement(TREE, text)
        assert TREE.resolve(words).path == "Isabella Rodriguez's apartment: kitchen: stove"
        assert found == state

    def test_of_what_is_not_there_or_not_clear_is_refused(self) -> None:
        with pytest.raises(AmbiguousPlace):
            parse_statement(TREE, "the stove is burning")
        with pytest.raises(UnknownPlace):
            parse_statement(TREE, "the submarine is diving")
        with pytest.raises(UnusableState, match="write it as in"):
            parse_statement(TREE, "burning")
