"""The attendance at an agreement: the agents that an agent saw there (D3)."""

from datetime import datetime

import pytest

from apps import wiring
from apps.agents.models import SeenAgentRow
from apps.dialogue.commitments import (
    ATTENDED_MINUTES_MIN,
    Attendance,
    PassedAgreement,
    outcome_of,
)
from apps.memory.events import AgreementOutcome
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from apps.simulation.turn.context.attendance import EARLY_MINUTES, attendance_of
from tests.support.towns import found

pytestmark = pytest.mark.django_db

JOHN, MEI, EDDY, TOM = "john-lin", "mei-lin", "eddy-lin", "tom-moreno"
CAFE, MARKET = "Hobbs Cafe: cafe", "The Willows Market and Pharmacy: store"
FIVE, TICKS_PER_MINUTE = 17 * 60, 6


@pytest.fixture
def row() -> SimulationRow:
    return found(agents=("John Lin", "Mei Lin", "Eddy Lin"))


def saw(row: SimulationRow, other: str, area: str, *, minute: int) -> None:
    """Write that John saw the other one in the area at a minute of the day."""
    SeenAgentRow.objects.create(
        simulation_id=row.pk,
        agent=JOHN,
        subject=other,
        description="talking",
        area=area,
        from_tick=minute * TICKS_PER_MINUTE,
    )


def attended(row: SimulationRow) -> Attendance:
    """Return John's attendance at the party from five to seven, agreed with Mei and Eddy."""
    party = PassedAgreement(
        activity="join the party",
        place="Hobbs Cafe",
        starts=datetime(2023, 2, 13, 17),
        ends=datetime(2023, 2, 13, 19),
        events=("100/john-lin/0",),
        others=(MEI, EDDY),
        node="Hobbs Cafe",
    )
    return attendance_of(constants_of(row.pk, wiring.ports().worlds), JOHN, party)


def test_a_guest_that_came_early_was_there(row: SimulationRow) -> None:
    saw(row, MEI, CAFE, minute=FIVE - EARLY_MINUTES)
    saw(row, EDDY, CAFE, minute=FIVE - EARLY_MINUTES - 1)
    assert attended(row).seen == (MEI,)


def breakfast(room: str) -> PassedAgreement:
    """Return John's agreement with Mei, in the night, when he is in his bedroom."""
    return PassedAgreement(
        activity="have breakfast",
        place=room,
        node=f"Lin family's house: {room}",
        starts=datetime(2023, 2, 13, 0, 10),
        ends=datetime(2023, 2, 13, 0, 30),
        events=("0/john-lin/0",),
        others=(MEI,),
    )


@pytest.mark.parametrize("room", ["common room", "Mei and John Lin's bedroom"])
def test_an_agreement_is_kept_by_two_near_its_place(row: SimulationRow, room: str) -> None:
    constants = constants_of(row.pk, wiring.ports().worlds)
    alone = attendance_of(constants, JOHN, breakfast(room))
    saw(row, MEI, "Lin family's house: bathroom", minute=12)
    held = attendance_of(constants, JOHN, breakfast(room))
    assert held.seen == (MEI,)
    assert outcome_of(breakfast(room), held) is AgreementOutcome.KEPT
    assert outcome_of(breakfast(room), alone) is not AgreementOutcome.KEPT


def test_who_waited_at_the_place_and_saw_nobody_was_there_alone(row: SimulationRow) -> None:
    bedroom = breakfast("Mei and John Lin's bedroom")
    held = attendance_of(constants_of(row.pk, wiring.ports().worlds), JOHN, bedroom)
    assert outcome_of(bedroom, held) is AgreementOutcome.ALONE


def test_another_agent_that_leaves_when_it_begins_was_not(row: SimulationRow) -> None:
    saw(row, TOM, CAFE, minute=FIVE - 5)
    saw(row, TOM, CAFE, minute=FIVE + 1)
    assert attended(row).seen == ()
    saw(row, TOM, CAFE, minute=FIVE + ATTENDED_MINUTES_MIN)
    assert attended(row).seen == (TOM,)


def test_an_agent_seen_elsewhere_was_not(row: SimulationRow) -> None:
    saw(row, MEI, MARKET, minute=FIVE + 5)
    saw(row, EDDY, CAFE, minute=FIVE + 10)
    assert attended(row).seen == (EDDY,)
