"""Figures of a run by day that later ticks change, and the figures of a kind together.

Importance is rated when it is read, and a promise may be kept on the next day.
"""

from collections import defaultdict
from collections.abc import Sequence

from apps.dialogue.models import UtteranceRow
from apps.evaluation.quality.days import Series
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.memory.events import MemoryOrigin
from benchmarks.believability.word_lists import PROMISE, sentences_of
from tools.day_figures.daily_shares import DailyShare, mean, share
from tools.day_figures.identity_figures import (
    CLAUSE,
    Stems,
    greeting_figures,
    likeness_figures,
    outlines_of,
    pursuit_figures,
    tie_figures,
)
from tools.day_figures.memory_figures import (
    is_noise,
    lived_memories,
    seed_keys,
    stream_figures,
)
from tools.day_figures.run_record import (
    Conversation,
    RunRecord,
    SeededAgent,
    heard_by,
    named_stems,
    ties_of,
)
from tools.day_figures.talk_figures import (
    leaving_figures,
    number_figures,
    repetition_figures,
)
from tools.day_figures.thought_figures import insight_figures, often_figures
from tools.day_figures.word_lists import (
    ROUTINE_SEGMENT,
    span_of,
)

WORK_MINUTES = 90
TOLD_WORDS = 2
SIGHTINGS = frozenset({MemoryOrigin.PERCEIVED_AGENT, MemoryOrigin.PERCEIVED_OBJECT})


def identity_figures(run: RunRecord) -> Series:
    """Return the figures of ties, greetings, summaries and outlines by day."""
    figures = tie_figures(run, ties_of(run.agents))
    figures |= greeting_figures(run, ties_of(run.agents))
    figures |= summary_figures(run)
    return figures | outline_figures(run)


def summary_figures(run: RunRecord) -> Series:
    """Return the share of self-summaries that name the occupation.

    The occupation is in an agent's first seed (its first clause), and in the seeds of 90
    minutes or more a day. A summary names it if one of its sentences has at least half of the
    content words of one of these, names of agents and places left out.
    """
    stems, named = named_stems(run), DailyShare(run.days)
    for row in run.summaries:
        person = run.agents.get(row.agent)
        if person is not None:
            work = [stems(phrase) for phrase in occupation_of(person)]
            sentences = [stems(sentence) for sentence in sentences_of(row.text)]
            hit = any(
                2 * len(words & sentence) >= len(words) > 0
                for words in work
                for sentence in sentences
            )
            named.add(row.from_tick, hit=hit)
    return {
        "self-summaries that name the occupation, %": named.percent(),
        "self-summaries": named.counted(),
    }


def occupation_of(person: SeededAgent) -> list[str]:
    """Return the phrases of the agent's occupation."""
    timed = [seed for seed in person.seeds if _lasts(seed) and not ROUTINE_SEGMENT.search(seed)]
    return [CLAUSE.split(seed)[0] for seed in person.seeds[:1]] + timed


def _lasts(seed: str) -> bool:
    span = span_of(seed)
    return span is not None and span[1] - span[0] >= WORK_MINUTES


def outline_figures(run: RunRecord) -> Series:
    """Return own pursuits and fillers per outline, and how alike outlines are."""
    return pursuit_figures(run) | likeness_figures(outlines_of(run), run.days)


def memory_figures(run: RunRecord) -> Series:
    """Return the figures of memories and retrievals by day."""
    seeds = seed_keys(run.memories, run.agents)
    figures = importance_figures(run, seeds)
    figures |= stream_figures(run.days, lived_memories(run), len(run.agents))
    return figures | retrieval_figures(run, seeds)


