"""The embedding requests of a turn: one, but where texts depend on an answer (ADR 38)."""

from collections import Counter

import pytest

from apps.eventlog.models import EventRow
from apps.llm.models import EmbeddingCallRow
from apps.planning.events import DayOutlined
from apps.reflection.events import Reflected, ReflectionKind
from tests.support.thinking_towns import thinking_town

pytestmark = pytest.mark.django_db(transaction=True)

NINE = 3_240  # in the morning
MIDNIGHT = 8_640
# On waking the first hour depends on the hours of the day. Its actions are no memories by
# themselves, since they are routine (ADR 50).
REQUESTS_ON_WAKING = 2


def test_a_turn_makes_one_request_at_most() -> None:
    with thinking_town() as town:
        row = town.live(NINE)
        assert row.committed_tick == NINE, row.reason
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


def test_going_to_sleep_makes_one_request_too() -> None:
    # The query of the hour was embedded with the plan: what is kept of the day is left.
    with thinking_town(agents=1) as town:
        row = town.live(MIDNIGHT)
        assert row.committed_tick == MIDNIGHT, row.reason
        condensed = EventRow.objects.get(
            simulation_id=row.pk,
            type=Reflected.type,
            data__kind=ReflectionKind.CONSOLIDATION,
        )
        made = EmbeddingCallRow.objects.filter(
            simulation_id=row.pk, tick=condensed.tick, stream=condensed.stream
        )
        assert made.count() == 1
