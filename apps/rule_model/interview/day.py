"""What somebody does at a time of the day (stand-in, not a language model)."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from apps.interaction.chains.answer import PlannedTime
from apps.planning.words import doing
from apps.rule_model.interview.matter import Matter
from apps.rule_model.reading.moments import (
    HALF_DAY,
    MINUTES_OF_DAY,
    clock_of,
    hours_in,
    minute_of,
    when_in,
)

_BY_ITSELF = re.compile(r"\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|noon\b|midnight\b)", re.IGNORECASE)
_FINISHED = re.compile(r"\bfinished\b|\bdone by\b|\bhave you done\b", re.IGNORECASE)
_TOMORROW = re.compile(r"\btomorrow\b", re.IGNORECASE)
_TIMED = re.compile(r"\b\d{1,2}(?::\d\d)? ?[ap]m\b")
_THEN = re.compile(r", then from \d{1,2}:\d\d [ap]m .*")
_WHOSE = re.compile(r"\b(?:his|her|their)\b")
_USUAL_MINUTES = 60
STEPS_MAX = 8
# From when to when the parts of a day last.
AFTERNOON_ENDS, NIGHT_ENDS = 18 * 60, 5 * 60
PARTS = {
    "morning": (0, HALF_DAY),
    "afternoon": (HALF_DAY, AFTERNOON_ENDS),
    "evening": (AFTERNOON_ENDS, MINUTES_OF_DAY),
    "tonight": (AFTERNOON_ENDS, MINUTES_OF_DAY),
    "night": (AFTERNOON_ENDS, MINUTES_OF_DAY + NIGHT_ENDS),
}
_PART = re.compile(rf"\b({'|'.join(PARTS)})\b", re.IGNORECASE)


def at_a_time(matter: Matter) -> str:
    """Tell what the plan, or else habit, has for the time that is asked for."""
    named = _BY_ITSELF.search(matter.question)
    if named is None:
        return ""
    asked = minute_of(named[0]) % MINUTES_OF_DAY
    if _TOMORROW.search(matter.question):
        # Of tomorrow there are habits and no plan yet.
        return _tell(matter, asked, None, is_ahead=True)
    if _FINISHED.search(matter.question):
        return _finished(matter, asked)
    return _tell(matter, asked, _at(matter.given.plans, asked))


def schedule(matter: Matter) -> str:
    """Tell the day in broad strokes: as planned, else by habit."""
    given = matter.given
    rises = f"I get up at about {_clock(given.wake_minute)}"
    sleeps = f"I go to bed at about {_clock(given.bed_minute)}"
    strokes = _strokes(given.plans)
    habits = [core for core in matter.own() if _TIMED.search(core) and not dated(core)]
    habits = sorted(habits[:STEPS_MAX], key=_begins)
    if habits:
        told = " ".join(matter.say(core) for core in habits)
        return f"{rises}. {told} In the end {sleeps}."
    if strokes:
        told = "; ".join(f"from {_clock(minute)} I {text}" for minute, text in strokes)
        return f"{rises}. A day like today looks like this: {told}. Then {sleeps}."
    return f"{rises}, and {sleeps}. What comes between I could not say yet."


def ahead(matter: Matter) -> str:
    """Tell what is planned for the rest of the day, "" where nothing is."""
    part = _PART.search(matter.question)
    begins, ends = PARTS[part[1].lower()] if part else (0, MINUTES_OF_DAY)
    plans = [
        plan
        for plan in matter.given.plans
        if _is_ahead(matter, plan.to_minute)
        and begins < plan.to_minute
        and plan.from_minute < ends
    ]
    strokes = _strokes(plans)
    if not strokes:
        return ""
    told = "; ".join(f"from {_clock(minute)} I plan to {_my(text)}" for minute, text in strokes)
    return f"This is what I have in mind: {told}."


def tomorrow(matter: Matter) -> str:
    """Tell what is known of tomorrow already."""
    day = matter.today + timedelta(days=1)
    known = [told for told in matter.told if when_in(told.core, matter.today).day == day]
    said = dict.fromkeys(matter.say(told.core) for told in known if matter.me in told.core)
    return " ".join(list(said)[:STEPS_MAX]) or "I have no plan for tomorrow yet."


def habits(matter: Matter) -> str:
    """Tell when one gets up and goes to bed as a rule."""
    given = matter.given
    rises, sleeps = _clock(given.wake_minute), _clock(given.bed_minute)
    return f"As a rule I get up at about {rises} and go to bed at about {sleeps}."


def right_now(matter: Matter) -> str:
    """Tell what one is doing."""
    doing_now = matter.given.status.removeprefix(f"{matter.me} is ")
    if not doing_now:
        return "I could not say."
    return f"Right now I'm {doing_now}."


def _finished(matter: Matter, asked: int) -> str:
    before = [plan for plan in matter.given.plans if plan.to_minute <= asked]
    if _is_asleep(matter, asked - 1) or not before:
        return _tell(matter, asked - 1, None)
    activity = _my(doing(_last(before[-1].activity)))
    had = "I'll have just finished" if _is_ahead(matter, asked) else "I had just finished"
    at = _clock(asked)
    if activity.partition(" ")[0].endswith("ing"):
        return f"At {at} {had} {activity}."
    return f"At {at} {had} with this: {activity}."


def _tell(
    matter: Matter, asked: int, planned: PlannedTime | None, *, is_ahead: bool | None = None
) -> str:
    at = _clock(asked)
    if is_ahead is None:
        is_ahead = _is_ahead(matter, asked)
    if planned is None and _is_asleep(matter, asked):
        return f"At {at} I'll be asleep." if is_ahead else f"At {at} I was asleep."
    if planned is None:
        habit = _habit(matter, asked)
        if habit:
            return f"I have no plan for {at} yet, but as a rule: {matter.clause(habit)}."
        return f"I don't know yet what I'll do at {at}; I have no plan for that time."
    activity = _my(doing(_first(planned.activity, asked)))
    be = "I'll be" if is_ahead else "I was"
    if not activity.partition(" ")[0].endswith("ing"):
        be = "my plan is to" if is_ahead else "my plan was to"
    where = planned.place.rpartition(": ")[2] if ": " in planned.place else planned.place
    place = "" if where in activity else f" at {where}"
    return f"At {at} {be} {activity}{place}."


def _at(plans: Sequence[PlannedTime], minute: int) -> PlannedTime | None:
    return next((plan for plan in plans if plan.from_minute <= minute < plan.to_minute), None)


def _is_asleep(matter: Matter, minute: int) -> bool:
    wake, bed = matter.given.wake_minute, matter.given.bed_minute
    return minute < wake or minute >= bed or minute + MINUTES_OF_DAY < bed


def _is_ahead(matter: Matter, minute: int) -> bool:
    now = matter.now
    return now is None or minute > now.hour * 60 + now.minute


def _habit(matter: Matter, minute: int) -> str:
    for core in matter.own():
        start, end = hours_in(core)
        if start is not None and start <= minute < (end or start + _USUAL_MINUTES):
            return core
    return ""


def _strokes(plans: Sequence[PlannedTime]) -> list[tuple[int, str]]:
    """Return when what begins, at most so many, whatever lasts longest first of all."""
    longest = sorted(plans, key=lambda plan: plan.from_minute - plan.to_minute)[:STEPS_MAX]
    in_order = sorted(longest, key=lambda plan: plan.from_minute)
    return [(plan.from_minute, _first(plan.activity, plan.from_minute)) for plan in in_order]


def _first(activity: str, minute: int) -> str:
    """Return the step of an hour's text that holds the minute."""
    said = activity
    for match in re.finditer(r", then from (\d{1,2}:\d\d [ap]m) ", activity):
        if minute_of(match[1]) <= minute:
            said = activity[match.end() :]
    return _THEN.sub("", said)


def _last(activity: str) -> str:
    return re.split(r", then from \d{1,2}:\d\d [ap]m ", activity)[-1]


def _my(activity: str) -> str:
    """Return the activity as one says it of oneself."""
    return _WHOSE.sub("my", activity)


def _begins(core: str) -> int:
    return hours_in(core)[0] or 0


def dated(core: str) -> bool:
    """Whether the sentence is of one day and of no other."""
    return when_in(core, date.min).day is not None


def _clock(minute: int) -> str:
    return clock_of(minute % MINUTES_OF_DAY).replace(":00", "")
