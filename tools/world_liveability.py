"""Warnings about phrases and objects that the rule-based model leaves out of the days (W8).

The days of the people are rehearsed (`world_rehearsal`). A phrase with a time is lived if its
words are planned at that time, at the place that it names. An object is used if an action of
any agent uses it. Each warning has a correction.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from apps.kernel.followed_items import followed
from apps.kernel.game_time import MINUTES_PER_DAY, format_clock
from apps.memory.items import MemoryItem
from apps.rule_model.content import Content, patterns
from apps.rule_model.language.moments import When, when_in
from apps.rule_model.language.subjects import long_stems_of
from apps.rule_model.planning.phrases import description_of
from apps.rule_model.planning.wording import steps_in
from apps.rule_model.tasks import task_rules
from apps.world.norms import hours_of, keepers_of
from apps.world.problems import Problem
from apps.world.tree import WorldTree
from apps.world.world import Person
from tools.world_rehearsal import RehearsedAction, rehearse, seed_memories

DAYS = 7
MARGIN_MINUTES = 30
SHORT_MINUTES = 30
_PATTERNS = {**patterns("phrases"), **patterns("check")}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPhrase:
    """The activity of a phrase of a description, with its time in minutes of the day.

    `days` are its dates; `place` is the path of the place that the phrase names, "" for none;
    `is_meal` is whether the activity is a meal of any name.
    """

    text: str
    activity: str
    place: str
    begins: int
    ends: int
    days: frozenset[date]
    is_meal: bool = False


def unlived(
    tree: WorldTree, agents: Sequence[Person], first: date, content: Content
) -> list[Problem]:
    """Return the phrases that are not lived and the objects that are not used in DAYS days.

    The days begin with `first`. The rule-based model reads English only: the world must be in
    English.
    """
    rules = task_rules(content)
    week = [first + timedelta(days=number) for number in range(DAYS)]
    found: list[Problem] = []
    used: set[str] = set()
    for person in followed(agents, "person", len(agents)):
        phrases = list(timed_phrases(tree, person, week))
        days = {*week, *(day for phrase in phrases for day in phrase.days)}
        done = list(rehearse(tree, person, days, rules))
        used |= {one.action.object for one in done}
        found += _unread(person, phrases, first)
        found += _unplaced(tree, person, phrases, done, content)
    return found + list(_unused(tree, used))


def timed_phrases(
    tree: WorldTree, person: Person, week: Sequence[date]
) -> Iterator[TimedPhrase]:
    """Yield the activities at a time in the person's phrases: habits, and those of a date."""
    for memory in seed_memories(person, datetime.combine(week[0], time())):
        text = memory.description
        days: dict[tuple[str, int, int, bool], set[date]] = {}
        for day in week:
            for habit in description_of(person.name, [memory], day).habits:
                if habit.start is not None:
                    begins = habit.start
                    ends = begins if habit.end is None else habit.end
                elif _PATTERNS["on_days"].search(text):
                    begins, ends = 0, MINUTES_PER_DAY
                else:
                    continue
                key = (habit.activity, begins, ends, bool(habit.meal))
                days.setdefault(key, set()).add(day)
        for (activity, begins, ends, is_meal), on in days.items():
            yield TimedPhrase(
                text=text,
                activity=activity,
                place=_place_in(tree, text),
                begins=begins,
                ends=max(ends, begins + SHORT_MINUTES),
                days=frozenset(on),
                is_meal=is_meal,
            )
        yield from _dated(tree, person, memory, week[0])


def _dated(
    tree: WorldTree, person: Person, memory: MemoryItem, first: date
) -> Iterator[TimedPhrase]:
    """Yield the phrase if it has an own activity at a time of a date from `first` on."""
    when = when_in(memory.description, first)
    is_own = not _PATTERNS["reported"].search(memory.description)
    dated = description_of(person.name, [memory], first).dated
    if dated and is_own and when.day and when.start is not None and when.day >= first:
        yield TimedPhrase(
            text=memory.description,
            activity=dated[0],
            place=_place_in(tree, memory.description),
            begins=when.start,
            ends=max(when.end or 0, when.start + SHORT_MINUTES),
            days=frozenset([when.day]),
        )


