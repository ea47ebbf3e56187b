"""How much of a world is lived: its timed phrases and objects, and words of another."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.evaluation.quality.days import Series
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.world.tree import WorldTree
from benchmarks.believability.deed_figures import Done, done_actions
from benchmarks.believability.word_lists import MODERN_WORDS, TEMPLATE, TIMELESS_WORDS
from tools.day_figures.daily_shares import DailyShare, share
from tools.day_figures.identity_figures import SEGMENT_JOINT
from tools.day_figures.run_record import RunRecord, SeededAgent
from tools.day_figures.word_lists import clock_minutes, span_of, stems_of

MARGIN_MINUTES = 30
SHORT_MINUTES = 45
_WEEKDAYS = (
    "Mondays",
    "Tuesdays",
    "Wednesdays",
    "Thursdays",
    "Fridays",
    "Saturdays",
    "Sundays",
)
_TIMES = re.compile(
    r"\b(?:from|at|around|until|to|on|by|about)?\s*\d{1,2}(?::\d{2})?\s*[ap]m\b", re.IGNORECASE
)
# Seeds of a date are due once, these on no day in particular.
_NOT_DAILY = re.compile(r"\b(?:\d{4}|sometimes|often|from time to time|now and then)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPhrase:
    """A seed with a time of day or a weekday; minutes are after midnight, 0 is Monday.

    `stems` are its content words without names; `places` are the places that it names.
    """

    agent: str
    text: str
    begins: int
    ends: int
    weekday: int | None
    stems: frozenset[str]
    places: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """An action in the ticks [begins, ends), with the words of it and of its plan."""

    agent: str
    begins: int
    ends: int
    place: str
    text: str


def world_figures(run: RunRecord, smallville: WorldTree) -> tuple[Series, dict[str, list[str]]]:
    """Return the figures of the world by day, and what of it was never lived."""
    done = list(done_actions(run))
    phrases = list(timed_phrases(run))
    lived, never = phrase_figures(run, phrases, done)
    used, unused = object_figures(run, done)
    figures = lived | used | word_figures(run, done, foreign_words(run, smallville))
    return figures, {"phrases never lived": never, "objects never used": unused}


def timed_phrases(run: RunRecord) -> Iterator[TimedPhrase]:
    """Yield the seeds that say when an agent does something.

    Their stems are the content words without names of agents, places, areas and objects: what
    is left says what is done.
    """
    nodes = [node.name for node in run.tree.nodes if len(node.name) > 2]
    parts = [part for name in run.names for part in (name, *name.split())]
    for person in run.agents.values():
        for seed in person.seeds:
            stems = stems_of(_TIMES.sub(" ", seed), without=[*nodes, *parts, *_WEEKDAYS])
            span, weekday = span_of(seed), weekday_of(seed)
            if stems and (span or weekday is not None) and not _NOT_DAILY.search(seed):
                begins, ends = span or (0, MINUTES_PER_DAY)
                yield TimedPhrase(
                    agent=person.slug,
                    text=seed,
                    begins=begins - MARGIN_MINUTES,
                    ends=max(ends, begins + SHORT_MINUTES) + MARGIN_MINUTES,
                    weekday=weekday,
                    stems=stems,
                    places=frozenset(
                        node.path for node in run.tree.places if node.name in seed
                    ),
                )


def weekday_of(text: str) -> int | None:
    """Return the weekday in the text, 0 for "on Mondays", None without one."""
    found = (number for number, name in enumerate(_WEEKDAYS) if name in text)
    return next(found, None)


def phrase_figures(
    run: RunRecord, phrases: list[TimedPhrase], done: list[Done]
) -> tuple[Series, list[str]]:
    """Return the share of the timed phrases that are lived on each day, and those never lived.

    A phrase is lived if the agent does an action in its time, MARGIN_MINUTES more or less, at
    a place that it names (anywhere, if it names none), and shares a content word with it in
    the description of the action, of its planned hour, or of its segment of the outline. An
    action of a template does not count.
    """
    shares, lived = DailyShare(run.days), set()
    deeds = deeds_of(run, done)
    for day in range(run.days.count):
        begins = run.days.begins(day)
        midnight = begins - run.days.calendar.ticks_of(minutes=180)
        weekday = run.days.calendar.time_at(begins).weekday()
        for phrase in phrases:
            if phrase.weekday in {None, weekday}:
                span = (
                    midnight + _ticks(run, phrase.begins),
                    midnight + _ticks(run, phrase.ends),
                )
                hit = any(is_lived(phrase, deed, span) for deed in deeds[phrase.agent])
                shares.add(begins, hit=hit)
                lived |= {phrase} if hit else set()
    never = [f"{one.agent}: {one.text}" for one in phrases if one not in lived]
    return {
        "timed phrases due": shares.counted(),
        "timed phrases lived, %": shares.percent(),
    }, never


def deeds_of(run: RunRecord, done: list[Done]) -> dict[str, list[Deed]]:
    """Return the deeds of each agent."""
    items = {(row.agent, row.number): row for row in run.plans}
    found: dict[str, list[Deed]] = {agent: [] for agent in run.agents}
    for agent, action, end in done:
        if TEMPLATE.search(action.description):
            continue
        texts = [action.description]
        minute = run.days.minute(action.from_tick)
        item = items.get((agent, action.plan_item))
        while item is not None and (item := items.get((agent, item.parent))) is not None:
            texts.append(segment_at(item.description, minute))
        found[agent].append(
            Deed(
                agent=agent,
                begins=action.from_tick,
                ends=end,
                place=run.tree.place_of(action.area) if action.area else "",
                text=" . ".join(texts),
            )
        )
    return found


def segment_at(description: str, minute: int) -> str:
    """Return what a planned item says for a minute of the day: "…, then from 7:30 pm …"."""
    segments = SEGMENT_JOINT.split(description)
    begins = [clock_minutes(joint)[0] for joint in SEGMENT_JOINT.findall(description)]
    return segments[sum(start <= minute for start in begins)]


def is_lived(phrase: TimedPhrase, deed: Deed, span: tuple[int, int]) -> bool:
    """Return whether the deed is what the phrase says, in the ticks of its time."""
    in_time = deed.begins < span[1] and span[0] < deed.ends
    in_place = not phrase.places or deed.place in phrase.places
    return in_time and in_place and bool(phrase.stems & stems_of(deed.text))


def _ticks(run: RunRecord, minutes: int) -> int:
    return round(minutes * 60 / run.days.calendar.tick_seconds)


def object_figures(run: RunRecord, done: list[Done]) -> tuple[Series, list[str]]:
    """Return the share of the world's objects used on each day, and those never used."""
    objects = [node.path for node in run.tree.objects]
    days = run.days.split(done, lambda one: one[1].from_tick)
    used = [{action.object for _, action, _ in day} & set(objects) for day in days]
    ever = set().union(*used)
    return {
        "objects used, %": [share(len(day), len(objects)) for day in used],
        "objects ever used, %": [
            share(len(set().union(*used[: day + 1])), len(objects)) for day in range(len(used))
        ],
    }, [path for path in objects if path not in ever]


