"""The embedding requests of a turn: one, but where texts depend on an answer (ADR 38)."""

from collections import Counter

import pytest

from apps.eventlog.models import EventRow
from apps.llm.models import EmbeddingCallRow
from apps.planning.events import DayOutlined
from tests.support.thinking_towns import thinking_town

pytestmark = pytest.mark.django_db(transaction=True)

NINE = 3_240  # in the morning
# On waking the first hour depends on the hours of the day, and its actions on the hour.
REQUESTS_ON_WAKING = 3


def test_a_turn_makes_one_request_at_most() -> None:
    with thinking_town() as town:
        row = town.live(NINE)
        assert row.settled_tick == NINE, row.reason
        events = EventRow.objects.filter(simulation_id=row.pk, tick__gt=0)
        turns = set(events.values_list("tick", "stream"))
        waking = set(events.filter(type=DayOutlined.type).values_list("tick", "stream"))
        made = Counter(
            EmbeddingCallRow.objects.filter(simulation_id=row.pk, tick__gt=0).values_list(
                "tick", "stream"
            )
        )
    assert {made[turn] for turn in waking} == {REQUESTS_ON_WAKING}
    others = turns - waking
    assert max(made[turn] for turn in others) == 1
    # What an hour needs is embedded when it is planned: most of its turns make no request.
    assert sum(made[turn] for turn in others) < len(others) / 2