def _unread(person: Person, phrases: Sequence[TimedPhrase], first: date) -> Iterator[Problem]:
    """Yield the phrases whose words for a time are not read."""
    read = {phrase.text for phrase in phrases}
    for text in person.seeds:
        is_dated = when_in(text, first) != When()
        if text not in read and not is_dated and _PATTERNS["time"].search(text):
            yield _of_phrase(
                person,
                text,
                "it names a time, but the rule-based model does not read when that is",
                hint='write times as "from 9:00 am to 12:00 pm", behind what is done',
            )


def _unplaced(
    tree: WorldTree,
    person: Person,
    phrases: Sequence[TimedPhrase],
    done: Sequence[RehearsedAction],
    content: Content,
) -> Iterator[Problem]:
    """Yield the phrases that are not lived on any of their days."""
    for phrase in phrases:
        if not any(_is_lived(phrase, one, content) for one in done):
            what, hint = _reason(tree, person, phrase, phrases, done)
            yield _of_phrase(person, phrase.text, what, hint=hint)


def _is_lived(phrase: TimedPhrase, one: RehearsedAction, content: Content) -> bool:
    """Return whether the action is that of the phrase, at its time and place."""
    is_then = (
        one.day in phrase.days
        and one.from_minute < phrase.ends + MARGIN_MINUTES
        and phrase.begins - MARGIN_MINUTES < one.to_minute
    )
    place = one.action.area.partition(": ")[0]
    if not is_then or phrase.place not in ("", place) or one.action.asleep:
        return False
    kinds = content.at(place)
    steps = steps_in(one.hour.description, one.from_minute)
    planned = [kinds.activity_for(step.text) for step in steps]
    meant = kinds.activity_for(phrase.activity)
    is_of_kind = bool(meant.cues.pattern) and meant in planned
    is_eaten = phrase.is_meal and any(kind.role == "meal" for kind in planned)
    words = f"{one.hour.description} . {one.action.description}"
    shared = long_stems_of(phrase.activity) & long_stems_of(words)
    return bool(is_of_kind or is_eaten or shared)


def _reason(
    tree: WorldTree,
    person: Person,
    phrase: TimedPhrase,
    phrases: Iterable[TimedPhrase],
    done: Sequence[RehearsedAction],
) -> tuple[str, str]:
    """Return the reason why the phrase is not lived, and the correction."""
    name, place = person.name, phrase.place
    hours = hours_of(tree, place) if place else None
    if place and place not in person.knows:
        return f"{name} does not know {place}", f"add {place!r} to what {name} knows"
    if hours is not None and name not in keepers_of(tree, place):
        opens, closes = hours
        if phrase.begins < opens or closes < phrase.ends:
            span = f"{format_clock(opens)} to {format_clock(closes)}"
            hint = f"choose a time within it, or name {name} among the keepers in world.yaml"
            return f"{place} is open from {span}", hint
    if phrase.ends <= person.hours.wake or person.hours.sleep <= phrase.begins:
        return f"{name} sleeps then", "change its time, or wake: and sleep:"
    for other in phrases:
        is_same_time = other.begins < phrase.ends and phrase.begins < other.ends
        if other is not phrase and is_same_time and other.days & phrase.days:
            return f"{other.text!r} is at the same time", "give the two different times"
    planned = next(
        one.hour.description
        for one in done
        if one.day in phrase.days and one.to_minute > phrase.begins
    )
    example = f"{name} mends nets at the bench of The Boathouse from 9:00 am to 11:00 am"
    return f"the rule-based model plans {planned!r} then", f'write it as in "{example}"'


def _unused(tree: WorldTree, used: Iterable[str]) -> Iterator[Problem]:
    """Yield the objects that no action uses, those of one name together."""
    unused: dict[str, list[str]] = {}
    for node in tree.objects:
        if node.path not in used:
            unused.setdefault(node.name, []).append(node.path)
    for name, (path, *more) in unused.items():
        yield Problem(
            file="world.yaml",
            element=f"{path} (and {len(more)} more called {name})" if more else path,
            what=f"no action that the rule-based model plans in {DAYS} days uses it",
            hint="add a phrase with its use and the time to a description, or add a row for it "
            "to the table objects in rule_model.yaml",
        )


def _of_phrase(person: Person, text: str, what: str, *, hint: str) -> Problem:
    return Problem(file="people.yaml", element=f"{person.name}: {text!r}", what=what, hint=hint)


def _place_in(tree: WorldTree, text: str) -> str:
    """Return the longest path of a place whose name is in the text, "" without one."""
    named = (node.path for node in tree.places if node.name in text)
    return max(named, key=len, default="")
