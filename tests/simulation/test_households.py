"""Households: a family uses all rooms of its home, and visitors are let in (W2, W5)."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import (
    AdmissionEnded,
    AdmissionGranted,
    AdmissionReason,
    DoorKnocked,
    DoorOpened,
    Noticed,
    TurnedAway,
)
from apps.eventlog.rebuild import check
from apps.memory.events import MemoryFormed
from apps.planning.inputs import HourActionsInput, HourlyPlanInput
from apps.planning.llm_tasks.hour_actions import (
    HOUR_ACTIONS,
    NO_OBJECT,
    HourAction,
    HourActions,
    in_turn,
)
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourlyPlan
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import DecisionInput, KnockHeard
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.commands.visit import NoPlaceToAppear
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.world.folders import WorldFolders
from apps.world.loading import world_named
from tests.support.hands import User, live_on, outcome_of
from tests.support.rules import TASK_RULES
from tests.support.snapshots import simulated
from tests.support.street import STREET, wandering_and_talking, write_street
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    answering,
    found,
    happened,
    history_of,
    live,
)

pytestmark = pytest.mark.django_db(transaction=True)

LINS = ("John Lin", "Mei Lin", "Eddy Lin")
HOME = "Lin family's house"
EDDYS_BEDROOM = f"{HOME}: Eddy Lin's bedroom"
PIANO = f"{EDDYS_BEDROOM}: piano"
EIGHT = 20 * 60
SILENT = {"talk_utterances_max": 0}
CONCERT = {
    "Eddy Lin": "play the new composition for mom and dad",
    "John Lin": "hear the new composition",
    "Mei Lin": "hear the new composition",
}
DURING = {
    name: "playing the new composition" if name == "Eddy Lin" else "hearing the new composition"
    for name in LINS
}


def concert_at_eight(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
    """Plan the concert at eight in the evening, at home."""
    plan: HourlyPlan = TASK_RULES[HOURLY_PLAN.name](inputs, chance)
    hours = [
        hour.model_copy(update={"activity": CONCERT[inputs.agent_name], "place": HOME})
        if inputs.slots[hour.time - 1].from_minute == EIGHT
        else hour
        for hour in plan.hours
    ]
    return plan.model_copy(update={"hours": hours})


def music_beside_the_piano(inputs: HourActionsInput, chance: Chance) -> HourActions:
    """Divide the hour of the concert into quarters of an hour of music in Eddy's bedroom."""
    rooms = {area.path: area.name for area in inputs.areas}
    if inputs.activity != CONCERT[inputs.agent_name]:
        answer: HourActions = TASK_RULES[HOUR_ACTIONS.name](inputs, chance)
        return answer
    room = rooms.get(EDDYS_BEDROOM) or rooms[inputs.default_area]
    plays = inputs.agent_name == "Eddy Lin"
    quarter = HourAction(
        description=DURING[inputs.agent_name],
        starts="00:00",
        area=room,
        object=f"{room}: piano" if plays else NO_OBJECT,
        object_state="in use" if plays else "",
        emoji="🎹",
        importance=5,
    )
    return in_turn(inputs, [(quarter, 15)] * 4)


ANSWERS: dict[str, TaskRule] = {
    HOURLY_PLAN.name: concert_at_eight,
    HOUR_ACTIONS.name: music_beside_the_piano,
}


def evening(ports: Ports) -> SimulationRow:
    ports = answering(ANSWERS, ports=ports)
    row = found(agents=LINS, settings=SILENT, ports=ports)
    return live(row, "2023-02-13T20:20", ports=ports)


class TestConcertAtHome:
    def test_has_the_whole_family_in_the_room_of_the_piano(self) -> None:
        row = evening(wiring.ports())
        tick = row.committed_tick
        tracks = agent_queries.tracks(row.pk, from_tick=tick, to_tick=tick)
        doing = {agent: track.action_at(tick) for agent, track in tracks.items()}
        assert {
            agent: action and action.area for agent, action in doing.items()
        } == dict.fromkeys(("eddy-lin", "john-lin", "mei-lin"), EDDYS_BEDROOM)
        assert doing["eddy-lin"] is not None
        assert doing["eddy-lin"].object == PIANO

    def test_is_without_the_others_where_the_room_is_private(self, tmp_path: Path) -> None:
        world = copy_of_smallville(tmp_path) / "world.yaml"
        room = "        residents: [Eddy Lin]\n"
        assert room in world.read_text()
        world.write_text(world.read_text().replace(room, f"{room}        private: true\n"))
        ports = replace(wiring.ports(), worlds=WorldFolders(tmp_path))
        row = evening(ports)
        tracks = agent_queries.tracks(row.pk, from_tick=1, to_tick=row.committed_tick)
        areas = {
            agent: {action.area for action in tracks[agent].actions}
            for agent in ("eddy-lin", "john-lin", "mei-lin")
        }
        assert EDDYS_BEDROOM in areas["eddy-lin"]
        assert EDDYS_BEDROOM not in areas["john-lin"] | areas["mei-lin"]


