"""Divides an hour into actions of a few minutes (stand-in, not a language model)."""

import re
from collections.abc import Sequence
from itertools import cycle

from apps.planning.chains.action_detail import ActionDetail, DetailedAction, HourToDetail
from apps.planning.words import doing
from apps.rule_model.model import Chance
from apps.rule_model.planning.activities import activity_for, hour_said
from apps.rule_model.planning.at_home import BEDTIME, MORNING, WASHING
from apps.rule_model.planning.eating import EATING
from apps.rule_model.planning.finding import is_homely
from apps.rule_model.planning.furniture import (
    at_counter,
    at_seat,
    seat_in,
    without_furniture,
    without_seat,
)
from apps.rule_model.planning.mishaps import mending_in
from apps.rule_model.planning.telling import Told, told_steps
from apps.rule_model.planning.vocabulary import THING, Activity, HourText, Step

# Furniture that homes have, as it is called elsewhere.
_AT_A_TABLE = (re.compile(r"\b(at|on) the desk\b"), r"\1 a table")
_ON_A_BENCH = (re.compile(r"\b(?:at|on) (?:the desk|a table)\b"), "on a bench")
_FROM_THE_BAG = (re.compile(r"\b(?:from|on) the shelf\b"), "from the bag")
_ELSEWHERE = (
    _AT_A_TABLE,
    _FROM_THE_BAG,
    (re.compile(r"\bon the bookshelves\b"), "in the books at hand"),
    (re.compile(r"\bfrom the bookshelves\b"), "from the bag"),
    (re.compile(r"\bon a computer\b"), "on a laptop"),
    (re.compile(r"\bmaking a cup of tea\b"), "drinking a cup of tea"),
)
# What takes at least so many minutes may take longer.
LONG_STEP = 10
# What nobody knows the steps of and is done in so many minutes is done in one go.
SHORT_MINUTES = 25
AT_HOME = (
    Step("answering messages", 10),
    Step("looking out of the window", 5),
    Step("putting a few things in order", 10),
    Step("sitting down for a moment", 5),
)
ELSEWHERE = (Step("watching the others", 10), Step("looking around", 5))
_EATING = re.compile(r"\beating\b")
_FOR_LATER = re.compile(
    r"\b(?:packing|plans|making the bed|washing up|rinsing|tidying|stretching|resting|news|"
    r"checking|airing|answering|wiping|drinking|apple|fruit)\b"
)
_OUTDOORS = re.compile(r"\b(?:park|garden|square|beach)\b")


