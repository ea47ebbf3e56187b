"""Figures of identity: acquaintances, occupations and pursuits in prompts and plans."""

import re
from collections.abc import Callable, Mapping, Sequence

from apps.evaluation.quality.days import Days, Series
from tools.day_figures.daily_shares import DailyShare, mean
from tools.day_figures.run_record import (
    REACTION,
    UTTERANCE,
    Conversation,
    MeasuredCall,
    RunRecord,
    SeededAgent,
    named_stems,
)
from tools.day_figures.word_lists import (
    FILLER,
    GOING_ON,
    ROUTINE_SEGMENT,
    SERVING,
    introduces,
    span_of,
)

Ties = Mapping[tuple[str, str], tuple[str, ...]]
Stems = Callable[[str], frozenset[str]]
# The rule-based model puts several segments into one chunk: "…, then from 7:30 pm …".
SEGMENT_JOINT = re.compile(r",? then from [^a-z]*[ap]m ")
CLAUSE = re.compile(r"(?:,| who | which | that | and (?:has|is|runs|wants)\b)")
_HOME = re.compile(r"\blives?\b|\bhas lived\b")
_AIM = re.compile(
    r"(?:(?:is|has been) \w+ing|wants to|would like to|plans to|hopes to|tries to|dreams of)\b"
)


def tie_figures(run: RunRecord, ties: Ties) -> Series:
    """Return the share of prompts about an agent with a seed tie that contain the tie.

    A dialogue prompt is about the agent that the utterance of its turn is said to, a prompt of
    a reaction about each agent that the decision lists. It contains the tie if one of the
    seeds that name that agent is anywhere in it, word for word.
    """
    said_to = {(one.agent, one.tick): one.to for one in run.utterances}
    decided: dict[tuple[str, int], set[str]] = {}
    for row in run.weighed:
        decided.setdefault((row.agent, row.tick), set()).add(row.subject)
    shares = {UTTERANCE: DailyShare(run.days), REACTION: DailyShare(run.days)}
    for call in run.calls:
        if call.task not in shares:
            continue
        turn = (call.agent, call.tick)
        others = decided.get(turn, set()) if call.task == REACTION else {said_to.get(turn, "")}
        for other in sorted(others):
            if (call.agent, other) in ties:
                hit = has_tie(call, ties[call.agent, other])
                shares[call.task].add(call.tick, hit=hit)
    return {
        "seed tie in the dialogue prompt, %": shares[UTTERANCE].percent(),
        "seed tie in the reaction prompt, %": shares[REACTION].percent(),
    }


def has_tie(call: MeasuredCall, phrases: Sequence[str]) -> bool:
    """Return whether one of the phrases is in the prompt."""
    return any(phrase in call.text for phrase in phrases)


def greeting_figures(run: RunRecord, ties: Ties) -> Series:
    """Return how often an agent that one knows is greeted like a stranger.

    Counted are the first words of each speaker of a conversation to an agent with a seed tie,
    or one that the speaker has had a conversation with. Whether they are a stranger's is read
    from the list `STRANGERS_GREETING` and from an own full name.
    """
    seeded, talked = DailyShare(run.days), DailyShare(run.days)
    met: set[frozenset[str]] = set()
    for talk in run.conversations:
        for agent, other, text, tick in first_words(talk):
            is_strange = introduces(text, run.agents[agent].name)
            if (agent, other) in ties:
                seeded.add(tick, hit=is_strange)
            elif frozenset((agent, other)) in met:
                talked.add(tick, hit=is_strange)
        if talk.is_answered:
            met |= {frozenset((one.agent, one.to)) for one in talk.said if one.to}
    return {
        "first words to an agent with a seed tie": seeded.counted(),
        "stranger's greetings to an agent with a seed tie": seeded.hits(),
        "stranger's greetings to an agent talked with before": talked.hits(),
    }


