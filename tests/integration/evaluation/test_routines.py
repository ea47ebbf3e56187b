"""The places of an agent whose way through two days is written by hand."""

from itertools import combinations

import pytest

from apps.evaluation.social.social_measures import Routine, routines
from apps.evaluation.statistics.bootstrap import jensen_shannon_divergence
from tests.support.handwritten import HandwrittenHistory

pytestmark = pytest.mark.django_db

KLAUS = "klaus-mueller"
DORM, CAFE, OUTDOORS = "Oak Hill College Dorm", "Hobbs Cafe", ""


@pytest.fixture
def history() -> HandwrittenHistory:
    """Return a day of Klaus, who is in bed till noon, in the cafe till six, then outdoors."""
    history = HandwrittenHistory("Klaus Mueller", "Maria Lopez")
    history.append("12:00", KLAUS, history.acting("Hobbs Cafe: cafe"))
    history.append("18:00", KLAUS, history.acting(OUTDOORS))
    return history


def routine(history: HandwrittenHistory, hours: int, *, since: str = "00:00") -> Routine:
    begins = history.tick(since)
    ticks = range(begins, begins + history.calendar.ticks_of(minutes=60 * hours))
    found = routines(history.id, world=history.world, calendar=history.calendar, ticks=ticks)
    assert set(found) == {KLAUS, "maria-lopez"}
    return found[KLAUS]


def test_have_the_shares_of_the_time_by_place(history: HandwrittenHistory) -> None:
    assert routine(history, 12).shares == {DORM: 1}
    assert routine(history, 24).shares == {OUTDOORS: 0.25, CAFE: 0.25, DORM: 0.5}
    assert routine(history, 6, since="15:00").shares == {OUTDOORS: 0.5, CAFE: 0.5}


def test_count_different_places_of_each_day(history: HandwrittenHistory) -> None:
    assert routine(history, 12).places_per_day == 1
    # Outdoors is no place: two on the first day, none on the second.
    assert routine(history, 24).places_per_day == 2
    assert routine(history, 48).places_per_day == 1


def test_have_the_radius_of_the_tiles_by_time(history: HandwrittenHistory) -> None:
    assert routine(history, 12).radius == 0
    bed = history.tile_of(KLAUS, "11:00")
    assert history.world.map.area_at(bed).startswith(DORM)
    weights = {
        bed: 0.5,
        history.acting("Hobbs Cafe: cafe").tile: 0.25,
        history.acting(OUTDOORS).tile: 0.25,
    }
    assert len(weights) == 3
    # The mean squared distance from the mean is that of all pairs, weighted by their shares.
    squared = sum(
        weights[one] * weights[other] * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)
        for one, other in combinations(weights, 2)
    )
    assert routine(history, 24).radius == pytest.approx(squared**0.5)


def test_differ_by_the_divergence_of_their_shares(history: HandwrittenHistory) -> None:
    morning, whole = routine(history, 12), routine(history, 24)
    evening = routine(history, 12, since="12:00")
    assert jensen_shannon_divergence(whole.shares, whole.shares) == 0
    # No place in common.
    assert jensen_shannon_divergence(morning.shares, evening.shares) == pytest.approx(1)
    # As that of {a: 1/2, b: 1/2} from {a: 1}: it is only counted how much is elsewhere.
    divergence = jensen_shannon_divergence(whole.shares, morning.shares)
    assert divergence == pytest.approx(0.311278, abs=1e-6)
