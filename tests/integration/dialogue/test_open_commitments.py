"""Open commitments: changed, cancelled and past ones are left out."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.agents.phrases import agreement_text
from apps.dialogue.events import EVENTS, Agreed, Declined
from apps.dialogue.models import CONVERSATIONS
from apps.dialogue.queries import open_commitments
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

MEI, EDDY = "mei-lin", "eddy-lin"
MONDAY = datetime(2023, 2, 13, 17)
PIECE = Agreed(
    conversation="4/mei-lin",
    other=EDDY,
    activity="listen to the piece",
    place="Lin family's house",
    day="2023-02-13",
    from_minute=19 * 60 + 30,
    to_minute=20 * 60,
)
PARTY = replace(PIECE, activity="come to the party", day="2023-02-14", from_minute=1_020)


def listed(log: ProjectedLog, *, as_of: int, now: datetime = MONDAY) -> list[tuple[str, str]]:
    found = open_commitments(log.simulation_id, MEI, now=now, as_of_tick=as_of)
    return [(one.activity, f"{one.starts:%d %H:%M}") for one in found]


def new_log() -> ProjectedLog:
    log = ProjectedLog(EVENTS, [CONVERSATIONS])
    log.append(4, MEI, PARTY)
    log.append(5, MEI, PIECE)
    log.append(5, EDDY, replace(PIECE, other=MEI))
    log.append(6, MEI, Declined(conversation="4/mei-lin", other=EDDY, activity="swim"))
    return log


def test_are_in_order_of_time() -> None:
    log = new_log()
    assert listed(log, as_of=3) == []
    assert listed(log, as_of=6) == [
        ("listen to the piece", "13 19:30"),
        ("come to the party", "14 17:00"),
    ]


def test_are_over_at_their_end() -> None:
    log = new_log()
    assert len(listed(log, as_of=6, now=datetime(2023, 2, 13, 19, 59))) == 2
    assert len(listed(log, as_of=6, now=datetime(2023, 2, 13, 20))) == 1


def test_have_their_new_time_once_they_are_changed() -> None:
    log = new_log()
    log.append(
        9, MEI, replace(PIECE, from_minute=1_200, to_minute=1_230, replaces="5/mei-lin/0")
    )
    assert listed(log, as_of=8)[0] == ("listen to the piece", "13 19:30")
    assert listed(log, as_of=9) == [
        ("listen to the piece", "13 20:00"),
        ("come to the party", "14 17:00"),
    ]


def test_are_gone_once_they_are_cancelled() -> None:
    log = new_log()
    log.append(9, MEI, replace(PARTY, replaces="4/mei-lin/0", cancelled=True))
    assert listed(log, as_of=9) == [("listen to the piece", "13 19:30")]
    assert len(listed(log, as_of=8)) == 2


def test_are_listed_once_where_they_were_agreed_twice() -> None:
    log = new_log()
    log.append(9, MEI, replace(PIECE, conversation="9/mei-lin", other="john-lin"))
    assert [activity for activity, _ in listed(log, as_of=9)] == [
        "listen to the piece",
        "come to the party",
    ]


def test_name_all_with_whom_they_were_agreed() -> None:
    """John agrees to it by himself, and then with Eddy and Sam at one table."""
    log = new_log()
    log.append(9, MEI, replace(PIECE, conversation="9/mei-lin", other="john-lin"))
    again = replace(PIECE, conversation="11/mei-lin", other=EDDY, besides=("sam-moore",))
    log.append(11, MEI, again)
    piece, party = open_commitments(log.simulation_id, MEI, now=MONDAY, as_of_tick=11)
    assert sorted(piece.others) == [EDDY, "john-lin", "sam-moore"]
    assert party.others == (EDDY,)
    line = agreement_text(piece.with_names(str.title))
    assert line.startswith("Monday, February 13, 2023, 7:30 pm to 8:00 pm: listen to the piece")
    assert all(name in line for name in ("Eddy-Lin", "John-Lin", "Sam-Moore"))
