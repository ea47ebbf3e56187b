"""Whether dated events are spoken of in the past tense once they are over."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.evaluation.quality.days import Series
from apps.kernel.game_time import GameCalendar
from benchmarks.believability.word_lists import (
    DAILY_WORDS,
    EVENT_NOUN,
    PAST,
    TO_COME,
    sentences_of,
)
from tools.day_figures.daily_shares import DailyShare
from tools.day_figures.identity_figures import Stems
from tools.day_figures.run_record import RunRecord, SeededAgent, named_stems
from tools.day_figures.word_lists import span_of, words_of

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DATE = re.compile(rf"\bon ({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})")
STEMS_MIN = 2


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event in the ticks [begins, ends).

    `noun` names it by itself ("party"), "" for none; `stems` are its content words.
    """

    noun: str
    stems: frozenset[str]
    begins: int
    ends: int

    def is_in(self, sentence: str, stems: Stems) -> bool:
        """Return whether the sentence mentions the event."""
        if self.noun:
            return self.noun in words_of(sentence)
        return len(self.stems & stems(sentence)) >= STEMS_MIN


def event_figures(run: RunRecord) -> Series:
    """Return how many mentions of past events there are, and how many are in the past tense.

    Events are the agreements with a day (declined, cancelled and replaced ones left out) and
    the seeds with a date and times, such as the party. A mention is a sentence, said, planned
    (outlines and hours) or thought (insights and self-summaries) after the end, with the noun
    of the event (`EVENT_NOUN`), or if it has none with STEMS_MIN of its content words;
    those of every day (`DAILY_WORDS`) are left out. A sentence that also mentions an
    event to come does not count. It is in the past tense if it matches `PAST` and not
    `TO_COME`; a plan has no tense, so that only work after the event ("after the party")
    counts.
    """
    stems = named_stems(run)
    events = events_of(run, stems)
    mentions = {
        "mentions of past events in talk": said_sentences(run),
        "plans that mention a past event": planned_sentences(run),
        "thoughts and self-summaries that mention a past event": thought_sentences(run),
    }
    figures: Series = {}
    for name, sentences in mentions.items():
        past = DailyShare(run.days)
        for tick, sentence in sentences:
            if is_over(events, sentence, tick, stems):
                past.add(tick, hit=is_past(sentence))
        figures |= {name: past.counted(), f"{name}, as past, %": past.percent()}
    return figures


def events_of(run: RunRecord, stems: Stems) -> list[DatedEvent]:
    """Return the dated events of agreements and seeds."""
    calendar = run.days.calendar
    agreed = [
        (row.activity, datetime.fromisoformat(row.day), row.from_minute or 0, row.to_minute)
        for row in run.commitments
        if not (row.declined or row.cancelled or row.superseded_tick) and row.day
        if row.to_minute is not None
    ]
    daily = stems(DAILY_WORDS)
    found = set()
    for activity, day, begins, ends in [*agreed, *dated_seeds(run.agents.values())]:
        words, noun = stems(activity) - daily, EVENT_NOUN.search(activity)
        if noun or len(words) >= STEMS_MIN:
            ticks = ticks_of(calendar, day, begins, ends)
            found.add(DatedEvent(noun[0].lower() if noun else "", words, *ticks))
    return sorted(found, key=lambda event: (event.ends, event.noun, sorted(event.stems)))


def dated_seeds(
    agents: Iterable[SeededAgent],
) -> Iterator[tuple[str, datetime, int, int]]:
    """Yield activity, day and minutes of the seeds that name a date and times."""
    for person in agents:
        for seed in person.seeds:
            date, span = _DATE.search(seed), span_of(seed)
            if date is not None and span is not None:
                month, of_month, year = date.groups()
                number = MONTHS.index(month) + 1
                day = datetime(int(year), number, int(of_month))
                yield seed[: date.start()].removeprefix(person.name), day, *span


def ticks_of(calendar: GameCalendar, day: datetime, begins: int, ends: int) -> tuple[int, int]:
    """Return the first tick of an event and the first one after it."""
    times = (day + timedelta(minutes=minute) for minute in (begins, ends))
    first, last = map(calendar.tick_at, times)
    return first, last


def is_over(events: Sequence[DatedEvent], sentence: str, tick: int, stems: Stems) -> bool:
    """Return whether the sentence mentions an event that is over, and none to come."""
    named = [event for event in events if event.is_in(sentence, stems)]
    over = [event for event in named if event.ends <= tick]
    return bool(over) and len(over) == len(named)


def is_past(sentence: str) -> bool:
    """Return whether the sentence is in the past tense."""
    return bool(PAST.search(sentence)) and not TO_COME.search(sentence)


def said_sentences(run: RunRecord) -> Iterator[tuple[int, str]]:
    """Yield the sentences of all utterances with their ticks."""
    for one in run.utterances:
        for sentence in sentences_of(one.text):
            yield one.tick, sentence


def planned_sentences(run: RunRecord) -> Iterator[tuple[int, str]]:
    """Yield the planned chunks and hours with the tick of their plan."""
    for row in run.plans:
        if row.level in {"outline", "hour"} and not row.asleep:
            yield row.valid_from_tick, row.description


def thought_sentences(run: RunRecord) -> Iterator[tuple[int, str]]:
    """Yield the insights and the sentences of self-summaries with their ticks."""
    for row in run.reflections:
        for one in row.insights:
            yield row.tick, one["statement"]
    for summary in run.summaries:
        for sentence in sentences_of(summary.text):
            yield summary.from_tick, sentence
