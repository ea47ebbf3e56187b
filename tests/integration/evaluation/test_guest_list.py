"""The guests of a feast in a history that is written by hand, so that each of them is known.

The feast is at Hobbs Cafe from 17:00 to 19:00. Isabella gives it.
"""

from collections.abc import Collection

import pytest

from apps import wiring
from apps.dialogue.events import Agreed
from apps.evaluation.social.grapevine import Diffusion, Grapevine, diffusion
from apps.evaluation.social.guest_list import GuestList, guest_list, hosts_of
from apps.evaluation.social.news import news_of
from apps.experiments.design import read_design
from apps.experiments.run_steps import MeasuredRun, measure
from apps.kernel.names import slug_of
from apps.memory.events import MemoryOrigin
from tests.support.handwritten import DAY, HandwrittenHistory

pytestmark = pytest.mark.django_db

PEOPLE = (
    "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez", "Ayesha Khan", "Tom Moreno",
    "Sam Moore", "Eddy Lin", "Giorgio Rossi", "Mei Lin", "Abigail Chen",
)  # fmt: skip
ISABELLA, KLAUS, MARIA, AYESHA, TOM = (
    "isabella-rodriguez", "klaus-mueller", "maria-lopez", "ayesha-khan", "tom-moreno",
)  # fmt: skip
SAM, EDDY, GIORGIO, MEI, ABIGAIL = (
    "sam-moore", "eddy-lin", "giorgio-rossi", "mei-lin", "abigail-chen",
)  # fmt: skip
CAFE = "Hobbs Cafe: cafe"
GIVES, HEARD = "You give a lantern feast", "Isabella gives a lantern feast"


def agreed(*, from_minute: int = 17 * 60, place: str = "Hobbs Cafe") -> Agreed:
    return Agreed(
        conversation="1/klaus-mueller",
        other=ISABELLA,
        activity="come to the feast",
        place=place,
        day=DAY,
        from_minute=from_minute,
        to_minute=from_minute + 60,
    )


@pytest.fixture
def feast() -> HandwrittenHistory:
    """Return the history of the feast.

    - Klaus knew and agreed, and came for half an hour. Ayesha heard of it when she came.
    - Maria had a coffee there before and heard of it later, Abigail 20 seconds after she came.
    - Tom knew and stayed away. Mei agreed and stayed away. Sam came and never heard of it.
    - Eddy came, and heard of it after its end. A user told Giorgio of it, who came.
    """
    history = HandwrittenHistory(*PEOPLE)
    heard, acting = history.remembering, history.acting
    history.append("00:01", ISABELLA, heard(ISABELLA, GIVES, MemoryOrigin.INNER_VOICE))
    history.append("12:00", KLAUS, heard(KLAUS, HEARD), agreed())
    history.append("12:00", TOM, heard(TOM, HEARD), agreed(from_minute=12 * 60))
    history.append("12:00", MEI, agreed())
    history.append("15:00", GIORGIO, heard(GIORGIO, HEARD, MemoryOrigin.INNER_VOICE))
    history.append("15:01", GIORGIO, agreed(place="Johnson Park"))
    history.append("16:00", ISABELLA, acting(CAFE))
    history.append("16:30", MARIA, acting(CAFE))
    history.append("16:50", GIORGIO, acting(CAFE))
    history.append("17:20", MARIA, heard(MARIA, HEARD))
    history.append("17:30", KLAUS, acting(CAFE))
    history.append("18:00", KLAUS, acting(""))
    history.append("18:00", SAM, acting(CAFE))
    history.append("18:00:20", AYESHA, acting(CAFE), heard(AYESHA, HEARD))
    history.append("18:00:20", ABIGAIL, acting(CAFE))
    history.append("18:00:40", ABIGAIL, heard(ABIGAIL, HEARD))
    history.append("18:10", EDDY, acting(CAFE))
    history.append("18:20", EDDY, acting(""))
    history.append("22:00", EDDY, heard(EDDY, HEARD))
    return history


def spread(feast: HandwrittenHistory, time: str = "23:00") -> Diffusion:
    """Return who knows of the feast at a time."""
    log = Grapevine(wiring.event_store().read(feast.id))
    slugs = [slug_of(name) for name in PEOPLE]
    return diffusion(log, news_of(["lantern feast"]), slugs, as_of_tick=feast.tick(time))


