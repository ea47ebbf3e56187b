"""The town that `manage.py serve` keeps: found, brought through its first night, run on."""

from contextlib import suppress
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection

from apps import wiring
from apps.console.first_morning import PAPER_PACE, Standing, Step, morning_tick, what_next
from apps.console.first_night import FirstNight, Progress
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.commands.embodiments import NeedsPace
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lifecycle import CannotRun, Founding
from apps.simulation.models import SimulationRow, Status
from apps.simulation.turn.preparation import preparations_of

TOWN_NAME = "smallville"
WORLD = "smallville"
SEED = 1


class TownKeeper:
    """Asks of one town what is to be asked next, and tells how its night goes."""

    def __init__(self, simulation_id: UUID) -> None:
        self._simulation_id = simulation_id
        self.calendar: GameCalendar = queries.calendar_of(simulation_id)
        self.morning_tick = morning_tick(self.calendar)
        self.settled_tick = queries.get_simulation(simulation_id).settled_tick
        self.preparation = preparations_of([simulation_id])[simulation_id]
        self.night_is_on = False
        self.night = FirstNight(simulation_id)

    def begin(self) -> Step:
        """Ask the next thing of a town as it was found; return what that was."""
        row = queries.get_simulation(self._simulation_id)
        self.settled_tick = row.settled_tick
        step = what_next(self._standing(row))
        self.night_is_on = step is Step.NIGHT
        if step is Step.NIGHT:
            self._live_through_the_night()
        elif step is Step.DAY:
            lifecycle.request_run(self._simulation_id, pace=PAPER_PACE)
        elif step is Step.RESUME:
            with suppress(CannotRun):  # it stands at the end that it was asked to run to
                lifecycle.request_run(
                    self._simulation_id, until_tick=row.until_tick, pace=row.pace
                )
        return step

    def _live_through_the_night(self) -> None:
        """Run to the morning as fast as possible; at the paper's pace if a user takes part.

        With a model of this process it is run here, without waiting for a worker.
        """
        here = self.night.can_run_here()
        try:
            lifecycle.request_run(
                self._simulation_id,
                until_tick=self.morning_tick,
                holder=self.night.holder if here else "",
            )
        except NeedsPace:
            lifecycle.request_run(
                self._simulation_id, until_tick=self.morning_tick, pace=PAPER_PACE
            )
        else:
            if here:
                self.night.start()

    def progress(self) -> Progress:
        """Return how far the simulation has come, as of the last look."""
        return Progress(self.preparation, self.settled_tick, self.morning_tick)

    def look(self) -> Step | None:
        """See how far the night has come; return what was asked of the town once it is over.

        A database that is just coming back is asked again at the next look.
        """
        if not self.night_is_on:
            return None
        try:
            row = queries.get_simulation(self._simulation_id)
            self.settled_tick = row.settled_tick
            if row.settled_tick == 0:
                self.preparation = preparations_of([row.pk])[row.pk]
            if row.status != Status.PAUSED and row.until_tick == self.morning_tick:
                return None
            return self.begin()
        except (InterfaceError, OperationalError):
            return None
        finally:
            connection.close()

    def where(self) -> str:
        """Return the town's time and what it is doing, for people."""
        try:
            row = queries.get_simulation(self._simulation_id)
        except (InterfaceError, OperationalError):
            return f"{self.calendar.time_at(self.settled_tick):%A, %d %B %Y, %H:%M}"
        finally:
            connection.close()
        time = self.calendar.time_at(row.settled_tick)
        doing = row.status if row.status != Status.PAUSED else f"paused: {row.reason}"
        return f"{time:%A, %d %B %Y, %H:%M} ({doing})"

    def _standing(self, row: SimulationRow) -> Standing:
        return Standing(
            running=row.status != Status.PAUSED,
            paced=row.pace is not None,
            settled_tick=row.settled_tick,
            until_tick=row.until_tick,
            morning_tick=self.morning_tick,
        )


def ensure_town(owner_id: int) -> UUID:
    """Return the simulation that is kept, founded if there is none of its name."""
    known = SimulationRow.objects.filter(name=TOWN_NAME, owner_id=owner_id)
    row = known.order_by("created_at").first()
    if row is None:
        founding = Founding(name=TOWN_NAME, world=WORLD, seed=SEED)
        row = lifecycle.create_simulation(wiring.ports(), founding, owner_id=owner_id)
    return row.pk
