"""Agents that know each other in one room: one of them is asked, about all of them (X1)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.status import TieKind
from apps.memory.events import FactKind
from apps.memory.facts import Fact
from apps.reaction.events import ReactionDecided
from apps.reaction.llm_tasks import go_on
from apps.simulation.settings import SimulationSettings
from apps.simulation.turn.context.outcome import SpeakTo
from apps.simulation.turn.context.records import EndedConversation
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
    run,
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
KNOWN = replace(PLANNED, facts=FRIENDS)
SHORT = SimulationSettings(situation_calls_per_hour=60)


def three(**changes: Any) -> Scene:
    """Return a scene in which Ada has a break in the kitchen beside Ben and Cem."""
    facts: dict[str, Any] = {
        "own": OVER,
        "ben": tile_at(STOVE),
        "others": {CEM: tile_at(TABLE)},
        "noticed": {BEN: "Ben Marsh is baking bread", CEM: "Cem Kaya is resting"},
        "records": KNOWN,
        "settings": SHORT,
    }
    return Scene(**facts | changes)


def asked_tick(scene: Scene) -> int:
    """Return a tick near NOW at which it is Ada's turn."""
    for tick in range(NOW, NOW + 3 * TICKS_PER_MINUTE):
        context = replace(scene, tick=tick, own=action(until_tick=tick)).context()
        if has_turn(context, (BEN, CEM)):
            return tick
    raise AssertionError("it is nobody's turn")


def at_turn(**changes: Any) -> Scene:
    tick = asked_tick(three())
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
    def test_go_round(self) -> None:
        """In three intervals of a minute each of the three has one."""
        turns = [
            has_turn(three(tick=NOW + minute * TICKS_PER_MINUTE).context(), (BEN, CEM))
            for minute in range(6)
        ]
        assert turns.count(True) == 2
        assert turns[:3] == turns[3:]

    def test_are_of_one_at_a_time(self) -> None:
        """Whoever looks, the order is the same."""
        found = {
            agent: has_turn(three().context(), tuple(one for one in (BEN, CEM) if one != agent))
            for agent in (ADA,)
        }
        assert len(found) == 1

    def test_come_in_breaks_only(self) -> None:
        assert is_asked(at_turn().context(), (BEN, CEM))
        assert not is_asked(at_turn(own=action()).context(), (BEN, CEM))
        assert not is_asked(at_turn().context(), ())

    @pytest.mark.parametrize(
        ("talked", "decided", "asked"),
        [
            (None, None, True),
            (30, None, True),
            (40, 20, True),
            (40, 10, False),
            (0, None, False),
        ],
        ids=["never", "talked", "silent twice as long", "silent for longer", "just now"],
    )
    def test_come_later_the_longer_the_silence_is(
        self, talked: int | None, decided: int | None, *, asked: bool
    ) -> None:
        scene = at_turn()
        at = {
            key: scene.tick - value * TICKS_PER_MINUTE
            for key, value in (("talked", talked), ("decided", decided))
            if value is not None
        }
        ended = EndedConversation(to_tick=at.get("talked", 0), gist="They talked.")
        records = replace(
            KNOWN,
            last_talks={} if talked is None else {BEN: ended, CEM: ended},
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

    def test_leads_to_words_that_all_hear(self) -> None:
        scene = at_turn(script={"reaction.decision": speaks(1, "ask", "Who wants bread?")})
        outcome = run(react, scene.context())
        assert isinstance(outcome.intention, SpeakTo)
        assert {outcome.intention.other, *outcome.intention.besides} == {BEN, CEM}
