"""The rows about agents say what the events say, and those of other agents stay untouched."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.events import (
    EVENTS,
    ActionBegan,
    ActionKind,
    AdmissionEnded,
    AdmissionGranted,
    AdmissionReason,
    AgentJoined,
    AgentLeft,
    AgentReturned,
    DoorKnocked,
    DoorOpened,
    EntryTried,
    Noticed,
    ObjectRighted,
    ObjectStateSet,
    PlacesLearnt,
    Sight,
    TurnedAway,
    WalkBegan,
)
from apps.agents.models import (
    ActionRow,
    AdmissionRow,
    AgentRow,
    DoorOpeningRow,
    KnownPlaceRow,
    ObjectStateRow,
    SeenAgentRow,
    StayRow,
    TurnedAwayRow,
    UseRow,
)
from apps.agents.projections import PEOPLE
from apps.eventlog.event import Event
from apps.kernel.game_time import FOREVER_TICK
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

ADA, BEN = "ada", "ben"
KITCHEN, BATHROOM = "Mill Cottage: kitchen", "Mill Cottage: bathroom"
STOVE, SINK = f"{KITCHEN}: stove", f"{KITCHEN}: sink"
SHOWER = f"{BATHROOM}: shower"

JOINED = AgentJoined(
    name="Ada Mill",
    age=34,
    traits=("curious", "patient"),
    wake_minute=400,
    sleep_minute=1_380,
    dinner_minute=1_110,
    home="Mill Cottage",
    bed="Mill Cottage: bedroom: bed",
    workplace="Mill: office",
    description="Ada Mill grinds flour",
    tile=(3, 4),
    knows=("Mill Cottage", KITCHEN),
)
COOKS = ActionBegan(
    description="cooking",
    emoji="🍳",
    tile=(5, 6),
    area=KITCHEN,
    object=STOVE,
    object_state="turned on",
    asleep=False,
    until_tick=90,
    plan_item=12,
    kind=ActionKind.USER_CONTROLLED,
    activity="making supper",
)
WALKS = WalkBegan(
    steps=((5, 7), (5, 8), (5, 9)),
    towards=SHOWER,
    leaves="",
    description="walking to the shower",
    emoji="🚶",
    plan_item=13,
    kind=ActionKind.WALKING,
)
KNOCKS = EntryTried(
    tile=(5, 9),
    area=BATHROOM,
    towards=SHOWER,
    description="waiting for the bathroom",
    emoji="🚪",
    plan_item=13,
    kind=ActionKind.WAITING,
)
SHOWERS = replace(COOKS, area=BATHROOM, object=SHOWER, object_state="running")
NOTICED = Noticed(
    sights=(
        Sight(subject=BEN, description="Ben is reading", area=KITCHEN, is_object=False),
        Sight(subject=STOVE, description="turned on", area=KITCHEN, is_object=True),
    )
)
BURNS = ObjectStateSet(
    by="a researcher", reason="a test", object=STOVE, state="burning", is_alarming=True
)


def new_log() -> ProjectedLog:
    return ProjectedLog(EVENTS, [PEOPLE])


def uses(log: ProjectedLog, agent: str = ADA) -> list[tuple[Any, ...]]:
    """Return node, state, since, from and to of the agent's uses."""
    fields = ("node", "state", "since_tick", "from_tick", "to_tick")
    return log.rows(UseRow, *fields, agent=agent)


@pytest.fixture
def log() -> ProjectedLog:
    """Return a log in which Ada has joined."""
    log = new_log()
    log.append(1, ADA, JOINED)
    return log


class TestJoining:
    def test_writes_the_agent_as_it_joined(self, log: ProjectedLog) -> None:
        assert log.row(AgentRow) == {
            "agent": ADA,
            "name": "Ada Mill",
            "age": 34,
            "traits": ["curious", "patient"],
            "wake_minute": 400,
            "sleep_minute": 1_380,
            "dinner_minute": 1_110,
            "home": "Mill Cottage",
            "bed": "Mill Cottage: bedroom: bed",
            "workplace": "Mill: office",
            "description": "Ada Mill grinds flour",
            "joined_tick": 1,
            "left_tick": None,
        }

    def test_begins_a_stay_and_knows_places_unseen(self, log: ProjectedLog) -> None:
        assert log.rows(StayRow, "agent", "from_tick", "to_tick") == [(ADA, 1, None)]
        known = log.rows(KnownPlaceRow, "agent", "node", "state", "from_tick", "to_tick")
        assert known == [(ADA, "Mill Cottage", "", 1, None), (ADA, KITCHEN, "", 1, None)]

    def test_of_an_agent_that_knows_no_place_writes_none(self) -> None:
        log = new_log()
        log.append(1, ADA, replace(JOINED, knows=()))
        assert log.rows(KnownPlaceRow, "node") == []


