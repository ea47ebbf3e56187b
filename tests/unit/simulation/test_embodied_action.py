"""Tests of the actions of embodied agents, checked against the world."""

from typing import Any
from uuid import uuid4

import pytest

from apps.kernel.request_models import UnusableValues, read_values
from apps.simulation.commands.embodied_action import UnusableAction, resolve_action
from apps.simulation.embodiment.requested_actions import ACTIONS, Action, Move, Use
from apps.world.problems import AmbiguousPlace, UnknownPlace
from tests.support.worlds import smallville

WORLD = smallville()


def resolved(action: Action) -> Action:
    return resolve_action(uuid4(), WORLD, action)


def walk_to(name: str) -> str:
    walk = resolved(Move(to=name))
    assert isinstance(walk, Move)
    return walk.to


class TestMoveTo:
    @pytest.mark.parametrize(
        ("words", "to"),
        [
            ("Hobbs Cafe", "Hobbs Cafe: cafe"),
            ("Hobbs Cafe: cafe", "Hobbs Cafe: cafe"),
            ("Hobbs Cafe: piano", "Hobbs Cafe: cafe: piano"),
            ("Isabella's apartment: stove", "Isabella Rodriguez's apartment: kitchen: stove"),
        ],
    )
    def test_leads_to_what_is_named_by_any_name_of_its_own(self, words: str, to: str) -> None:
        assert walk_to(words) == to

    def test_leads_nowhere_that_one_cannot_stand(self) -> None:
        with pytest.raises(UnknownPlace):
            walk_to("Nowhere")
        with pytest.raises(AmbiguousPlace):
            walk_to("piano")

    def test_of_a_tile_is_held_against_the_map(self) -> None:
        tile = WORLD.map.standing_tiles("Hobbs Cafe: cafe")[0]
        assert resolved(Move(tile=tile)) == Move(tile=tile)
        for nowhere in ((-1, 0), (0, 10_000), WORLD.map.tiles_of("Hobbs Cafe: cafe: stove")[0]):
            with pytest.raises(UnusableAction):
                resolved(Move(tile=nowhere))


class TestUse:
    def test_is_of_an_object_and_of_something_done(self) -> None:
        use = resolved(Use(object="Hobbs Cafe: piano", doing=" playing \n the piano "))
        assert use == Use(object="Hobbs Cafe: cafe: piano", doing="playing the piano")
        with pytest.raises(UnusableAction):
            resolved(Use(object="Hobbs Cafe", doing="sitting"))


class TestBounds:
    """The same at every door: HTTP, the stored command, the row of the request."""

    @pytest.mark.parametrize(
        ("name", "values", "words"),
        [
            ("act", {"object": "stove", "doing": " "}, "doing must be a text of 1 to 200"),
            ("act", {"object": "stove", "doing": "x", "minutes": 0}, "minutes must be"),
            ("act", {"object": "stove", "doing": "x", "minutes": 1_441}, "minutes must be"),
            ("act", {"object": "stove", "doing": "x", "emoji": "word"}, "emoji"),
            ("say", {"text": "word " * 100}, "say 1 to 80 words"),
            ("say", {"text": "Hello?", "by_phone": True}, "name it in `to`"),
            ("say", {"text": "Hi", "too": "x"}, "did you mean 'to'?"),
            ("with_agent", {"kind": "talk to"}, "must be one of look for, wait for, follow"),
            ("with_agent", {"kind": "follow"}, "name it in `agent`"),
            ("with_agent", {"kind": "leave", "thing": "a cup"}, "and its `object`"),
            ("move", {"tile": {"x": -1, "y": 0}}, "tile.x must be"),
            ("move", {}, "give either `to` or `tile`"),
            ("open", {}, "to is missing"),
        ],
    )
    def test_name_the_way_out(self, name: str, values: dict[str, Any], words: str) -> None:
        with pytest.raises(UnusableValues) as caught:
            read_values(ACTIONS[name], values)
        assert words in caught.value.message
