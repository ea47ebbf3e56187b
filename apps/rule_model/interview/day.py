"""Answers about times: what the agent did, does, plans, and usually does."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from apps.agents.status import PlannedTime
from apps.rule_model.interview.people import Interviewee
from apps.rule_model.knowledge.gatherings import occasions
from apps.rule_model.language import moments
from apps.rule_model.language.grammar import activity_in_first_person
from apps.rule_model.language.subjects import is_about, stems_of
from apps.rule_model.language.words import patterns, vocabulary

STEPS_MAX, HABITS_MAX = 5, 8
UNKNOWN = "I don't know."
_DATA = vocabulary("phrases_interview")
_PATTERNS = patterns("interview")
_HOURS = _PATTERNS["hours"]
_ASKED_ONLY = stems_of("what where when did do doing today yesterday morning afternoon evening")


def at_a_time(one: Interviewee) -> str:
    """Return what the agent did or plans at the time that the question names."""
    at = _asked_time(one)
    if at is None:
        return ""
    is_today = at.date() == one.now.date()
    if at <= one.now:
        spent = _at(one.inputs.spent, at)
        when = f"{_clock(at)}{'' if is_today else ' yesterday'}"
        return UNKNOWN if spent is None else f"At {when} I was {_doing(one, spent)}."
    when = f"{_clock(at)}{'' if is_today else ' tomorrow'}"
    plan = _at(one.inputs.plans, at)
    if plan.is_asleep if plan is not None else _is_night(one, at):
        return f"At {when} I'll be asleep."
    if plan is None:
        return f"I don't know yet what I'll be doing at {when}."
    return f"At {when} I plan to {_doing(one, plan)}."


def finished(one: Interviewee) -> str:
    """Return what the agent has finished, or will have, at the time in the question."""
    at = _asked_time(one)
    if at is None:
        return ""
    over = [plan for plan in (*one.inputs.spent, *one.inputs.plans) if plan.ends <= at]
    if not over:
        return f"I don't know what I'll have finished by {_clock(at)}."
    last = max(over, key=lambda plan: plan.ends)
    times = f"from {_clock(last.starts)} to {_clock(last.ends)}"
    done = "I was done with what I had" if at <= one.now else "I'll be done with what I have"
    return f"By {_clock(at)} {done} {times}: {_doing(one, last)}."


def gathering(one: Interviewee) -> str:
    """Return the answer on a gathering that the question names, "" for none or one to come."""
    known = occasions(one.inputs.memories, one.me)
    each = next((it for it in known if is_about(one.question, it.gathering.keys)), None)
    if each is None or one.now < each.starts:
        return ""
    held, words = each.gathering, _DATA["gathering"]
    slots = {"title": held.title.replace(f"{one.me}'s", "my"), "where": held.where}
    if one.now < each.ends:
        is_there = bool(held.place) and held.place in one.inputs.place
        said = words["there_now" if is_there else "now"].format(**slots)
    elif each.attended:
        others = [name for name in each.present if name != held.host]
        said = f"{one.clause(each.told_by(one.me))}. "
        said += words["present"].format(names=" and ".join(others)) if others else ""
    else:
        day = moments.spoken_day(each.starts.date(), one.now.date())
        then = (s for s in one.inputs.spent if s.starts < each.ends and each.starts < s.ends)
        was_there = bool(held.place) and any(held.place in s.place for s in then)
        said = words["over"].format(**slots, day=day) + ("" if was_there else words["away"])
    said = " ".join(said.split())
    return f"{said[:1].upper()}{said[1:]}"


def schedule(one: Interviewee) -> str:
    """Return the day in broad strokes: by habit, else as planned."""
    rises = f"I get up at about {moments.short_clock(one.inputs.wake_minute)}"
    sleeps = f"I go to bed at about {moments.short_clock(one.inputs.bed_minute)}"
    timed = one.own(_HOURS.pattern)
    habits = [habit for habit in timed if not _PATTERNS["year"].search(habit.core)]
    if habits:
        habits.sort(key=lambda habit: moments.minute_of(_HOURS.findall(habit.core)[0]))
        told = " ".join(one.say(habit) for habit in habits[:HABITS_MAX])
        return f"{rises}. {told} In the end {sleeps}."
    steps = [plan for plan in one.inputs.plans if not plan.is_asleep][:STEPS_MAX]
    if not steps:
        return f"{rises}, and {sleeps}. What comes between I could not say yet."
    told = "; ".join(f"at {_clock(plan.starts)} I {_doing(one, plan)}" for plan in steps)
    return f"{rises}. A day like today looks like this: {told}. Then {sleeps}."


def sleep(one: Interviewee) -> str:
    """Return when the agent gets up or goes to bed, or did."""
    is_bed = re.search(r"\b(?:bed|sleep)\b", one.question) is not None
    if not re.search(r"\b(?:did|have|were)\b", one.question):
        due = one.inputs.bed_minute if is_bed else one.inputs.wake_minute
        return f"I {'go to bed' if is_bed else 'get up'} at about {moments.short_clock(due)}."
    slept = [spent for spent in one.inputs.spent if spent.is_asleep]
    past = [at for s in slept if (at := s.starts if is_bed else s.ends) < one.now]
    if not past:
        return UNKNOWN
    day = "today" if past[-1].date() == one.now.date() else "yesterday"
    return f"I {'went to bed' if is_bed else 'got up'} at about {_clock(past[-1])} {day}."


def past(one: Interviewee) -> str:
    """Answer how yesterday or today went, or whether the agent did a given thing."""
    asked, today = one.question, one.now.date()
    spent = [p for p in _in_part(asked, one.inputs.spent) if not p.is_asleep]
    if "yesterday" in asked or "last night" in asked:
        spent = [p for p in spent if p.starts.date() < today]
    elif re.search(r"\btoday\b|\bthis\b", asked):
        spent = [p for p in spent if p.starts.date() == today]
    words = stems_of(asked) - _ASKED_ONLY
    if _PATTERNS["whether"].match(asked):
        fitting = [p for p in spent if words & stems_of(f"{p.activity} {p.place}")]
        return f"Yes, {_told(one, fitting[:2])}." if fitting else "Not that I remember."
    for meal, (first, last) in _DATA["meals"].items():
        if meal in asked.lower():
            spent = [p for p in spent if first <= moments.minute_at(p.starts) < last]
            spent = [p for p in spent if stems_of(p.activity) & stems_of(f"eating {meal}")]
    if not spent:
        return "" if one.inputs.spent else UNKNOWN
    longest = sorted(spent, key=lambda p: p.starts - p.ends)[:STEPS_MAX]
    told = _told(one, sorted(longest, key=lambda p: p.starts))
    return f"{told[:1].upper()}{told[1:]}."


def ahead(one: Interviewee) -> str:
    """Return what is planned for the rest of the day, "" where nothing is."""
    asked = _in_part(one.question, one.inputs.plans)
    plans = (p for p in asked if not p.is_asleep and p.ends > one.now)
    steps = [f"from {_clock(p.starts)} I plan to {_doing(one, p)}" for p in plans]
    told = "; ".join(steps[:STEPS_MAX])
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def tomorrow(one: Interviewee) -> str:
    """Return what is agreed for tomorrow, or else what the agent itself has dated for it."""
    day = one.now.date() + timedelta(days=1)
    agreed = (m.scheduled for m in one.inputs.memories if m.scheduled and m.scheduled.activity)
    told = dict.fromkeys(
        f"at {_clock(each.starts)} I will {activity_in_first_person(each.activity, one.me)}"
        for each in agreed
        if each.starts is not None and each.starts.date() == day
    )
    today = one.now.date()
    own = (each for each in one.own() if moments.when_in(each.core, today).day == day)
    said = [f"Tomorrow {'; '.join(told)}."] if told else dict.fromkeys(map(one.say, own))
    return " ".join(said) or "I have no plan for tomorrow yet."


def right_now(one: Interviewee) -> str:
    """Return what the agent is doing and where."""
    status = one.inputs.status
    if status is None or not status.activity:
        return UNKNOWN
    place = f" I'm at {one.inputs.place}." if "where" in one.question.lower() else ""
    return f"Right now I'm {activity_in_first_person(status.activity, one.me)}.{place}"


def _asked_time(one: Interviewee) -> datetime | None:
    match = _PATTERNS["time"].search(one.question)
    if match is None:
        return None
    midnight = one.now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = 1 if "tomorrow" in one.question else -1 if "yesterday" in one.question else 0
    minutes = moments.minute_of(match[0]) % moments.MINUTES_OF_DAY
    return midnight + timedelta(days=days, minutes=minutes)


def _at(times: Sequence[PlannedTime], at: datetime) -> PlannedTime | None:
    return next((one for one in times if one.starts <= at < one.ends), None)


def _is_night(one: Interviewee, at: datetime) -> bool:
    minute, bed = moments.minute_at(at), one.inputs.bed_minute
    is_before_rising = bed - moments.MINUTES_OF_DAY <= minute < one.inputs.wake_minute
    return is_before_rising or minute >= bed


def _in_part(question: str, times: Iterable[PlannedTime]) -> list[PlannedTime]:
    first, last = next((h for name, h in _DATA["parts"].items() if name in question), (0, 24))
    return [one for one in times if first <= one.starts.hour < last]


def _doing(one: Interviewee, plan: PlannedTime) -> str:
    """Return an activity with its place, in the first person."""
    activity = activity_in_first_person(plan.activity, one.me)
    place = one.clause(plan.place.partition(": ")[0])
    if plan.is_asleep or not place or place in activity:
        return "asleep" if plan.is_asleep else activity
    return f"{activity} {'on' if place == 'the street' else 'at'} {place}"


def _told(one: Interviewee, times: Sequence[PlannedTime]) -> str:
    told = []
    for spent in times:
        day = "" if spent.starts.date() == one.now.date() else "yesterday "
        hours = f"from {_clock(spent.starts)} to {_clock(spent.ends)}"
        told.append(f"{day}{hours} I was {_doing(one, spent)}")
    return "; ".join(told)


def _clock(at: datetime) -> str:
    return moments.short_clock(moments.minute_at(at))