class TestLeaving:
    def test_ends_the_stay_the_action_and_the_use(self, log: ProjectedLog) -> None:
        log.append(5, ADA, COOKS)
        log.append(9, ADA, AgentLeft())
        assert log.row(AgentRow)["left_tick"] == 9
        assert log.rows(StayRow, "from_tick", "to_tick") == [(1, 9)]
        assert uses(log) == [(STOVE, "turned on", 5, 5, 9)]
        assert log.row(ActionRow, to_tick=None) == {
            "agent": ADA,
            "from_tick": 9,
            "to_tick": None,
            "steps": [],
            "description": "gone",
            "emoji": "",
            "area": "",
            "object": "",
            "object_state": "",
            "asleep": False,
            "towards": "",
            "until_tick": FOREVER_TICK,
            "plan_item": 0,
            "event": "9/ada/0",
            "kind": "idle",
            "act": "none",
            "other": "",
            "activity": "",
        }

    def test_is_followed_by_a_stay_of_its_own(self, log: ProjectedLog) -> None:
        log.append(9, ADA, AgentLeft())
        log.append(20, ADA, AgentReturned(tile=(3, 4)))
        assert log.row(AgentRow)["left_tick"] is None
        assert log.rows(StayRow, "from_tick", "to_tick") == [(1, 9), (20, None)]
        log.append(30, ADA, AgentLeft())
        assert log.rows(StayRow, "from_tick", "to_tick") == [(1, 9), (20, 30)]


class TestActions:
    def test_are_written_whole_one_after_the_other(self, log: ProjectedLog) -> None:
        log.append(5, ADA, COOKS)
        log.append(8, ADA, WALKS)
        log.append(11, ADA, KNOCKS)
        cooked = {
            "agent": ADA,
            "from_tick": 5,
            "to_tick": 8,
            "steps": [[5, 6]],
            "description": "cooking",
            "emoji": "🍳",
            "area": KITCHEN,
            "object": STOVE,
            "object_state": "turned on",
            "asleep": False,
            "towards": "",
            "until_tick": 90,
            "plan_item": 12,
            "event": "5/ada/0",
            "kind": "user-controlled",
            "act": "none",
            "other": "",
            "activity": "making supper",
        }
        without = {"area": "", "object": "", "object_state": "", "activity": ""}
        walked = cooked | without | {
            "from_tick": 8,
            "to_tick": 11,
            "steps": [[5, 7], [5, 8], [5, 9]],
            "description": "walking to the shower",
            "emoji": "🚶",
            "towards": SHOWER,
            "until_tick": 11,
            "plan_item": 13,
            "event": "8/ada/0",
            "kind": "walking",
        }  # fmt: skip
        knocked = walked | {
            "from_tick": 11,
            "to_tick": None,
            "steps": [[5, 9]],
            "description": "waiting for the bathroom",
            "emoji": "🚪",
            "until_tick": 12,
            "event": "11/ada/0",
            "kind": "waiting",
        }
        assert [log.row(ActionRow, from_tick=tick) for tick in (5, 8, 11)] == [
            cooked,
            walked,
            knocked,
        ]

    def test_of_sleepers_are_marked(self, log: ProjectedLog) -> None:
        log.append(5, ADA, replace(COOKS, asleep=True))
        assert log.row(ActionRow)["asleep"] is True


