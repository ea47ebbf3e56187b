"""Tests of the control that a user has of an agent in a tick."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.simulation.embodiment.requested_actions import (
    ActionRequest,
    Control,
    Embodiment,
    Move,
    Outcome,
    control_at,
)

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
WALK = ActionRequest(
    event="12/commands/0",
    tick=12,
    embodiment=1,
    action=Move(to="Hobbs Cafe: cafe"),
    by="a researcher",
    reason="",
)


def answered(request: ActionRequest, outcome: Outcome) -> ActionRequest:
    return replace(request, outcome=outcome.value, answered_tick=13)


class TestEmbodiment:
    @given(st.integers(0, 40))
    def test_is_active_from_its_first_tick_to_the_one_before_its_last(self, tick: int) -> None:
        assert EMBODIMENT.is_active_at(tick) == (tick in range(10, 20))
        assert replace(EMBODIMENT, to_tick=None).is_active_at(tick) == (tick >= 10)


class TestControlAt:
    def test_is_exerted_while_the_embodiment_is_active(self) -> None:
        no_requests = Control(embodiment=EMBODIMENT, requests=(), in_progress=None)
        assert control_at(EMBODIMENT, [], tick=19) == no_requests
        assert control_at(EMBODIMENT, [], tick=20) is None

    def test_is_exerted_until_the_last_request_is_answered(self) -> None:
        end = replace(WALK, action=None, tick=20, event="20/commands/0")
        control = control_at(EMBODIMENT, [answered(WALK, Outcome.DONE), end], tick=25)
        assert control is not None
        assert control.requests == (end,)
        both = [answered(WALK, Outcome.DONE), answered(end, Outcome.DONE)]
        assert control_at(EMBODIMENT, both, tick=25) is None

    def test_has_the_request_in_progress_and_no_refused_one(self) -> None:
        begun = answered(WALK, Outcome.BEGUN)
        other = replace(WALK, event="12/commands/1")
        control = control_at(EMBODIMENT, [begun, other], tick=15)
        assert control == Control(embodiment=EMBODIMENT, requests=(other,), in_progress=begun)
        refused = answered(WALK, Outcome.REFUSED)
        control = control_at(EMBODIMENT, [refused], tick=15)
        assert control == Control(embodiment=EMBODIMENT, requests=(), in_progress=None)