def foreign_words(run: RunRecord, smallville: WorldTree) -> re.Pattern[str] | None:
    """Return the names of Smallville's objects and words of modern life that this world lacks.

    Its own words are those of its tree and of the seeds of its people. None are foreign in
    Smallville itself.
    """
    if run.tree.root.name == smallville.root.name:
        return None
    names = {node.name.lower() for node in smallville.objects} | set(MODERN_WORDS)
    own = " . ".join([*(node.name for node in run.tree.nodes), *seeds_of(run.agents)])
    stems = stems_of(own) | stems_of(TIMELESS_WORDS)
    foreign = sorted(name for name in names if not stems_of(name) <= stems)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, foreign))})s?\b", re.IGNORECASE)


def seeds_of(agents: Mapping[str, SeededAgent]) -> list[str]:
    """Return the seeds of all agents."""
    return [seed for person in agents.values() for seed in person.seeds]


def word_figures(run: RunRecord, done: list[Done], foreign: re.Pattern[str] | None) -> Series:
    """Return the share of actions with words of Smallville, and of templates without content.

    An action has a word of Smallville if its description has one of `foreign_words`; templates
    are the phrases of `word_lists.TEMPLATE`.
    """
    words, templates = DailyShare(run.days), DailyShare(run.days)
    for _, action, _ in done:
        text = action.description
        words.add(action.from_tick, hit=bool(foreign and foreign.search(text)))
        templates.add(action.from_tick, hit=bool(TEMPLATE.search(text)))
    return {
        "actions with words of Smallville, %": words.percent(),
        "actions of a template, %": templates.percent(),
    }