class TestUses:
    def test_go_on_while_the_object_is_the_same(self, log: ProjectedLog) -> None:
        log.append(5, ADA, COOKS)
        log.append(7, ADA, replace(COOKS, object_state="simmering"))
        log.append(9, ADA, replace(COOKS, object_state="boiling"))
        log.append(11, ADA, replace(COOKS, object=SINK, object_state="full"))
        assert uses(log) == [
            (SINK, "full", 11, 11, None),
            (STOVE, "boiling", 5, 9, 11),
            (STOVE, "simmering", 5, 7, 9),
            (STOVE, "turned on", 5, 5, 7),
        ]

    def test_begin_again_after_a_break(self, log: ProjectedLog) -> None:
        log.append(5, ADA, COOKS)
        log.append(7, ADA, WALKS)
        log.append(10, ADA, COOKS)
        assert uses(log) == [(STOVE, "turned on", 10, 10, None), (STOVE, "turned on", 5, 5, 7)]

    def test_are_none_where_no_object_is_used(self, log: ProjectedLog) -> None:
        log.append(5, ADA, COOKS)
        log.append(7, ADA, replace(COOKS, object="", object_state=""))
        assert uses(log) == [(STOVE, "turned on", 5, 5, 7)]

    def test_of_a_room_last_while_its_user_acts_in_it(self, log: ProjectedLog) -> None:
        log.append(5, ADA, KNOCKS)
        assert log.rows(UseRow, "node", "is_area") == [(BATHROOM, True)]
        log.append(6, ADA, replace(WALKS, leaves=""))
        log.append(9, ADA, SHOWERS)
        assert uses(log) == [(BATHROOM, "", 5, 5, None), (SHOWER, "running", 9, 9, None)]
        assert log.rows(UseRow, "node", "is_area", node=SHOWER) == [(SHOWER, False)]
        log.append(12, ADA, COOKS)
        assert uses(log)[0] == (BATHROOM, "", 5, 5, 12)

    def test_of_a_room_end_at_the_step_that_leaves_it(self, log: ProjectedLog) -> None:
        log.append(5, ADA, KNOCKS)
        log.append(6, ADA, SHOWERS)
        log.append(9, ADA, replace(WALKS, leaves=KITCHEN))
        assert uses(log) == [(BATHROOM, "", 5, 5, None), (SHOWER, "running", 6, 6, 9)]
        log.append(12, ADA, replace(WALKS, leaves=BATHROOM))
        assert uses(log)[0] == (BATHROOM, "", 5, 5, 12)

    def test_that_failed_are_withdrawn_alone(self, log: ProjectedLog) -> None:
        log.append(5, ADA, KNOCKS)
        log.append(6, ADA, SHOWERS)
        log.append(7, ADA, TurnedAway(node=SHOWER, why="somebody else is using it"))
        assert uses(log) == [(BATHROOM, "", 5, 5, None), (SHOWER, "running", 6, 6, 7)]
        assert log.row(TurnedAwayRow) == {
            "agent": ADA,
            "tick": 7,
            "node": SHOWER,
            "why": "somebody else is using it",
        }


class TestKnowledge:
    def test_is_renewed_where_something_is_noticed(self, log: ProjectedLog) -> None:
        log.append(5, ADA, NOTICED)
        stove, ben = NOTICED.sights[1], NOTICED.sights[0]
        cem = replace(ben, subject="cem", description="Cem is asleep", area="")
        log.append(8, ADA, Noticed(sights=(cem, replace(stove, description="off"))))
        fields = ("from_tick", "to_tick")
        assert log.rows(KnownPlaceRow, "node", "state", *fields, node=STOVE) == [
            (STOVE, "off", 8, None),
            (STOVE, "turned on", 5, 8),
        ]
        assert log.rows(KnownPlaceRow, *fields, node=KITCHEN) == [(1, None)]
        assert log.rows(SeenAgentRow, "agent", "subject", "description", "area", *fields) == [
            (ADA, BEN, "Ben is reading", KITCHEN, 5, None),
            (ADA, "cem", "Cem is asleep", "", 8, None),
        ]
        log.append(9, ADA, Noticed(sights=(replace(ben, description="Ben is asleep"),)))
        assert log.rows(SeenAgentRow, "description", *fields, subject=BEN) == [
            ("Ben is asleep", 9, None),
            ("Ben is reading", 5, 9),
        ]

    def test_of_learnt_places_has_no_state(self, log: ProjectedLog) -> None:
        log.append(5, ADA, PlacesLearnt(nodes=(BATHROOM,)))
        found = log.rows(KnownPlaceRow, "node", "state", "from_tick", from_tick=5)
        assert found == [(BATHROOM, "", 5)]


class TestObjectStates:
    def states(self, log: ProjectedLog, node: str = STOVE) -> list[tuple[Any, ...]]:
        return log.rows(ObjectStateRow, "from_tick", "to_tick", "state", object=node)

    def test_are_written_whole(self, log: ProjectedLog) -> None:
        log.append(5, ADA, BURNS)
        assert log.row(ObjectStateRow) == {
            "object": STOVE,
            "state": "burning",
            "is_alarming": True,
            "event": "5/commands/0",
            "from_tick": 5,
            "to_tick": None,
        }

    @pytest.mark.parametrize("order", [(5, 8, 12), (12, 5, 8), (12, 8, 5), (8, 12, 5)])
    def test_hold_until_the_next_whatever_the_order_of_commands(
        self, log: ProjectedLog, order: tuple[int, ...]
    ) -> None:
        # Commands reach agents whose clocks differ: a later tick may be written first.
        log.append(1, ADA, replace(BURNS, object=SINK, state="leaking"))
        for tick in order:
            log.append(tick, ADA, replace(BURNS, state=f"set at {tick}"))
        assert self.states(log) == [
            (12, None, "set at 12"),
            (5, 8, "set at 5"),
            (8, 12, "set at 8"),
        ]
        assert self.states(log, SINK) == [(1, None, "leaking")]

    def test_of_the_same_tick_leave_the_last_one(self, log: ProjectedLog) -> None:
        log.append(5, ADA, BURNS)
        log.append(5, ADA, replace(BURNS, state="smoking"))
        assert self.states(log) == [(5, 5, "burning"), (5, None, "smoking")]

    def test_end_when_their_own_event_is_righted(self, log: ProjectedLog) -> None:
        log.append(5, ADA, BURNS)
        log.append(6, ADA, replace(BURNS, object=SINK, state="leaking"))
        log.append(9, ADA, ObjectRighted(object=STOVE, since="5/commands/0"))
        assert self.states(log) == [(5, 9, "burning")]
        assert self.states(log, SINK) == [(6, None, "leaking")]

    def test_that_ended_before_keep_their_end(self, log: ProjectedLog) -> None:
        log.append(5, ADA, BURNS)
        log.append(7, ADA, replace(BURNS, state="smoking"))
        log.append(9, ADA, ObjectRighted(object=STOVE, since="5/commands/0"))
        assert self.states(log) == [(5, 7, "burning"), (7, None, "smoking")]


