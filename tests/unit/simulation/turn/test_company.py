"""Agents that know each other in one room: one of them is asked, about all of them (X1)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.status import TieKind
from apps.memory.events import FactKind
from apps.memory.facts import Fact
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import TalkReason
from apps.reaction.llm_tasks import go_on
from apps.simulation.settings import SimulationSettings
from apps.simulation.turn.context.outcome import SpeakTo
from apps.simulation.turn.context.records import EndedConversation, TalkRecord
from apps.simulation.turn.decide.company import company_of, has_turn, is_asked
from apps.simulation.turn.decide.react import react
from tests.support.builders import speaks
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    NOW,
    OVER,
    PLANNED,
    STOVE,
    TABLE,
    TICKS_PER_MINUTE,
    Scene,
    action,
    events_of,
    item,
    run,
    tick_at,
    tile_at,
    tile_in,
)

FRIENDS = tuple(
    Fact(
        number=number,
        kind=FactKind.RELATIONSHIP,
        statements=("they are friends",),
        other=other,
        tie=TieKind.FRIEND,
    )
    for number, other in enumerate((BEN, CEM), start=1)
)
KNOWN = replace(PLANNED, facts=FRIENDS, hours=(item("hour", "9:00", "17:00"),))
SHORT = SimulationSettings(situation_calls_per_hour=60, reaction_pause_minutes=1)


def three(**changes: Any) -> Scene:
    """Return a scene in which Ada has a break in the kitchen beside Ben and Cem."""
    facts: dict[str, Any] = {
        "own": OVER,
        "ben": tile_at(STOVE),
        "others": {CEM: tile_at(TABLE)},
        "noticed": {BEN: "Ben Marsh is baking bread", CEM: "Cem Kaya is resting"},
        "records": KNOWN,
    }
    return Scene(**facts | changes)


def asked_tick(scene: Scene) -> int:
    """Return the tick of a full hour, from NOW on, in which it is Ada's turn."""
    turns = (
        tick for tick in hours() if has_turn(replace(scene, tick=tick).context(), (BEN, CEM))
    )
    return next(turns)


def hours() -> range:
    """Return the ticks of three full hours, so long that each of three has its turn."""
    return range(NOW, NOW + tick_at("3:00"), tick_at("1:00"))


def at_turn(**changes: Any) -> Scene:
    tick = asked_tick(three())
    return three(**{"tick": tick, "own": action(until_tick=tick)} | changes)


def out_of_turn(**changes: Any) -> Scene:
    tick = next(tick for tick in hours() if tick != asked_tick(three()))
    return three(**{"tick": tick, "own": action(until_tick=tick)} | changes)


class TestCompany:
    def test_is_who_is_known_and_awake_in_the_room(self) -> None:
        assert set(company_of(three().context())) == {BEN, CEM}

    @pytest.mark.parametrize(
        ("changes", "left"),
        [
            ({"records": replace(PLANNED, facts=FRIENDS[:1])}, (BEN,)),
            ({"bens": action("sleeping", asleep=True)}, (CEM,)),
            ({"others": {CEM: tile_in(BEDROOM)}}, (BEN,)),
            ({"settings": SimulationSettings(situation_calls_per_hour=0)}, ()),
            ({"settings": SimulationSettings(talk_utterances_max=0)}, ()),
        ],
        ids=["a stranger", "asleep", "elsewhere", "no company", "no talks"],
    )
    def test_has_nobody_else(self, changes: dict[str, Any], left: tuple[str, ...]) -> None:
        assert company_of(three(**changes).context()) == left


class TestTurns:
    @pytest.mark.parametrize("settings", [SHORT, SimulationSettings()])
    def test_go_round(self, settings: SimulationSettings) -> None:
        """Each has one of three turns, which are longer than the least pause."""
        length = tick_at("0:01") if settings == SHORT else tick_at("1:00")
        turns = [
            has_turn(three(tick=NOW + turn * length, settings=settings).context(), (BEN, CEM))
            for turn in range(6)
        ]
        assert turns.count(True) == 2
        assert turns[:3] == turns[3:]

    def test_are_of_one_at_a_time(self) -> None:
        """Whoever looks, the order is the same."""
        context = three().context()
        members = {ADA, BEN, CEM}
        found = [
            has_turn(
                replace(context, identity=replace(context.identity, slug=one)),
                sorted(members - {one}),
            )
            for one in members
        ]
        assert found.count(True) == 1

    def test_come_in_breaks_only(self) -> None:
        assert is_asked(at_turn().context(), (BEN, CEM))
        assert not is_asked(at_turn(own=action()).context(), (BEN, CEM))
        assert not is_asked(at_turn().context(), ())

    @pytest.mark.parametrize(
        ("talked", "decided", "begun", "asked"),
        [
            (None, None, None, True),
            (70, None, None, True),
            (0, None, None, False),
            (150, 70, None, False),
            (150, 70, 65, True),
            (150, 10, 5, False),
            (200, 185, None, True),
        ],
        ids=[
            "never",
            "talked",
            "just now",
            "in vain",
            "doing something else",
            "just asked",
            "long ago",
        ],
    )
    def test_come_once_until_the_day_goes_on_with_something_else(
        self, talked: int | None, decided: int | None, begun: int | None, *, asked: bool
    ) -> None:
        scene = at_turn()
        at = {
            key: scene.tick - value * TICKS_PER_MINUTE
            for key, value in (("talked", talked), ("decided", decided), ("begun", begun))
            if value is not None
        }
        ended = EndedConversation(to_tick=at.get("talked", 0), gist="They talked.")
        records = replace(
            KNOWN,
            last_talks={} if talked is None else {BEN: ended, CEM: ended},
            outline=()
            if begun is None
            else (replace(item("hour", "9:00", "17:00"), from_tick=at["begun"]),),
            decided_at={} if decided is None else dict.fromkeys((BEN, CEM), at["decided"]),
        )
        scene = replace(scene, records=records)
        assert is_asked(scene.context(), (BEN, CEM)) is asked


class TestAsking:
    def test_is_one_call_about_all(self) -> None:
        scene = at_turn(script={"reaction.decision": go_on})
        [decided] = events_of(run(react, scene.context()))
        assert isinstance(decided, ReactionDecided)
        assert set(decided.subjects) == {BEN, CEM}
        assert set(scene.inputs().together) == {"Ben Marsh", "Cem Kaya"}

    def test_is_out_of_turn_for_a_reason_only(self) -> None:
        assert run(react, out_of_turn().context()).events == ()
        news = TalkRecord(
            kind=TalkReason.NEWS.value,
            other="",
            besides=(),
            text="Ada has won a prize",
            tick=NOW - 1,
        )
        scene = out_of_turn(
            records=replace(KNOWN, talk_records=(news,)), script={"reaction.decision": go_on}
        )
        [decided] = events_of(run(react, scene.context()))
        assert isinstance(decided, ReactionDecided)
        assert set(decided.subjects) == {BEN, CEM}
        assert scene.inputs().together == ()

    def test_leads_to_words_that_all_hear(self) -> None:
        scene = at_turn(script={"reaction.decision": speaks(1, "ask", "Who wants bread?")})
        outcome = run(react, scene.context())
        assert isinstance(outcome.intention, SpeakTo)
        assert {outcome.intention.other, *outcome.intention.besides} == {BEN, CEM}
