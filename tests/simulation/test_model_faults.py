"""Whatever the model server does wrong: the town goes on, and nothing is lost or paid twice."""

import pytest

from tests.model_server.cases import CASES, Case, Ends
from tests.support.struck_towns import END, Undisturbed, strike, undisturbed

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