AT_THE_DOOR = DoorKnocked(
    tile=(5, 9),
    node="Mill Cottage",
    description="knocking at the door of Mill Cottage",
    emoji="✊",
    until_tick=15,
    plan_item=13,
)
ADMITTED = AdmissionGranted(node="Mill Cottage", host=BEN, reason=AdmissionReason.LET_IN)


class TestDoors:
    def test_are_knocked_at_in_an_action_that_ends_the_use_of_objects(
        self, log: ProjectedLog
    ) -> None:
        log.append(5, ADA, COOKS)
        log.append(9, ADA, AT_THE_DOOR)
        knock = log.row(ActionRow, from_tick=9)
        assert (knock["kind"], knock["towards"], knock["until_tick"]) == (
            "knocking",
            "Mill Cottage",
            15,
        )
        assert uses(log) == [(STOVE, "turned on", 5, 5, 9)]

    def test_are_opened_to_a_visitor(self, log: ProjectedLog) -> None:
        log.append(9, ADA, DoorOpened(node="Mill Cottage", visitor=BEN))
        assert log.row(DoorOpeningRow) == {
            "agent": ADA,
            "tick": 9,
            "node": "Mill Cottage",
            "visitor": BEN,
            "event": "9/ada/0",
        }

    def test_stay_open_to_a_visitor_until_the_visit_ends(self, log: ProjectedLog) -> None:
        log.append(9, ADA, ADMITTED, replace(ADMITTED, node="Mill"))
        log.append(20, ADA, AdmissionEnded(node="Mill Cottage"))
        log.append(30, ADA, AgentLeft())
        fields = ("node", "host", "reason", "from_tick", "to_tick")
        assert log.rows(AdmissionRow, *fields) == [
            ("Mill Cottage", BEN, "let-in", 9, 20),
            ("Mill", BEN, "let-in", 9, 30),
        ]


EVERY_EVENT: tuple[Event, ...] = (
    COOKS,
    WALKS,
    replace(WALKS, leaves=BATHROOM),
    KNOCKS,
    AT_THE_DOOR,
    DoorOpened(node=KITCHEN, visitor=BEN),
    ADMITTED,
    AdmissionEnded(node=KITCHEN),
    TurnedAway(node=BATHROOM, why="full"),
    NOTICED,
    PlacesLearnt(nodes=(KITCHEN,)),
    AgentLeft(),
    AgentReturned(tile=(3, 4)),
    BURNS,
    ObjectRighted(object=STOVE, since="3/commands/0"),
)


class TestEveryEvent:
    """Ada and Ben do the same in one simulation, and so do an Ada and a Ben in another."""

    @pytest.fixture
    def logs(self) -> tuple[ProjectedLog, ProjectedLog]:
        logs = new_log(), new_log()
        for log in logs:
            log.append(3, ADA, BURNS)
            for agent in (ADA, BEN):
                log.append(1, agent, replace(JOINED, name=agent))
                log.append(4, agent, KNOCKS, NOTICED)
                log.append(5, agent, SHOWERS)
        return logs

    @pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: event.type)
    def test_changes_no_row_of_another_agent_or_simulation(
        self, logs: tuple[ProjectedLog, ProjectedLog], event: Event
    ) -> None:
        here, elsewhere = logs
        of_agents = [model for model in PEOPLE.models if model is not ObjectStateRow]
        before = here.snapshot(of_agents, agent=BEN), elsewhere.snapshot(PEOPLE.models)
        here.append(9, ADA, event)
        after = here.snapshot(of_agents, agent=BEN), elsewhere.snapshot(PEOPLE.models)
        assert after == before

    @pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: event.type)
    def test_is_written_alike_by_a_rebuild(
        self, logs: tuple[ProjectedLog, ProjectedLog], event: Event
    ) -> None:
        log, _ = logs
        log.append(9, ADA, event)
        assert log.problems() == ()
