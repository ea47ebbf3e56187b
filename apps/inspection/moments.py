"""The choice of the moment as of which all pages of a simulation are read (V3)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import QueryDict

from apps.api.http.simulation_context import SimulationContext
from apps.api.http.simulation_views import committed
from apps.kernel.game_moments import last_tick_until

PARAMETER = "at"
_STEPS = (
    ("- 1 day", timedelta(days=-1)),
    ("- 1 h", timedelta(hours=-1)),
    ("- 10 min", timedelta(minutes=-10)),
    ("+ 10 min", timedelta(minutes=10)),
    ("+ 1 h", timedelta(hours=1)),
    ("+ 1 day", timedelta(days=1)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A link to the same page at another moment; `query` is "" where there is none."""

    label: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenMoment:
    """The moment of a page.

    `given` is the value of the parameter `at`, "" for the committed tick. `earliest` and
    `latest` are the game times that can be chosen.
    """

    given: str
    tick: int
    time: datetime
    earliest: datetime
    latest: datetime
    steps: tuple[Step, ...]
    latest_query: str


def tick_of_moment(given: str, context: SimulationContext) -> int:
    """Return the tick as of which to read, the committed tick for "".

    :raises UnusableTime: if the value names no moment.
    :raises InvalidRequest: if the moment is not committed yet.
    """
    if not given:
        return context.row.committed_tick
    tick = last_tick_until(given, context.calendar)
    committed_tick, calendar = context.row.committed_tick, context.calendar
    return committed(tick, committed_tick, calendar, parameter=PARAMETER)


def chosen_moment(parameters: QueryDict, context: SimulationContext) -> ChosenMoment:
    """Return the moment of a page with links to earlier and later ones.

    `parameters` are those of the request; the links keep all but the place in a list.
    """
    now, calendar = context.time_at(context.as_of_tick), context.calendar
    earliest, latest = calendar.time_at(0), calendar.time_at(context.row.committed_tick)
    return ChosenMoment(
        given=parameters.get(PARAMETER, ""),
        tick=context.as_of_tick,
        time=now,
        earliest=earliest,
        latest=latest,
        steps=tuple(
            Step(
                label=label,
                query=_query(parameters, now + by) if earliest <= now + by <= latest else "",
            )
            for label, by in _STEPS
        ),
        latest_query=_query(parameters, None),
    )


def _query(parameters: QueryDict, time: datetime | None) -> str:
    changed = parameters.copy()
    for name in (PARAMETER, "after"):
        changed.pop(name, None)
    if time is not None:
        changed[PARAMETER] = time.isoformat(timespec="seconds")
    return f"?{changed.urlencode()}"