def guests_of(
    feast: HandwrittenHistory, time: str = "23:00", hosts: Collection[str] | None = None
) -> GuestList:
    """Return the guests of the feast as of a time."""
    return guest_list(
        feast.id,
        world=feast.world,
        calendar=feast.calendar,
        place="Hobbs Cafe",
        ticks=range(feast.tick("17:00"), feast.tick("19:00")),
        news=spread(feast, time),
        hosts=hosts,
    )


class TestGuests:
    def test_are_those_that_knew_agreed_or_came_with_the_evidence(
        self, feast: HandwrittenHistory
    ) -> None:
        found = guests_of(feast)
        tick = feast.tick
        shown = {
            guest.agent: (guest.knew_tick, guest.agreements, guest.minutes, guest.came_tick)
            for guest in found.guests
        }
        noon = tick("12:00")
        assert shown == {
            ABIGAIL: (tick("18:00:40"), (), 59, tick("18:00:20")),
            AYESHA: (tick("18:00:20"), (), 59, tick("18:00:20")),
            EDDY: (None, (), 10, tick("18:10")),
            # He was there when it began.
            GIORGIO: (tick("15:00"), (), 120, tick("17:00")),
            KLAUS: (noon, (f"{noon}/{KLAUS}/1",), 30, tick("17:30")),
            MARIA: (tick("17:20"), (), 120, tick("17:00")),
            MEI: (None, (f"{noon}/{MEI}/0",), 0, None),
            SAM: (None, (), 60, tick("18:00")),
            TOM: (noon, (), 0, None),
        }
        for guest in found.guests:
            number = feast.number_of(guest.agent, HEARD) if guest.knew else None
            assert guest.memory == number

    def test_came_knowing_only_if_they_knew_when_they_came(
        self, feast: HandwrittenHistory
    ) -> None:
        found = guests_of(feast)
        assert [one.agent for one in found.guests if one.came_knowing] == [
            AYESHA, GIORGIO, KLAUS,
        ]  # fmt: skip
        counts = (found.knew, found.accepted, found.came, found.came_knowing)
        assert counts == (6, 2, 7, 3)

    def test_are_the_same_whenever_they_are_counted(self, feast: HandwrittenHistory) -> None:
        # Eddy hears of it between the two moments.
        assert guests_of(feast, "19:00") == guests_of(feast, "23:00")
        assert len(spread(feast, "19:00").knowers) + 1 == len(spread(feast, "23:00").knowers)


class TestHosts:
    def test_are_those_with_which_the_news_began(self, feast: HandwrittenHistory) -> None:
        origins = [one.agent for one in spread(feast).knowers if one.is_origin]
        assert origins == [GIORGIO, ISABELLA]
        assert hosts_of(spread(feast)) == {ISABELLA}
        assert guests_of(feast).hosts == (ISABELLA,)

    def test_can_be_named(self, feast: HandwrittenHistory) -> None:
        found = guests_of(feast, hosts=[KLAUS, ISABELLA])
        assert found.hosts == (ISABELLA, KLAUS)
        assert {ISABELLA, KLAUS}.isdisjoint(guest.agent for guest in found.guests)
        assert (found.knew, found.accepted, found.came, found.came_knowing) == (5, 1, 6, 2)

    def test_are_counted_if_nobody_is_named(self, feast: HandwrittenHistory) -> None:
        found = guests_of(feast, hosts=[])
        [isabella] = [guest for guest in found.guests if guest.agent == ISABELLA]
        assert isabella.came_knowing
        assert (found.knew, found.came, found.came_knowing) == (7, 8, 4)


def measured(feast: HandwrittenHistory, **changes: object) -> dict[str, float | None]:
    """Return the values of the attendance that an experiment has at 23:00."""
    attendance = {
        "name": "feast",
        "topic": ["lantern feast"],
        "place": "Hobbs Cafe",
        "from": f"{DAY}T17:00",
        "to": f"{DAY}T19:00",
    }
    design = read_design(
        {
            "name": "a-feast",
            "seeds": [1],
            "moments": [f"{DAY}T23:00"],
            "measures": [{"attendance": attendance | changes}],
        }
    )
    return measure(MeasuredRun(wiring.ports(), feast.id, feast.tick("23:00")), design)


def test_experiments_count_the_same_guests(feast: HandwrittenHistory) -> None:
    assert measured(feast) == {
        "attendance.feast.knew": 6,
        "attendance.feast.accepted": 2,
        "attendance.feast.came": 7,
        "attendance.feast.came_knowing": 3,
        "attendance.feast.came_share": 0.5,
    }
    assert measured(feast, hosts=[])["attendance.feast.came_knowing"] == 4
    assert measured(feast, hosts=[ISABELLA, KLAUS])["attendance.feast.came_knowing"] == 2