def action_detail(given: HourToDetail, chance: Chance) -> ActionDetail:
    """Return the hour's actions; of an hour that tells several things, each in its time."""
    told = [
        step for step in told_steps(given.activity, given.from_minute) if _is_ahead(step, given)
    ]
    starts = [max(step.start, given.from_minute) for step in told]
    ends = [*starts[1:], given.to_minute]
    steps = [
        step
        for index, (activity, start, end) in enumerate(zip(told, starts, ends, strict=True))
        if end > start
        for step in _steps_for(given, activity.text, end - start, chance, index)
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
    seat = seat_in(activity)
    kind, hour = _meant(without_seat(activity), chance)
    if hour is None:
        plain = mending_in(activity, minutes) or _plain_steps(activity, minutes)
        return _scaled(plain, minutes, given)
    thing = "" if kind is None else kind.thing_in(activity)
    steps = [
        Step(_told_as(step.doing.replace(THING, thing), activity, seat), step.minutes)
        for step in hour.steps
    ]
    if given.done and hour.ordered:
        steps = _left(steps, given.done)
    if not steps:
        pastimes = AT_HOME if is_homely(given.place) else ELSEWHERE
        return _mixed(pastimes, minutes, given.before, chance, index)
    done = without_furniture(given.before)
    passed = [step.doing for step in (*AT_HOME, *ELSEWHERE)]
    goes_on = done not in passed and any(without_furniture(s.doing) == done for s in steps)
    if hour.ordered and not goes_on:
        spare = minutes - sum(step.minutes for step in steps)
        if spare >= given.least:
            return _drawn_out(steps, spare, given, kind)
        return _scaled(steps, minutes, given)
    # Whoever goes on with the same does not begin at the beginning again.
    steps = steps[1:] if hour.ordered else steps
    return _mixed(steps, minutes, given.before, chance, index)


def _left(steps: Sequence[Step], done: Sequence[str]) -> list[Step]:
    """Return the steps that are not done yet; a meal that was eaten is not made again."""
    was_done = {without_furniture(description) for description in done}
    left = list(steps)
    if any(_EATING.search(description) for description in done):
        eaten = [at for at, step in enumerate(left) if _is_eating(step)]
        left = left[eaten[-1] + 1 :] if eaten else left
    return [step for step in left if without_furniture(step.doing) not in was_done]


def _meant(activity: str, chance: Chance) -> tuple[Activity | None, HourText | None]:
    said = hour_said(activity)
    if said is not None:
        return said
    kind = activity_for(activity)
    if kind is None:
        return None, None
    return kind, chance.choice(kind.hours, "hour", activity)


def _is_ahead(step: Told, given: HourToDetail) -> bool:
    return step.start < given.to_minute


def _told_as(doing_what: str, activity: str, seat: str) -> str:
    return at_counter(at_seat(doing_what, seat), activity)


def _plain_steps(activity: str, minutes: int) -> list[Step]:
    """Return the steps of an activity that the vocabulary does not know."""
    busy = doing(activity)
    if minutes <= SHORT_MINUTES:
        first, _, then = busy.partition(" and ")
        if _is_gerund(first) and _is_gerund(then):
            return [Step(first, 5), Step(then, max(minutes - 5, 5))]
        return [Step(busy, minutes)]
    return [
        Step(f"getting ready for {busy}" if _is_gerund(busy) else busy, 5),
        Step(busy, 15),
        Step("taking a short break", 5),
        Step(busy, 15),
        Step("looking over what is done so far", 5),
        Step(busy, 10),
        Step("clearing things away", 5),
    ]


def _is_gerund(words: str) -> bool:
    return words.split(" ", maxsplit=1)[0].endswith("ing")


def _scaled(steps: Sequence[Step], minutes: int, given: HourToDetail) -> list[Step]:
    """Return the steps in their order, squeezed to about the minutes.

    When there is no time for all, what can be left for later goes first, and eating last;
    lengths are fives of minutes where the bounds are.
    """
    share = minutes / sum(step.minutes for step in steps)
    scaled = [
        step if _is_eating(step) else Step(step.doing, _rounded(step.minutes * share, given))
        for step in steps
    ]
    while len(scaled) > 1 and sum(step.minutes for step in scaled) > minutes:
        order = range(len(scaled))
        scaled.pop(min(order, key=lambda at: (*_dearness(scaled[at]), -at)))
    return scaled


def _dearness(step: Step) -> tuple[bool, bool, int]:
    return (
        _is_eating(step),
        _FOR_LATER.search(step.doing) is None,
        step.minutes,
    )


def _is_eating(step: Step) -> bool:
    return _EATING.search(step.doing) is not None


def _drawn_out(
    steps: Sequence[Step], spare: int, given: HourToDetail, kind: Activity | None
) -> list[Step]:
    """Return the steps in their order, with the spare minutes used up.

    What takes long may take longer; switching off a light does not. After a meal and
    before leaving one passes the time; other work is gone on with.
    """
    drawn: list[Step] = []
    for step in steps:
        longer = min(given.most - step.minutes, spare) if step.minutes >= LONG_STEP else 0
        longer = max(longer, 0)
        drawn.append(Step(step.doing, step.minutes + longer))
        spare -= longer
    at_leisure = kind in (*EATING, MORNING, WASHING, BEDTIME)
    pastimes = AT_HOME if is_homely(given.place) else ELSEWHERE
    long_ones = [step for step in steps[1:-2] if step.minutes >= LONG_STEP]
    more = cycle(pastimes if at_leisure else [*long_ones, *pastimes])
    added = []
    while spare >= given.least:
        step = next(more)
        added.append(Step(step.doing, min(step.minutes, spare)))
        spare -= added[-1].minutes
    return [*drawn, *added] if kind in EATING else [*drawn[:-1], *added, drawn[-1]]


def _rounded(minutes: float, given: HourToDetail) -> int:
    whole = round(minutes / given.least) * given.least
    return min(max(whole, given.least), given.most)


def _mixed(
    steps: Sequence[Step], minutes: int, before: str, chance: Chance, index: int
) -> list[Step]:
    """Return steps in an order of chance until the minutes are filled, none twice in a row."""
    mixed: list[Step] = []
    last, left = without_furniture(before), minutes
    pool: list[Step] = []
    while left > 0:
        pool = pool or list(steps)
        others = [step for step in steps if without_furniture(step.doing) != last]
        fresh = [step for step in pool if step in others] or others or list(steps)
        step = chance.choice(fresh, "step", index, len(mixed))
        pool = [other for other in pool if other != step]
        mixed.append(step)
        last, left = without_furniture(step.doing), left - step.minutes
    return mixed


def _fitted(description: str, place: str) -> str:
    """Return the description in words that fit the place."""
    if is_homely(place):
        return description
    if _OUTDOORS.search(place.lower()):
        words: Sequence[tuple[re.Pattern[str], str]] = (_ON_A_BENCH, *_ELSEWHERE)
    elif "library" in place.lower():
        words = (_AT_A_TABLE, _FROM_THE_BAG)
    else:
        words = _ELSEWHERE
    for pattern, instead in words:
        description = pattern.sub(instead, description)
    return description
