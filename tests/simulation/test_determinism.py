"""The same seed gives the same history, whoever works on it and in whatever order (V2)."""

from functools import cache

import pytest

from apps import wiring
from apps.agents.models import ActionRow
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import Order, check, rebuild
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    ONE_BY_ONE,
    found,
    history_of,
    live,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

MORNING = "2023-02-13T10:00"


@cache
def in_lock_step() -> str:
    """Return the history of the morning in lock-step, executed once for all tests."""
    return history_of(live(found(), MORNING, LOCK_STEP).pk)


class TestHistory:
    def test_is_the_same_in_lock_step_and_out_of_order(self) -> None:
        # Three agents wake, plan, walk and meet.
        assert history_of(live(found(), MORNING, ONE_BY_ONE).pk) == in_lock_step()

    def test_is_the_same_on_threads_that_commit_out_of_order(self) -> None:
        row = live(found(), MORNING, EIGHT_THREADS, ports=with_delays(seed=1))
        assert history_of(row.pk) == in_lock_step()
        # Only if commits really came out of canonical order was there something to prove.
        places = [
            (event.tick, event.stream, event.ordinal)
            for event in EventRow.objects.filter(simulation_id=row.pk).order_by("position")
        ]
        assert places != sorted(places)

    def test_is_another_for_another_seed(self) -> None:
        assert history_of(live(found(seed=8), MORNING).pk) != in_lock_step()

    def test_does_not_notice_pauses(self) -> None:
        # A day with stops is the day without.
        stopped = found()
        for stop in ("2023-02-13T06:00:20", "2023-02-13T07:13", "2023-02-13T09:00:10"):
            live(stopped, stop, EIGHT_THREADS)
        assert history_of(live(stopped, MORNING).pk) == in_lock_step()


class TestRebuild:
    def test_gives_the_rows_that_the_live_run_wrote(self) -> None:
        # The live run committed out of canonical order; a rebuild reads in either.
        row = live(found(), MORNING, EIGHT_THREADS, ports=with_delays(seed=3))
        assert check(wiring.event_store(), row.pk).problems == ()
        for order in (Order.CANONICAL, Order.COMMIT):
            rebuild(wiring.event_store(), row.pk, order=order)
            assert check(wiring.event_store(), row.pk).problems == ()

    def test_tells_rows_that_somebody_has_changed(self) -> None:
        row = live(found(), "2023-02-13T08:00")
        ActionRow.objects.filter(simulation_id=row.pk, to_tick=None).update(emoji="👻")
        problems = check(wiring.event_store(), row.pk).problems
        assert any("👻" in problem for problem in problems)

    def test_goes_on_from_rebuilt_rows(self) -> None:
        row = live(found(), "2023-02-13T08:20:30", EIGHT_THREADS)
        rebuild(wiring.event_store(), row.pk)
        assert history_of(live(row, MORNING).pk) == in_lock_step()