def copy_of_smallville(root: Path) -> Path:
    """Return the folder of a copy of Smallville below the root."""
    source = Path(settings.SHIPPED_WORLDS) / "smallville"
    return Path(shutil.copytree(source, root / "smallville"))


TOM, MEI = "tom-moreno", "mei-lin"
VISITS = (18 * 60 + 30, 20 * 60 + 30)


def tom_visits(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
    """Let Tom plan to visit the Lins twice; Mei is at home at the first time only."""
    plan: HourlyPlan = TASK_RULES[HOURLY_PLAN.name](inputs, chance)
    hours = []
    for hour in plan.hours:
        slot, changed = inputs.slots[hour.time - 1], {}
        minute = slot.from_minute
        is_visit = any(minute <= visit < slot.to_minute for visit in VISITS)
        if inputs.agent_name == "Tom Moreno" and is_visit:
            changed = {"activity": "talk with the neighbors", "place": HOME}
        elif inputs.agent_name == "Mei Lin" and minute >= VISITS[0] - 120:
            place = HOME if minute < VISITS[1] - 60 else "Johnson Park"
            changed = {"activity": "read a novel", "place": place}
        hours.append(hour.model_copy(update=changed))
    return plan.model_copy(update={"hours": hours})


def opens_the_door(inputs: DecisionInput, chance: Chance) -> Decision:
    """Open to everybody who knocks, and react to nothing else."""
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, KnockHeard):
            return Decision(choice="open", observation=number, what="", place="", minutes=0)
    return go_on(inputs)


@pytest.fixture
def street(tmp_path: Path) -> Ports:
    """Ports onto a Smallville in which Tom Moreno knows the house of the Lins."""
    agents = copy_of_smallville(tmp_path) / "people.yaml"
    before, tom, after = agents.read_text().partition("\nTom Moreno:\n")
    assert "  knows:\n" in after
    agents.write_text(
        before + tom + after.replace("  knows:\n", f"  knows:\n    - {HOME}\n", 1)
    )
    answers: dict[str, TaskRule] = {HOURLY_PLAN.name: tom_visits, DECISION.name: opens_the_door}
    return answering(answers, ports=replace(wiring.ports(), worlds=WorldFolders(tmp_path)))


def ticks_inside(row: SimulationRow, ports: Ports, agent: str, place: str) -> list[int]:
    """Return the ticks at whose end the agent stood in the place."""
    world = world_named("smallville", ports.worlds)
    track = agent_queries.tracks(row.pk, from_tick=1, to_tick=row.committed_tick)[agent]
    tiles = {tick: track.tile_at(tick) for tick in range(1, row.committed_tick + 1)}
    return [
        tick
        for tick, tile in tiles.items()
        if tile is not None and world.tree.place_of(world.map.area_at(tile)) == place
    ]


class TestNeighbor:
    def test_is_let_in_after_knocking_and_not_where_nobody_is_at_home(
        self, street: Ports
    ) -> None:
        row = found(agents=("Tom Moreno", "Mei Lin"), settings=SILENT, ports=street)
        row = live(row, "2023-02-13T20:50", ports=street)
        inside = ticks_inside(row, street, TOM, HOME)
        [granted] = happened(row, AdmissionGranted)
        assert (granted.stream, granted.event.node, granted.event.host) == (TOM, HOME, MEI)
        assert granted.event.reason is AdmissionReason.LET_IN
        [opened] = happened(row, DoorOpened)
        assert (opened.stream, opened.event.visitor) == (MEI, TOM)
        [decided] = [
            one for one in happened(row, ReactionDecided) if one.event.choice == "open"
        ]
        causes = granted.cause, opened.cause, decided.cause
        assert causes == (opened.place, decided.place, happened(row, DoorKnocked)[0].place)
        knocks = happened(row, DoorKnocked)
        assert inside
        assert knocks[0].tick < opened.tick < granted.tick <= min(inside)
        met = [
            one.tick
            for one in happened(row, Noticed)
            if one.stream == MEI and any(sight.subject == TOM for sight in one.event.sights)
        ]
        minute = 6
        assert granted.tick < min(met) <= granted.tick + 2 * minute, "she goes to meet him"
        # The visit is over when he leaves; in the evening he is not let in again.
        [ended] = happened(row, AdmissionEnded)
        assert min(inside) < ended.tick <= max(inside) + 1
        refused = [one for one in happened(row, TurnedAway) if one.event.node == HOME]
        assert [one.event.why for one in refused] == [f"nobody opened the door of {HOME}"] * 2
        assert all(one.tick > ended.tick for one in refused)
        assert len(knocks) == 3, "he gives up after the second knock in vain"
        assert check(wiring.event_store(), row.pk).problems == ()
        # Timelines and memories tell it in plain words.
        words = f"knocking at the door of {HOME}"
        actions = agent_queries.actions_between(
            row.pk, TOM, from_tick=1, to_tick=row.committed_tick
        )
        assert words in [action.description for action in actions]
        assert {
            (MEI, f"Tom Moreno is {words}"),
            (MEI, "Mei Lin let Tom Moreno in"),
            (TOM, "Mei Lin let Tom Moreno in"),
        } <= {(one.stream, one.event.description) for one in happened(row, MemoryFormed)}