def first_words(talk: Conversation) -> list[tuple[str, str, str, int]]:
    """Return the first words of each speaker: agent, the one spoken to, text and tick."""
    found: dict[str, tuple[str, str, str, int]] = {}
    for one in talk.said:
        found.setdefault(one.agent, (one.agent, one.to, one.text, one.tick))
    return list(found.values())


def pursuit_figures(run: RunRecord) -> Series:
    """Return own pursuits and fillers per outline.

    A segment is an own pursuit if it goes on with something (`GOING_ON`) other than
    serving, or shares a content word with the first clause of a seed that states an aim: one
    without a time of day that names no other agent and no home ("is writing a novel").
    It is a filler if the outline marks its time as free, or by the list `FILLER` if the
    agent's seeds do not have its words. Meals, washing and sleep are no
    pursuits, nor is a filler.
    """
    stems = named_stems(run)
    aims = {slug: aim_stems(one, run, stems) for slug, one in run.agents.items()}
    seeds = {slug: stems(" . ".join(one.seeds)) for slug, one in run.agents.items()}
    outlines = outlines_of(run)
    pursuits: list[list[float]] = [[] for _ in range(run.days.count)]
    fillers: list[list[float]] = [[] for _ in range(run.days.count)]
    for (agent, day), segments in outlines.items():
        filled = [is_free or is_filler(text, seeds[agent], stems) for text, is_free in segments]
        own = [
            text
            for (text, _), fills in zip(segments, filled, strict=True)
            if not (fills or ROUTINE_SEGMENT.search(text) or SERVING.search(text))
        ]
        pursuits[day].append(
            sum(bool(GOING_ON.search(text) or stems(text) & aims[agent]) for text in own)
        )
        fillers[day].append(sum(filled))
    return {
        "own pursuits per outline": [mean(day) for day in pursuits],
        "fillers per outline": [mean(day) for day in fillers],
    }


def aim_stems(person: SeededAgent, run: RunRecord, stems: Stems) -> frozenset[str]:
    """Return the content words of the seeds that state an aim of the agent."""
    others = [name for name in run.names if name != person.name]
    aims = [
        CLAUSE.split(said)[0]
        for seed in person.seeds
        if _AIM.match(said := seed.removeprefix(f"{person.name} "))
        and span_of(seed) is None
        and not _HOME.search(seed)
        and not any(name in seed for name in others)
    ]
    return frozenset().union(*map(stems, aims))


def is_filler(text: str, seeds: frozenset[str], stems: Stems) -> bool:
    """Return whether the segment is a filler that the agent's seeds do not mention."""
    return bool(FILLER.search(text)) and not stems(text) <= seeds


def outlines_of(run: RunRecord) -> dict[tuple[str, int], list[tuple[str, bool]]]:
    """Return the segments of each agent's first outline of a day, awake, with `free`."""
    found: dict[tuple[str, int], list[tuple[str, bool]]] = {}
    first: dict[tuple[str, int], int] = {}
    for row in run.plans:
        day = run.days.of(row.from_tick)
        if row.level != "outline" or row.asleep or day is None:
            continue
        begun = first.setdefault((row.agent, day), row.valid_from_tick)
        if row.valid_from_tick == begun:
            segments = found.setdefault((row.agent, day), [])
            segments += [(text, row.free) for text in SEGMENT_JOINT.split(row.description)]
    return found


def likeness_figures(
    outlines: Mapping[tuple[str, int], list[tuple[str, bool]]], days: Days
) -> Series:
    """Return the mean Jaccard index of an outline and the one of the day before."""
    alike: list[list[float]] = [[] for _ in range(days.count)]
    for (agent, day), segments in outlines.items():
        before = {text for text, _ in outlines.get((agent, day - 1), [])}
        now = {text for text, _ in segments}
        if before:
            alike[day].append(len(now & before) / len(now | before))
    return {
        "outline and that of the day before, Jaccard": [mean(day) for day in alike],
        "outlines word for word as the day before": [
            sum(one == 1 for one in day) if day else None for day in alike
        ],
    }
