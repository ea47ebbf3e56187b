"""Half of Smallville lives a day with each preset, as it should be, and the news spread.

With the standard preset all live it in `test_a_whole_day.py`.
"""

from dataclasses import dataclass

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.evaluation.social.grapevine import Grapevine
from apps.history import DayRecord, read_day_record
from apps.simulation.engine import lifecycle
from apps.simulation.settings import PRESETS
from tests.support.news import CANDIDACY, ORIGINS, PARTY
from tests.support.towns import found, live
from tests.support.whole_day import CHECKS_OF_SOME, UNTIL

# Without the mark there is no database when this file is run by itself.
pytestmark = pytest.mark.django_db


# Those who keep the cafe, the pub and the shops, a family, students, artists, and a candidate.
PEOPLE = (
    "Isabella Rodriguez",
    "Arthur Burton",
    "Carmen Ortiz",
    "Tom Moreno",
    "John Lin",
    "Mei Lin",
    "Eddy Lin",
    "Klaus Mueller",
    "Maria Lopez",
    "Abigail Chen",
    "Latoya Williams",
    "Giorgio Rossi",
    "Sam Moore",
)


@dataclass(frozen=True, slots=True)
class PresetDay:
    """The day with a preset, and the numbers of agents that know each piece of news."""

    lived: DayRecord
    knowers: dict[str, int]


@pytest.fixture(scope="module", params=sorted(PRESETS.keys() - {"standard"}))
def preset_day(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> PresetDay:
    """Let them live the day with a preset; the run is committed, as in use."""
    with django_db_blocker.unblock():
        founded = found(seed=7, agents=PEOPLE, settings={"preset": request.param})
        row = live(founded, UNTIL)
        lived = read_day_record(row.pk, wiring.ports().worlds)
        grapevine = Grapevine(wiring.event_store().read(row.pk))
        knowers = {
            news.name: len(
                grapevine.knowers(news, at_tick=row.committed_tick).keys()
                - {ORIGINS[news.name]}
            )
            for news in (PARTY, CANDIDACY)
        }
        lifecycle.delete_simulation(wiring.ports(), row.pk)
    return PresetDay(lived, knowers)


class TestPresets:
    def test_keep_the_day_as_it_should_be(self, preset_day: PresetDay) -> None:
        wrong = {
            name: faults
            for name, check in CHECKS_OF_SOME.items()
            if (faults := check(preset_day.lived))
        }
        assert wrong == {}

    def test_let_the_news_spread(self, preset_day: PresetDay) -> None:
        assert all(preset_day.knowers.values()), preset_day.knowers
