"""Over HTTP: the state that a user gives an object has consequences until it ends (U3)."""

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.agents.events import ActionBegan, ActionKind, ObjectRighted, TurnedAway
from apps.dialogue.events import Said
from apps.eventlog.rebuild import check
from apps.reaction.events import ReactionDecided, StateJudged
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller
from tests.support.snapshots import simulated
from tests.support.towns import Happened, happened, live

pytestmark = pytest.mark.django_db(transaction=True)

LINS = ("John Lin", "Mei Lin", "Eddy Lin")
HOUSE = "Lin family's house"
STOVE, FRIDGE = f"{HOUSE}: kitchen: stove", f"{HOUSE}: kitchen: refrigerator"
SHOWER = f"{HOUSE}: bathroom: shower"
TABLES = "Oak Hill College: library: tables"
COOKING = "making breakfast at the stove"


def town_of(agents: tuple[str, ...], until: str) -> SimulationRow:
    row = simulated(until, agents=agents)
    row.owner = User.objects.get(username="isabella")
    row.save(update_fields=["owner"])
    return row


def set_state(caller: Caller, row: SimulationRow, thing: str, state: str) -> None:
    body = {"object": thing, "state": state}
    response = caller.post(f"/simulations/{row.pk}/objects/state", body)
    assert response.status_code == 202, response.content


def uses_of(row: SimulationRow, thing: str, *, since: int) -> list[Happened[ActionBegan]]:
    """Return the actions at the object that began after the tick."""
    begun = happened(row, ActionBegan)
    return [one for one in begun if one.event.object == thing and one.tick > since]


class TestABurningBreakfast:
    def test_is_noticed_put_out_and_told_and_breakfast_is_made_once(
        self, isabella: Caller
    ) -> None:
        row = town_of(LINS, "2023-02-13T07:06")
        since = row.committed_tick
        set_state(isabella, row, STOVE, "burning")
        row = live(row, "2023-02-13T07:07")
        visible = isabella.get(f"/simulations/{row.pk}/state").json()["objects"]
        [shown] = [one for one in visible if one["path"] == STOVE]
        assert shown["state"] == "burning", "not cooking a meal"
        row = live(row, "2023-02-13T09:00")
        reacted = [one for one in happened(row, ReactionDecided) if one.event.about == STOVE]
        rescuer = reacted[0].stream
        assert reacted[0].event.what == "put out the fire at the stove"
        rescue = uses_of(row, STOVE, since=since)[0]
        assert (rescue.stream, rescue.event.emoji) == (rescuer, "🧯")
        [righted] = happened(row, ObjectRighted)
        assert (righted.stream, righted.event.object) == (rescuer, STOVE)
        cooked = [
            one
            for one in happened(row, ActionBegan)
            if one.stream == rescuer and one.event.description == COOKING
        ]
        assert len(cooked) == 1
        told = [one for one in happened(row, Said) if "which was burning" in one.event.text]
        assert rescuer in {one.stream for one in told}
        assert check(wiring.event_store(), row.pk).problems == ()


class TestAnOccupiedShower:
    def test_is_waited_for_in_vain_and_left(self, isabella: Caller) -> None:
        row = town_of(LINS, "2023-02-13T06:30")
        since = row.committed_tick
        set_state(isabella, row, SHOWER, "occupied by a visitor")
        row = live(row, "2023-02-13T09:00")
        assert uses_of(row, SHOWER, since=since) == []
        judged = happened(row, StateJudged)
        assert {one.event.object for one in judged} == {SHOWER}
        assert len(judged) == len({one.stream for one in judged}), "once by each that met it"
        waited = [
            one
            for one in happened(row, ActionBegan)
            if one.event.kind is ActionKind.WAITING and "shower" in one.event.description
        ]
        assert {one.stream for one in waited} == {one.stream for one in judged}
        assert happened(row, ObjectRighted) == []


class TestALockedTable:
    def test_is_not_tried_again_by_an_agent_without_a_key(self, isabella: Caller) -> None:
        row = town_of(("Klaus Mueller",), "2023-02-13T07:00")
        since = row.committed_tick
        set_state(isabella, row, TABLES, "locked")
        row = live(row, "2023-02-13T11:00")
        assert uses_of(row, TABLES, since=since) == []
        refused = [one for one in happened(row, TurnedAway) if one.event.node == TABLES]
        assert len(refused) == 1, "he knows it then"
        assert happened(row, ObjectRighted) == [], "he has no key"


class TestALockedRefrigerator:
    def test_is_opened_by_those_who_live_there(self, isabella: Caller) -> None:
        row = town_of(LINS, "2023-02-13T13:00")
        set_state(isabella, row, FRIDGE, "locked")
        row = live(row, "2023-02-13T18:00")
        assert [one.event.node for one in happened(row, TurnedAway)] == []
        [righted] = happened(row, ObjectRighted)
        assert righted.event.object == FRIDGE


class TestAnEmptyRefrigerator:
    def test_is_refilled_before_anything_is_cooked_out_of_it(self, isabella: Caller) -> None:
        row = town_of(LINS, "2023-02-13T13:00")
        since = row.committed_tick
        set_state(isabella, row, FRIDGE, "empty")
        row = live(row, "2023-02-13T18:00")
        refill, *later = uses_of(row, FRIDGE, since=since)
        assert refill.event.description == "refilling the refrigerator"
        [righted] = happened(row, ObjectRighted)
        assert righted.tick > refill.tick
        assert all(one.tick >= righted.tick for one in later)
        assert later, "dinner is cooked out of it"
        [judged] = happened(row, StateJudged)
        assert (judged.event.state, judged.event.remedy) == ("empty", "refill the refrigerator")
