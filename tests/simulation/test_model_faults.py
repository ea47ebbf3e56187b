"""Whatever the model server does wrong: the town goes on, and nothing is lost or paid twice."""

import pytest

from apps.simulation.models import Status
from tests.model_server.cases import CASES, Case, Ends
from tests.model_server.faults import NONSENSE
from tests.support.struck_towns import END, ISABELLA, Undisturbed, strike, undisturbed
from tests.support.thinking_towns import thinking_town

pytestmark = pytest.mark.django_db(transaction=True)

_expected: list[Undisturbed] = []


@pytest.fixture
def expected() -> Undisturbed:
    """Return the undisturbed morning, lived once."""
    if not _expected:
        _expected.append(undisturbed())
    return _expected[0]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_town_outlives_its_model_server(case: Case, expected: Undisturbed) -> None:
    struck = strike(case, expected)
    assert struck.ends == case.ends
    assert case.told in struck.reason
    assert struck.committed_tick == END, struck.reason
    # Every request that the server took is on record, and no answer that came was asked for
    # again.
    assert struck.on_record == struck.requests
    assert struck.answered_twice == 0
    if case.ends != Ends.FELL_BACK:
        assert struck.extra >= 1
        assert struck.history == expected.history
    assert struck.problems == ()


def test_a_town_pauses_when_no_answer_can_be_used() -> None:
    with thinking_town(ISABELLA) as town:
        town.server.kind, town.server.for_good = "chat", NONSENSE
        row = town.live(END)
        assert (row.status, row.committed_tick < END) == (Status.PAUSED, True)
        assert "fallback of every call" in row.reason
        assert "there is no complete JSON object" in row.reason
        town.server.for_good = None
        assert town.live(END).committed_tick == END
