"""A paced simulation after an absence, on clocks that jump, and with a model that is slow."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from apps import wiring
from apps.simulation.engine import lifecycle
from apps.simulation.engine.pace import RealTime
from apps.simulation.engine.scheduler import SchedulerOptions, SimulationScheduler
from apps.simulation.engine.turn_executors import ReadyTurn, SequentialExecutor
from apps.simulation.models import SimulationRow, Status
from apps.simulation.queries import lag_seconds
from apps.simulation.turn.pipeline import take_turn
from tests.support.towns import found, live, with_delays

pytestmark = pytest.mark.django_db(transaction=True)

PAPER_PACE = 60.0  # six ticks a second
ONE = ("Isabella Rodriguez",)


@dataclass
class Machine:
    """The clocks of a machine; a test moves them."""

    seconds: float = 5_000.0
    wall: datetime = field(default_factory=lambda: datetime(2026, 11, 22, 12, tzinfo=UTC))

    @property
    def time(self) -> RealTime:
        return RealTime(monotonic=lambda: self.seconds, wall=lambda: self.wall)

    def passes(self, seconds: float) -> None:
        self.seconds += seconds
        self.wall += timedelta(seconds=seconds)


@dataclass
class Run:
    """A simulation that is scheduled step by step, on the clocks of a machine."""

    row: SimulationRow
    machine: Machine
    before_turn: Callable[[], None] = lambda: None
    scheduler: SimulationScheduler | None = None
    executed: int = 0

    def take_up(self) -> None:
        """Begin with what the rows say, as a scheduler process does."""

        def execute(turn: ReadyTurn) -> None:
            self.executed += 1
            self.before_turn()
            take_turn(
                wiring.ports(), simulation_id=self.row.pk, agent=turn.agent, tick=turn.tick
            )

        self.scheduler = SimulationScheduler(
            wiring.ports(),
            self.row.pk,
            executor=SequentialExecutor(execute),
            options=SchedulerOptions(ensure_lease=lambda: None, time=self.machine.time),
        )
        self.step()

    def step(self) -> int:
        """Take steps until the clock has to move, and return the committed tick."""
        assert self.scheduler is not None
        idle_steps = 0
        while idle_steps < 2:  # the turns that one step submits are executed in the next
            executed = self.executed
            seconds = self.scheduler.step(requests=idle_steps == 0)
            is_idle = seconds != 0 and self.executed == executed
            idle_steps = idle_steps + 1 if is_idle else 0
        self.scheduler.close()
        self.row.refresh_from_db()
        return self.row.committed_tick

    def after(self, seconds: float) -> int:
        """Return the committed tick after so many seconds."""
        self.machine.passes(seconds)
        return self.step()

    @property
    def lag(self) -> float:
        return lag_seconds(self.row, 10, self.machine.wall)


@pytest.fixture
def run() -> Run:
    """Return a paced simulation of one sleeping agent that a scheduler has taken up."""
    row = found(agents=ONE)
    lifecycle.request_run(row.pk, pace=PAPER_PACE)
    run = Run(row, Machine())
    run.take_up()
    assert run.after(10) == 60
    return run


class TestPace:
    def test_does_not_catch_up_an_absence(self, run: Run) -> None:
        run.machine.passes(8 * 3_600)
        run.take_up()
        assert run.row.committed_tick == 60
        assert run.after(2) == 72
        assert run.lag == 0

    def test_does_not_stand_still_when_the_wall_clock_is_set_back(self, run: Run) -> None:
        run.machine.wall -= timedelta(hours=3)
        assert run.after(2) == 72
        assert run.after(2) == 84
        assert run.lag == 0

    def test_does_not_hurry_when_the_wall_clock_is_set_forward(self, run: Run) -> None:
        run.machine.wall += timedelta(hours=3)
        assert run.after(2) == 72
        assert run.after(2) == 84
        assert run.lag == 0

    def test_counts_anew_when_it_is_requested_anew(self, run: Run) -> None:
        lifecycle.request_run(run.row.pk, pace=2 * PAPER_PACE)
        run.step()
        assert run.after(2) == 84

    @pytest.mark.parametrize(("thinking", "committed"), [(30, 186), (300, 1)])
    def test_catches_up_what_a_slow_model_has_cost_within_the_limit(
        self, thinking: float, committed: int
    ) -> None:
        row = live(found(agents=ONE), "2023-02-13T05:59:50")
        asleep = row.committed_tick
        lifecycle.request_run(row.pk, pace=PAPER_PACE)

        def think() -> None:
            slow.machine.passes(thinking if slow.executed == 1 else 0)

        slow = Run(row, Machine(), before_turn=think)
        slow.take_up()
        slow.after(1)  # she wakes up, and the model takes its time for her first turn
        assert row.committed_tick == asleep + committed
        assert slow.after(1) == asleep + committed + 6
        assert row.status == Status.RUNNING

    @pytest.mark.parametrize("thinking", [30, 300])
    def test_begins_when_all_seed_memories_are_formed(self, thinking: float) -> None:
        row = found(agents=ONE, ports=with_delays(7))  # forms no seed memories yet
        lifecycle.request_run(row.pk, pace=PAPER_PACE)
        slow = Run(row, Machine(), before_turn=lambda: slow.machine.passes(thinking))
        slow.take_up()  # her seed memories are formed
        assert slow.executed == 1
        assert row.committed_tick == 0
        assert slow.after(1) == 6
        assert slow.lag == 0

    def test_gives_up_what_is_more_than_the_limit(self, run: Run) -> None:
        # The process was stopped for ten minutes: its monotonic clock went on.
        assert run.after(600) == 60
        assert run.after(1) == 66
        assert run.lag == 0

    def test_catches_up_less_than_the_limit(self, run: Run) -> None:
        assert run.after(50) == 360


class TestLag:
    def test_is_at_most_what_is_caught_up(self, run: Run) -> None:
        # Nobody schedules the simulation for a day.
        run.machine.passes(86_400)
        assert run.lag == PAPER_PACE * 60
