"""Answers about times: what the agent did, does, plans, and usually does."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from apps.agents.status import PlannedTime
from apps.rule_model.interview.interviewee import Interviewee
from apps.rule_model.language.moments import clock_of, minute_of
from apps.rule_model.language.topics import stems_of
from apps.rule_model.language.words import vocabulary

STEPS_MAX = 5
HOURS = r"\b\d{1,2}(?::\d\d)? ?[ap]m\b"
_TIME = re.compile(r"\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\d{1,2}:\d\d|noon\b|midnight\b)", re.I)
_PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "tonight": (18, 24)}
_MEALS = vocabulary("phrases_interview")["meals"]
_ASKED_ONLY = stems_of("what where when did do doing today yesterday morning afternoon evening")


def at_a_time(one: Interviewee) -> str:
    """Return what the agent did or plans at the time that the question names."""
    at = _asked_time(one)
    if at is None:
        return ""
    return _was_doing(one, at) if at <= one.now else _will_do(one, at)


def _was_doing(one: Interviewee, at: datetime) -> str:
    day = "" if at.date() == one.now.date() else " yesterday"
    spent = _at(one.given.spent, at)
    if spent is None:
        return "I don't know."
    doing = "asleep" if spent.is_asleep else _doing(one, spent)
    return f"At {_clock(at)}{day} I was {doing}."


def _will_do(one: Interviewee, at: datetime) -> str:
    when = f"{_clock(at)}{' tomorrow' if at.date() != one.now.date() else ''}"
    plan = _at(one.given.plans, at)
    if plan.is_asleep if plan is not None else _is_night(one, at):
        return f"At {when} I'll be asleep."
    if plan is None:
        return f"I don't know yet what I'll be doing at {when}."
    return f"At {when} I plan to {_doing(one, plan)}."


def finished(one: Interviewee) -> str:
    """Return what the agent will have finished at the time that the question names."""
    at = _asked_time(one)
    if at is None:
        return ""
    over = [plan for plan in (*one.given.spent, *one.given.plans) if plan.ends <= at]
    if not over:
        return f"I don't know what I'll have finished by {_clock(at)}."
    last = max(over, key=lambda plan: plan.ends)
    if last.is_asleep:
        return f"By {_clock(at)} I'll have finished sleeping."
    times = f"from {_clock(last.starts)} to {_clock(last.ends)}"
    return f"By {_clock(at)} I'll be done with what I have {times}: {_doing(one, last)}."


def schedule(one: Interviewee) -> str:
    """Return the day in broad strokes: by habit, else as planned."""
    rises = f"I get up at about {_clock_of(one.given.wake_minute)}"
    sleeps = f"I go to bed at about {_clock_of(one.given.bed_minute)}"
    habits = [habit for habit in one.own(HOURS) if not re.search(r"\b\d{4}\b", habit.core)]
    if habits:
        by_hour = sorted(habits, key=lambda habit: _first_minute(habit.core))
        told = " ".join(one.say(habit) for habit in by_hour[: STEPS_MAX + 3])
        return f"{rises}. {told} In the end {sleeps}."
    steps = [plan for plan in one.given.plans if not plan.is_asleep][:STEPS_MAX]
    if steps:
        told = "; ".join(f"at {_clock(p.starts)} I {_doing(one, p)}" for p in steps)
        return f"{rises}. A day like today looks like this: {told}. Then {sleeps}."
    return f"{rises}, and {sleeps}. What comes between I could not say yet."


def sleep(one: Interviewee) -> str:
    """Return when the agent gets up or goes to bed, or did."""
    is_bed = re.search(r"\b(?:bed|sleep)\b", one.question) is not None
    if re.search(r"\b(?:did|have|were)\b", one.question):
        slept = [spent for spent in one.given.spent if spent.is_asleep]
        edges = [spent.starts if is_bed else spent.ends for spent in slept]
        past = [edge for edge in edges if edge < one.now]
        if not past:
            return "I don't know."
        day = "today" if past[-1].date() == one.now.date() else "yesterday"
        return f"I {'went to bed' if is_bed else 'got up'} at about {_clock(past[-1])} {day}."
    minute = one.given.bed_minute if is_bed else one.given.wake_minute
    return f"I {'go to bed' if is_bed else 'get up'} at about {_clock_of(minute)}."


def past(one: Interviewee) -> str:
    """Return how yesterday or today went, or when the agent did what is asked for."""
    asked = one.question
    spent = [p for p in one.given.spent if not p.is_asleep and p.starts <= one.now]
    if "yesterday" in asked or "last night" in asked:
        spent = [p for p in spent if p.starts.date() < one.now.date()]
    elif re.search(r"\btoday\b|\bthis (?:morning|afternoon|evening)\b", asked):
        spent = [p for p in spent if p.starts.date() == one.now.date()]
    spent = [p for p in spent if _is_in_part(asked, p.starts)]
    words = stems_of(asked) - _ASKED_ONLY
    if re.match(r"\W*(?:did|were|have) you\b", asked, re.IGNORECASE):
        fitting = [p for p in spent if words & stems_of(f"{p.activity} {p.place}")]
        return f"Yes, {_times_told(one, fitting[:2])}." if fitting else "Not that I remember."
    meal = next((_MEALS[word] for word in _MEALS if word in asked.lower()), None)
    if meal is not None:
        first, last = meal
        spent = [p for p in spent if first <= p.starts.hour * 60 + p.starts.minute < last]
        spent = [p for p in spent if stems_of(p.activity) & stems_of(f"eating {asked}")]
    if not spent:
        return "" if one.given.spent else "I don't know."
    chosen = sorted(spent, key=lambda p: p.starts - p.ends)[:STEPS_MAX]
    told = _times_told(one, sorted(chosen, key=lambda p: p.starts))
    return f"{told[:1].upper()}{told[1:]}."


def ahead(one: Interviewee) -> str:
    """Return what is planned for the rest of the day, "" where nothing is."""
    plans = [
        plan
        for plan in one.given.plans
        if plan.ends > one.now and not plan.is_asleep and _is_in_part(one.question, plan.starts)
    ]
    steps = "; ".join(
        f"from {_clock(plan.starts)} I plan to {_doing(one, plan)}"
        for plan in plans[:STEPS_MAX]
    )
    return f"{steps[:1].upper()}{steps[1:]}." if steps else ""


def tomorrow(one: Interviewee) -> str:
    """Return what is agreed for tomorrow."""
    day = one.now.date() + timedelta(days=1)
    agreed = [
        memory.scheduled
        for memory in one.given.memories
        if memory.scheduled
        and memory.scheduled.starts
        and memory.scheduled.starts.date() == day
    ]
    if not agreed:
        return "I have no plan for tomorrow yet."
    told = (
        f"at {_clock(a.starts)} I will {one.clause(a.activity)}" for a in agreed if a.starts
    )
    return f"Tomorrow {'; '.join(dict.fromkeys(told))}."


def right_now(one: Interviewee) -> str:
    """Return what the agent is doing and where."""
    status = one.given.status
    if status is None or not status.activity:
        return "I don't know."
    place = f" I'm at {one.given.place}." if "where" in one.question.lower() else ""
    return f"Right now I'm {one.clause(status.activity)}.{place}"


def _asked_time(one: Interviewee) -> datetime | None:
    match = _TIME.search(one.question)
    if match is None:
        return None
    midnight = one.now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = 1 if "tomorrow" in one.question else -1 if "yesterday" in one.question else 0
    return midnight + timedelta(days=days, minutes=minute_of(match[0]) % 1440)


def _at(times: Sequence[PlannedTime], at: datetime) -> PlannedTime | None:
    return next((one for one in times if one.starts <= at < one.ends), None)


def _is_night(one: Interviewee, at: datetime) -> bool:
    minute = at.hour * 60 + at.minute
    wake, bed = one.given.wake_minute, one.given.bed_minute
    return (minute < wake and (bed <= 1440 or minute >= bed - 1440)) or minute >= bed


def _is_in_part(question: str, at: datetime) -> bool:
    part = next((hours for name, hours in _PARTS.items() if name in question), None)
    return part is None or part[0] <= at.hour < part[1]


def _doing(one: Interviewee, plan: PlannedTime) -> str:
    """Return an activity with its place, in the first person."""
    activity, place = one.clause(plan.activity), one.clause(plan.place)
    is_told = not place or place in activity
    preposition = "on" if place == "the street" else "at"
    return activity if is_told else f"{activity} {preposition} {place}"


def _times_told(one: Interviewee, times: Sequence[PlannedTime]) -> str:
    told = []
    for spent in times:
        day = "" if spent.starts.date() == one.now.date() else "yesterday "
        begins, ends = _clock(spent.starts), _clock(spent.ends)
        told.append(f"{day}from {begins} to {ends} I was {_doing(one, spent)}")
    return "; ".join(told)


def _first_minute(text: str) -> int:
    match = re.search(HOURS, text)
    return minute_of(match[0]) if match else 0


def _clock(at: datetime) -> str:
    return _clock_of(at.hour * 60 + at.minute)


def _clock_of(minute: int) -> str:
    return clock_of(minute).replace(":00", "")
