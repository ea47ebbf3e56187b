"""Divides an hour into actions of a few minutes (stand-in, not a language model)."""

import re
from collections.abc import Sequence

from apps.llm.offline import Chance
from apps.planning.chains.action_detail import ActionDetail, DetailedAction, HourToDetail
from apps.planning.offline.activities import activity_for, hour_said
from apps.planning.offline.finding import is_homely
from apps.planning.offline.timeline import JOINT
from apps.planning.offline.vocabulary import THING, Activity, HourText, Step
from apps.planning.words import doing

# Furniture that homes have, as it is called elsewhere.
_ELSEWHERE = (
    (re.compile(r"\b(at|on) the desk\b"), r"\1 a table"),
    (re.compile(r"\bfrom the shelf\b"), "from the bag"),
    (re.compile(r"\bon the bookshelves\b"), "in the books at hand"),
    (re.compile(r"\bfrom the bookshelves\b"), "from the bag"),
    (re.compile(r"\bon a computer\b"), "on a laptop"),
)


def action_detail(given: HourToDetail, chance: Chance) -> ActionDetail:
    """Return the hour's actions; one told as "…, then …" is shared out evenly."""
    told = given.activity.split(JOINT)
    share = given.minutes // len(told)
    steps = [
        step
        for index, activity in enumerate(told)
        for step in _steps_for(given, activity, share, chance, index)
    ]
    return ActionDetail(
        actions=[
            DetailedAction(description=_fitted(step.doing, given.place), minutes=step.minutes)
            for step in steps
        ]
    )


def _steps_for(
    given: HourToDetail, activity: str, minutes: int, chance: Chance, index: int
) -> list[Step]:
    kind, hour = _meant(activity, chance)
    if hour is None:
        return _scaled(_plain_steps(activity), minutes, given)
    thing = "" if kind is None else kind.thing_in(activity)
    steps = [Step(step.doing.replace(THING, thing), step.minutes) for step in hour.steps]
    goes_on = any(step.doing == given.before for step in steps)
    if hour.ordered and not goes_on:
        return _scaled(steps, minutes, given)
    # Whoever goes on with the same does not begin at the beginning again.
    steps = steps[1:] if hour.ordered else steps
    return _mixed(steps, minutes, given.before, chance, index)


def _meant(activity: str, chance: Chance) -> tuple[Activity | None, HourText | None]:
    said = hour_said(activity)
    if said is not None:
        return said
    kind = activity_for(activity)
    if kind is None:
        return None, None
    return kind, chance.choice(kind.hours, "hour", activity)


def _plain_steps(activity: str) -> list[Step]:
    """Return the steps of an activity that the vocabulary does not know."""
    busy = doing(activity)
    return [
        Step(f"getting ready for {busy}" if busy.split(" ")[0].endswith("ing") else busy, 5),
        Step(busy, 15),
        Step("taking a short break", 5),
        Step(busy, 15),
        Step("looking over what is done so far", 5),
        Step(busy, 10),
        Step("clearing things away", 5),
    ]


def _scaled(steps: Sequence[Step], minutes: int, given: HourToDetail) -> list[Step]:
    """Return the steps in their order, stretched or squeezed to about the minutes.

    The longest are kept when there is no time for all; lengths are fives of minutes where
    the bounds are.
    """
    fits = max(1, minutes // given.least)
    kept = sorted(range(len(steps)), key=lambda at: (-steps[at].minutes, at))[:fits]
    steps = [step for at, step in enumerate(steps) if at in kept]
    total = sum(step.minutes for step in steps)
    return [Step(step.doing, _rounded(step.minutes * minutes / total, given)) for step in steps]


def _rounded(minutes: float, given: HourToDetail) -> int:
    whole = round(minutes / given.least) * given.least
    return min(max(whole, given.least), given.most)


def _mixed(
    steps: Sequence[Step], minutes: int, before: str, chance: Chance, index: int
) -> list[Step]:
    """Return steps in an order of chance until the minutes are filled, none twice in a row."""
    mixed: list[Step] = []
    last, left = before, minutes
    pool: list[Step] = []
    while left > 0:
        pool = pool or list(steps)
        fresh = [step for step in pool if step.doing not in last] or list(steps)
        step = chance.choice(fresh, "step", index, len(mixed))
        pool = [other for other in pool if other != step]
        mixed.append(step)
        last, left = step.doing, left - step.minutes
    return mixed


def _fitted(description: str, place: str) -> str:
    """Return the description in words that fit the place."""
    if is_homely(place):
        return description
    words = _ELSEWHERE[:2] if "library" in place.lower() else _ELSEWHERE
    for pattern, instead in words:
        description = pattern.sub(instead, description)
    return description
