"""Who has hands in a person's turn, and what is to be heeded."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.embodiment.rules import Call, Embodiment, Hands, Kind, Outcome, hands_of

EMBODIMENT = Embodiment(
    number=1,
    agent="klaus-mueller",
    is_visitor=False,
    by="a researcher",
    reason="",
    from_tick=10,
    to_tick=20,
    ended_by="",
    ended_reason="",
)
WALK = Call(
    event="12/commands/0",
    tick=12,
    embodiment=1,
    kind=Kind.MOVE,
    body={"to": "Hobbs Cafe: cafe", "tile": None},
    by="a researcher",
    reason="",
)


def answered(call: Call, outcome: Outcome) -> Call:
    return replace(call, outcome=outcome.value, answered_tick=13)


class TestEmbodiment:
    @given(st.integers(0, 40))
    def test_stands_from_its_first_tick_to_the_one_before_its_last(self, tick: int) -> None:
        assert EMBODIMENT.stands_at(tick) == (tick in range(10, 20))
        assert replace(EMBODIMENT, to_tick=None).stands_at(tick) == (tick >= 10)


class TestHandsOf:
    def test_are_a_users_while_the_embodiment_stands(self) -> None:
        nothing_asked = Hands(embodiment=EMBODIMENT, calls=(), under_way=None)
        assert hands_of(EMBODIMENT, [], tick=19) == nothing_asked
        assert hands_of(EMBODIMENT, [], tick=20) is None

    def test_are_a_users_until_the_last_thing_asked_was_heeded(self) -> None:
        end = replace(WALK, kind=Kind.END, tick=20, event="20/commands/0")
        hands = hands_of(EMBODIMENT, [answered(WALK, Outcome.DONE), end], tick=25)
        assert hands is not None
        assert hands.calls == (end,)
        both = [answered(WALK, Outcome.DONE), answered(end, Outcome.DONE)]
        assert hands_of(EMBODIMENT, both, tick=25) is None

    def test_are_at_what_has_begun_and_is_not_done(self) -> None:
        begun = answered(WALK, Outcome.BEGUN)
        other = replace(WALK, event="12/commands/1")
        hands = hands_of(EMBODIMENT, [begun, other], tick=15)
        assert hands == Hands(embodiment=EMBODIMENT, calls=(other,), under_way=begun)
        refused = answered(WALK, Outcome.REFUSED)
        hands = hands_of(EMBODIMENT, [refused], tick=15)
        assert hands == Hands(embodiment=EMBODIMENT, calls=(), under_way=None)