def importance_figures(run: RunRecord, seeds: set[tuple[str, int]]) -> Series:
    """Return the mean importance of seeds, of seed ties and of routine.

    Routine are own deeds and sightings; what is formed on a day counts for that day, seeds for
    every day. The importance is the last one, also where it was rated later.
    """
    known = {
        f"{run.agents[agent].name} {phrase}"
        for (agent, _), phrases in ties_of(run.agents).items()
        for phrase in phrases
    }
    own = [one for one in run.memories if (one.agent, one.number) in seeds]
    tied = [one.rating for one in own if one.description in known]
    days = run.days.split(run.memories, lambda one: one.formed_tick)
    of_origin = [
        {
            "own": [one.rating for one in day if one.origin == MemoryOrigin.OWN_ACTION],
            "seen": [one.rating for one in day if one.origin in SIGHTINGS],
            "insight": [one.rating for one in day if one.origin == MemoryOrigin.INSIGHT],
        }
        for day in days
    ]
    count = run.days.count
    return {
        "importance of seeds, mean": [mean([one.rating for one in own])] * count,
        "importance of seed ties, mean": [mean(tied)] * count,
        "importance of own deeds, mean": [mean(day["own"]) for day in of_origin],
        "importance of sightings, mean": [mean(day["seen"]) for day in of_origin],
        "importance of insights, mean": [mean(day["insight"]) for day in of_origin],
    }


def retrieval_figures(run: RunRecord, seeds: set[tuple[str, int]]) -> Series:
    """Return what comes to mind: noise, how many different memories, how many seeds.

    Counted are retrievals, one for each memory and tick, as they renew the recency of a memory.
    """
    noisy = {(one.agent, one.number): is_noise(one) for one in run.memories}
    noise = DailyShare(run.days)
    days = run.days.split(run.retrievals, lambda one: one.from_tick)
    for row in run.retrievals:
        key = (row.agent, row.number)
        noise.add(row.from_tick, hit=noisy.get(key, False) and key not in seeds)
    distinct = [{(row.agent, row.number) for row in day} for day in days]
    known = [0] * run.days.count
    for one in run.memories:
        formed = run.days.of(one.formed_tick)
        for day in range(formed, run.days.count) if formed is not None else ():
            known[day] += 1
    agents = max(1, len(run.agents))
    return {
        "noise among retrieved memories, %": noise.percent(),
        "retrievals per agent-day": [round(len(day) / agents, 1) for day in days],
        "distinct memories retrieved per agent-day": [
            round(len(day) / agents, 1) for day in distinct
        ],
        "memories of the stream retrieved on the day, %": [
            share(len(day), total) for day, total in zip(distinct, known, strict=True)
        ],
        "seeds retrieved on the day, %": [
            share(len(day & seeds), len(seeds)) for day in distinct
        ],
    }


def talk_figures(run: RunRecord) -> Series:
    """Return the figures of conversations by day."""
    talks = run.conversations
    answered = [talk for talk in talks if talk.is_answered]
    figures = number_figures(run, talks)
    figures |= repetition_figures(run, answered)
    figures |= leaving_figures(run, answered)
    return figures | promise_figures(run, talks)


def promise_figures(run: RunRecord, talks: Sequence[Conversation]) -> Series:
    """Return how many promises to pass something on are kept within a day.

    A promise is an utterance with a phrase of `PROMISE`. It is kept if within 24 hours
    the agent says to somebody who was not in that talk an utterance with at least TOLD_WORDS
    content words of what the others had said before the promise.
    """
    stems, kept = named_stems(run), DailyShare(run.days)
    said_by: dict[str, list[UtteranceRow]] = defaultdict(list)
    for one in run.utterances:
        said_by[one.agent].append(one)
    for talk in talks:
        for one in talk.said:
            if PROMISE.search(one.text):
                kept.add(one.tick, hit=is_passed_on(run, talk, one, said_by[one.agent], stems))
    return {
        "promises to pass something on": kept.counted(),
        "promises to pass something on, kept, %": kept.percent(),
    }


def is_passed_on(
    run: RunRecord,
    talk: Conversation,
    promise: UtteranceRow,
    own: Sequence[UtteranceRow],
    stems: Stems,
) -> bool:
    """Return whether the speaker told somebody else what it had heard before the promise."""
    until = promise.tick + run.days.calendar.ticks_of(minutes=MINUTES_PER_DAY)
    told = frozenset().union(
        *(
            stems(one.text)
            for one in talk.said
            if one.tick < promise.tick and one.agent != promise.agent
        )
    )
    members = talk.speakers | {other for one in talk.said for other in heard_by(one)}
    return any(
        promise.tick < one.tick <= until
        and bool(heard_by(one) - members)
        and len(told & stems(one.text)) >= min(TOLD_WORDS, max(1, len(told)))
        for one in own
    )


def thought_figures(run: RunRecord) -> Series:
    """Return the figures of insights by day."""
    return insight_figures(run) | often_figures(run)
