"""Heartbeats say when a scheduler and a worker were last alive."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.simulation.engine.turn_claims import (
    FORGOTTEN_AFTER_HOURS,
    forget_process,
    process_name,
    record_heartbeat,
)
from apps.simulation.models import ProcessRow
from apps.simulation.queries import process_seen_at

pytestmark = pytest.mark.django_db

SCHEDULER, WORKER = ProcessRow.Kind.SCHEDULER, ProcessRow.Kind.WORKER


class TestHeartbeat:
    def test_tells_when_a_process_of_each_kind_was_last_alive(self) -> None:
        assert process_seen_at(SCHEDULER) is None
        began = timezone.now()
        record_heartbeat(SCHEDULER, "a")
        seen = process_seen_at(SCHEDULER)
        assert seen is not None
        assert began <= seen <= timezone.now()
        assert process_seen_at(WORKER) is None

    def test_moves_on_without_another_row(self) -> None:
        record_heartbeat(WORKER, "a", threads=4)
        first = process_seen_at(WORKER)
        record_heartbeat(WORKER, "a", threads=4)
        second = process_seen_at(WORKER)
        assert first is not None
        assert second is not None
        assert second > first
        assert ProcessRow.objects.count() == 1

    def test_of_an_orderly_end_is_forgotten_at_once(self) -> None:
        record_heartbeat(WORKER, "a", threads=4)
        forget_process("a")
        assert process_seen_at(WORKER) is None

    def test_of_a_process_that_was_killed_is_forgotten_after_a_day(self) -> None:
        record_heartbeat(WORKER, "killed", threads=4)
        long_ago = timezone.now() - timedelta(hours=FORGOTTEN_AFTER_HOURS + 1)
        ProcessRow.objects.update(seen_at=long_ago)
        record_heartbeat(SCHEDULER, process_name())
        assert not ProcessRow.objects.filter(pk="killed").exists()