class TestRuleModel:
    def test_visits_where_a_description_gives_a_reason(self) -> None:
        row = simulated("2023-02-13T17:00", agents=("Jane Moreno", "Mei Lin"))
        [knocked] = happened(row, DoorKnocked)
        assert knocked.stream == "jane-moreno"
        [opened] = happened(row, DoorOpened)
        assert (opened.stream, opened.event.visitor) == (MEI, "jane-moreno")
        assert ticks_inside(row, wiring.ports(), "jane-moreno", HOME)


NINE = "2023-02-13T09:00"


def at(minutes: int) -> str:
    return f"2023-02-13T09:{minutes:02}"


@pytest.fixture
def hospitable() -> Ports:
    """Ports onto a Smallville whose agents open to everybody who knocks."""
    return answering({DECISION.name: opens_the_door})


class TestUser:
    """Ada comes to the house of the Lins, where Mei is in the morning."""

    def test_knocks_as_a_visitor_and_is_let_in(self, hospitable: Ports) -> None:
        row = live(
            found(agents=("Mei Lin",), settings=SILENT, ports=hospitable),
            NINE,
            ports=hospitable,
        )
        ada = User(row)
        ada.visit("Ada Finch")
        live_on(row, at(1), ports=hospitable)
        came = ada.move(f"{HOME}: common room")
        live_on(row, at(30), ports=hospitable)
        assert outcome_of(came) == ("done", "")
        [granted] = happened(row, AdmissionGranted)
        assert (granted.stream, granted.event.reason) == ("ada-finch", AdmissionReason.LET_IN)
        assert len(happened(row, DoorKnocked)) == 1

    def test_opens_the_door_as_a_resident(self, hospitable: Ports) -> None:
        row = live(
            found(agents=("Mei Lin",), settings=SILENT, ports=hospitable),
            NINE,
            ports=hospitable,
        )
        mei, ada = User(row), User(row)
        mei.embody(MEI)
        ada.visit("Ada Finch")
        live_on(row, at(1), ports=hospitable)
        early = mei.open("ada-finch")
        came = ada.move(f"{HOME}: common room")
        live_on(row, at(30), ports=hospitable)
        assert outcome_of(early) == (
            "refused",
            "nobody-at-the-door: Ada Finch is not at a door of yours",
        )
        assert outcome_of(came) == (
            "refused",
            f"turned-away: nobody opened the door of {HOME}",
        )
        opened = mei.open("ada-finch")
        live_on(row, at(31), ports=hospitable)
        assert outcome_of(opened) == ("done", "")
        again = ada.move(f"{HOME}: common room")
        live_on(row, at(35), ports=hospitable)
        assert outcome_of(again) == ("done", "")

    def test_does_not_appear_in_a_home(self) -> None:
        row = found(agents=("Mei Lin",))
        live_on(row, "2023-02-13T00:10")
        with pytest.raises(NoPlaceToAppear, match="is a home; appear outside"):
            User(row).visit("Ada Finch", place=HOME)


def opens_by_chance(inputs: DecisionInput, chance: Chance) -> Decision:
    """Open two of three times, and react to nothing else."""
    return opens_the_door(inputs, chance) if chance.draw("opens") % 3 else go_on(inputs)


class TestStreetOfHomes:
    def test_lets_visitors_in_alike_however_turns_are_scheduled(self, tmp_path: Path) -> None:
        wandering = wandering_and_talking(utterances=2)
        ports = answering(
            {**wandering, DECISION.name: opens_by_chance},
            ports=replace(
                wiring.ports(), worlds=WorldFolders(write_street(tmp_path, are_homes=True))
            ),
        )
        rows = [
            live(
                found(
                    agents=None,
                    world=STREET,
                    settings={"tick_seconds": 20, "vision": 3},
                    ports=ports,
                ),
                "2024-06-03T10:30",
                options,
                ports=ports,
            )
            for options in (LOCK_STEP, EIGHT_THREADS)
        ]
        assert history_of(rows[0].pk) == history_of(rows[1].pk)
        assert happened(rows[0], DoorOpened)
        # Residents that are asleep or out open to nobody.
        assert any("opened the door" in one.event.why for one in happened(rows[0], TurnedAway))
        granted = {one.event.reason for one in happened(rows[0], AdmissionGranted)}
        assert AdmissionReason.LET_IN in granted
        assert check(wiring.event_store(), rows[0].pk).problems == ()
