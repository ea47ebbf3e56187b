"""Scenes of the paper that the rule model plays: a leaking shower, a bathroom in use (X4)."""

from datetime import datetime
from pathlib import Path

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import Noticed, ObjectRighted
from apps.planning import queries as plan_queries
from apps.planning.rules import PlanItem
from apps.reaction.events import ReactionDecided
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from apps.world.tile_map import chebyshev
from tests.support.dorm import BATHROOM, crowded_dorm, found_crowded
from tests.support.towns import THREE, Happened, found, happened, live, set_object

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = "isabella-rodriguez"
STOVE = "Isabella Rodriguez's apartment: kitchen: stove"
SHELVES = "The Willows Market and Pharmacy: store: pharmacy shelves"
SHOWER = "Isabella Rodriguez's apartment: bathroom: shower"


def hours(row: SimulationRow, agent: str, tick: int) -> list[PlanItem]:
    """Return the person's hours as they were planned at the end of the tick."""
    return plan_queries.items_between(
        row.pk, agent, level="hour", from_tick=0, to_tick=2**31 - 1, as_of_tick=tick
    )


def deeds(row: SimulationRow, agent: str, from_tick: int) -> list[str]:
    """Return what the person did from the tick on, walks left out."""
    actions = agent_queries.actions_between(
        row.pk, agent, from_tick=from_tick, to_tick=row.committed_tick
    )
    return [action.description for action in actions if not action.towards]


def acted(row: SimulationRow) -> list[Happened[ReactionDecided]]:
    """Return the reactions that changed what somebody does."""
    return [one for one in happened(row, ReactionDecided) if one.event.choice == "act"]


class TestALeakingShower:
    def test_is_mended_with_tools_and_the_morning_goes_on(self) -> None:
        row = found(agents=THREE)
        tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat("2023-02-13T06:03"))
        set_object(row, "Isabella's apartment: bathroom: shower", "leaking water", at_tick=tick)
        row = live(row, "2023-02-13T08:00")
        [reaction] = acted(row)
        weighed = reaction.event
        assert (reaction.stream, weighed.about) == (ISABELLA, SHOWER)
        assert weighed.what == "fetch tools and mend the leaking shower"
        before, after = (
            hours(row, ISABELLA, reaction.tick - 1),
            hours(row, ISABELLA, reaction.tick),
        )
        assert not any("shower" in hour.description for hour in before)
        assert weighed.what in [hour.description for hour in after]
        # The rest of the day stays as it was planned.
        assert [hour.description for hour in after[-10:]] == [
            hour.description for hour in before[-10:]
        ]
        did = deeds(row, ISABELLA, reaction.tick)
        assert did[:2] == ["fetching tools", "mending the leaking shower"]
        [righted] = happened(row, ObjectRighted)
        assert righted.stream == ISABELLA
        # She had eaten before, and does not have breakfast twice.
        morning = deeds(row, ISABELLA, 0)
        assert sum(deed.startswith("eating breakfast") for deed in morning) == 1


class TestABurningStove:
    def test_is_put_out_and_breakfast_is_made_once(self) -> None:
        row = found(agents=THREE)
        tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat("2023-02-13T06:36"))
        set_object(row, STOVE, "burning", at_tick=tick)
        row = live(row, "2023-02-13T08:00")
        [reaction] = acted(row)
        assert reaction.event.what == "put out the fire at the stove"
        # She had been making breakfast at that very stove; she does not just go on.
        assert deeds(row, ISABELLA, reaction.tick - 1)[0] == "making breakfast at the stove"
        assert deeds(row, ISABELLA, reaction.tick)[0] == "putting out the fire at the stove"
        [righted] = happened(row, ObjectRighted)
        assert (righted.stream, righted.event.object) == (ISABELLA, STOVE)
        morning = deeds(row, ISABELLA, 0)
        assert morning.count("eating breakfast") == 1


class TestAFireAcrossTheRoom:
    def test_is_noticed_thirteen_tiles_away_and_put_out(self) -> None:
        row = found(agents=("Tom Moreno",))
        tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat("2023-02-13T09:55"))
        set_object(row, SHELVES, "burning", at_tick=tick)
        row = live(row, "2023-02-13T10:15")
        [noticed] = [
            one
            for one in happened(row, Noticed)
            if any(sight.description == "burning" for sight in one.event.sights)
        ]
        world = constants_of(row.pk, wiring.ports().worlds).world
        before = noticed.tick - 1
        tom = agent_queries.tracks(row.pk, from_tick=before, to_tick=before)["tom-moreno"]
        tile = tom.tile_at(before)
        assert tile is not None
        [shelf, *_] = world.map.tiles_of(SHELVES)
        assert chebyshev(tile, shelf) == 13
        assert noticed.tick == tick + 1
        [reaction] = acted(row)
        assert reaction.event.about == SHELVES
        [righted] = happened(row, ObjectRighted)
        assert (righted.stream, righted.event.object) == ("tom-moreno", SHELVES)


class TestAnOccupiedBathroom:
    def test_is_waited_for_until_something_else_is_done_first(self, tmp_path: Path) -> None:
        dorm = crowded_dorm(tmp_path)
        row = live(found_crowded(dorm), "2023-02-13T09:00", ports=dorm)
        reactions = [one for one in acted(row) if one.event.about == BATHROOM]
        assert reactions
        for reaction in reactions:
            agent, tick, weighed = reaction.stream, reaction.tick, reaction.event
            # They had been waiting before its door.
            [waiting] = agent_queries.actions_between(
                row.pk, agent, from_tick=tick - 1, to_tick=tick - 1
            )
            assert waiting.description.startswith("waiting for the men's bathroom")
            instead = next(hour for hour in hours(row, agent, tick) if hour.from_tick == tick)
            assert instead.description == weighed.what
            assert instead.place != BATHROOM, "nobody passes the time in the occupied room"
            planned = [hour for hour in hours(row, agent, tick - 1) if hour.to_tick > tick]
            assert weighed.what not in [hour.description for hour in planned]
            # What they were about goes on behind it, or what follows when its time is over.
            goes_on = next(
                hour for hour in hours(row, agent, tick) if hour.from_tick == instead.to_tick
            )
            assert goes_on.description in [hour.description for hour in planned]
