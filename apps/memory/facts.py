"""Lasting facts as values, and their revision by insights and conversations; pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from apps.agents.status import Standing, TieKind
from apps.agents.summary import LastingFacts
from apps.kernel.game_time import GameCalendar, format_short_day
from apps.memory.events import (
    FactChange,
    FactEstablished,
    FactKind,
    FactRevised,
    FactSource,
)
from apps.memory.passing_on import IN_CONFIDENCE, not_before, with_terms

# The statements of a relationship that prompts have, besides the opinion.
STATEMENTS_PRINTED_MAX = 3

# What concerns an agent with such a standing matters to the one that has it.
CLOSE = frozenset({Standing.LOVE, Standing.CLOSE})

FactEvent = FactEstablished | FactRevised
DATE_CHARACTERS = len("2023-02-14")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A version of a lasting fact, since a tick; the other fields are those of its events."""

    number: int
    kind: FactKind
    statements: tuple[str, ...]
    evidence: tuple[int, ...] = ()
    other: str = ""
    tie: TieKind | None = None
    standing: Standing | None = None
    source: FactSource = FactSource.DESCRIPTION
    opinion: str = ""
    until: str = ""
    passing_on: str = ""
    since: int = 0

    @property
    def ends(self) -> datetime | None:
        """The game time from which the fact no longer holds, None without one."""
        return end_of(self.until)

    def holds_at(self, now: datetime) -> bool:
        """Return whether the fact holds at the game time."""
        return self.ends is None or now < self.ends


def end_of(until: str) -> datetime | None:
    """Return the game time at which a fact that lasts `until` ends, None for "".

    `until` is an ISO date or time; game times have no time zone.
    """
    if not until:
        return None
    last = datetime.fromisoformat(until).replace(tzinfo=None)
    return last if len(until) > DATE_CHARACTERS else last + timedelta(days=1)


def canonical_until(until: str) -> str:
    """Return an ISO date or time of an answer as facts have it, "" for ""."""
    last = end_of(until)
    if last is None or len(until) <= DATE_CHARACTERS:
        return until
    return last.isoformat(timespec="minutes")


def fact_of(row: Mapping[str, Any]) -> Fact:
    """Return the values of a row as a fact."""
    return Fact(
        number=row["number"],
        kind=FactKind(row["kind"]),
        statements=tuple(row["statements"]),
        evidence=tuple(row["evidence"]),
        other=row["other"],
        tie=TieKind(row["tie"]) if row["tie"] else None,
        standing=Standing(row["standing"]) if row["standing"] else None,
        opinion=row["opinion"],
        source=FactSource(row["source"]),
        until=row["until"],
        passing_on=row["passing_on"],
        since=row["from_tick"],
    )


def with_events(facts: Iterable[Fact], events: Iterable[object]) -> dict[int, Fact]:
    """Return the facts by number, as established and revised by later events.

    A revised fact keeps its `since`; that of a new fact is 0.
    """
    found = {one.number: one for one in facts}
    for event in events:
        match event:
            case FactEstablished():
                found[event.number] = Fact(
                    number=event.number,
                    kind=event.kind,
                    statements=event.statements,
                    evidence=event.evidence,
                    other=event.other,
                    tie=event.tie,
                    standing=event.standing,
                    source=event.source,
                    until=event.until,
                    passing_on=event.passing_on,
                )
            case FactRevised(ended=True):
                del found[event.number]
            case FactRevised():
                found[event.number] = replace(
                    found[event.number],
                    statements=event.statements,
                    evidence=event.evidence,
                    tie=event.tie,
                    standing=event.standing,
                    opinion=event.opinion,
                    source=event.source,
                    until=event.until,
                    passing_on=event.passing_on,
                )
    return found


def lasting_facts(facts: Iterable[Fact], calendar: GameCalendar, tick: int) -> LastingFacts:
    """Return the facts that hold at the tick, as sentences."""
    held = facts_held(facts, calendar, tick)
    return LastingFacts(
        occupation=_statements(held, FactKind.OCCUPATION, calendar.time_at),
        pursuits=_statements(held, FactKind.PURSUIT, calendar.time_at),
        routines=_statements(held, FactKind.ROUTINE, calendar.time_at),
        relationships=tuple(
            dict.fromkeys(
                text
                for one in held
                if one.kind is FactKind.RELATIONSHIP
                for text in relationship_texts(one, calendar.time_at)
            )
        ),
        intentions=_statements(held, FactKind.INTENTION, calendar.time_at),
        states=_statements(held, FactKind.STATE, calendar.time_at),
        secrets=_statements(held, FactKind.SECRET, calendar.time_at),
    )


def sentences_dear_to_agent(
    facts: Iterable[Fact], calendar: GameCalendar, tick: int
) -> tuple[str, ...]:
    """Return the sentences of the occupation, the pursuits and the close ties, each once."""
    held = facts_held(facts, calendar, tick)
    close = (one.statements[:1] for one in held if one.standing in CLOSE)
    own = lasting_facts(held, calendar, tick).sentences
    return tuple(dict.fromkeys((*own, *chain.from_iterable(close))))


def relationship_texts(fact: Fact, time_at: Callable[[int], datetime]) -> tuple[str, ...]:
    """Return the sentences of a relationship, its opinion last.

    The last sentence has the day of its conversation or insight; `time_at` returns the game
    time of a tick.
    """
    texts = fact.statements[:STATEMENTS_PRINTED_MAX]
    return _dated((*texts, fact.opinion) if fact.opinion else texts, fact, time_at)


def _dated(
    texts: tuple[str, ...], fact: Fact, time_at: Callable[[int], datetime]
) -> tuple[str, ...]:
    """Return the sentences of a fact, the last with the day of its conversation or insight."""
    if fact.source is FactSource.DESCRIPTION or not texts:
        return texts
    return (*texts[:-1], f"{format_short_day(time_at(fact.since))}: {texts[-1]}")


def facts_held(facts: Iterable[Fact], calendar: GameCalendar, tick: int) -> list[Fact]:
    """Return the facts that hold at the tick."""
    now = calendar.time_at(tick)
    return [one for one in facts if one.holds_at(now)]


def _statements(
    facts: Iterable[Fact], kind: FactKind, time_at: Callable[[int], datetime]
) -> tuple[str, ...]:
    return tuple(
        text
        for one in facts
        if one.kind is kind
        for text in _dated(_with_terms(one), one, time_at)
    )


def _with_terms(fact: Fact) -> tuple[str, ...]:
    return tuple(with_terms(text, fact.passing_on) for text in fact.statements)


def relationship_to(facts: Iterable[Fact], other: str) -> Fact | None:
    """Return the relationship to another agent, None without one."""
    ties = (one for one in facts if one.kind is FactKind.RELATIONSHIP)
    return next((one for one in ties if one.other == other and other), None)


def changed_fact(
    facts: Mapping[int, Fact],
    change: FactChange,
    *,
    sentence: str,
    evidence: tuple[int, ...],
    source: FactSource,
    next_number: int,
    passing_on: str = "",
) -> FactEvent | None:
    """Return the event of a change, None if nothing changes.

    `passing_on` are the terms on which the sentence may be told.

    A relationship is known by the other agent, and an occupation is revised if there is one.
    Anything else is new without the number of a fact. The statements of a relationship remain
    unless the tie changes: the sentence is the opinion. A revised fact keeps its end unless the
    change has another one.
    """
    before = _concerned(facts, change)
    if before is None:
        if change.ends:
            return None
        return FactEstablished(
            number=next_number,
            kind=change.kind,
            statements=(sentence,),
            evidence=evidence,
            source=source,
            other=change.other,
            tie=(change.tie or TieKind.ACQUAINTANCE) if change.other else None,
            standing=(change.standing or Standing.NEUTRAL) if change.other else None,
            until=canonical_until(change.until),
            passing_on=IN_CONFIDENCE if change.kind is FactKind.SECRET else passing_on,
        )
    is_relationship = before.kind is FactKind.RELATIONSHIP
    tie = change.tie or before.tie
    keeps = is_relationship and tie == before.tie
    keeps_terms = keeps or before.kind is FactKind.SECRET
    revised = FactRevised(
        number=before.number,
        statements=before.statements if keeps else (sentence,),
        evidence=evidence,
        source=source,
        tie=tie if is_relationship else None,
        standing=(change.standing or before.standing) if is_relationship else None,
        opinion=(sentence or before.opinion) if keeps else "",
        until=canonical_until(change.until) or before.until,
        ended=change.ends,
        passing_on=before.passing_on if keeps_terms else passing_on,
    )
    is_same = (
        not revised.ended
        and (revised.statements, revised.opinion) == (before.statements, before.opinion)
        and (revised.tie, revised.standing) == (before.tie, before.standing)
        and (revised.until, revised.passing_on) == (before.until, before.passing_on)
    )
    return None if is_same else revised


def secret_learnt(
    facts: Iterable[Fact],
    sentence: str,
    terms: str,
    *,
    teller: str,
    memory: int,
    next_number: int,
) -> FactEstablished | None:
    """Return the event of a secret that another agent has told, None if it is known as one.

    What is to be kept until a time is a secret until then.
    """
    if any(sentence in one.statements for one in facts if one.kind is FactKind.SECRET):
        return None
    until = not_before(terms)
    return FactEstablished(
        number=next_number,
        kind=FactKind.SECRET,
        statements=(sentence,),
        evidence=(memory,),
        source=FactSource.CONVERSATION,
        other=teller,
        until="" if until is None else until.isoformat(timespec="minutes"),
        passing_on=terms,
    )


def _concerned(facts: Mapping[int, Fact], change: FactChange) -> Fact | None:
    """Return the fact that the change is about, None if it is about a new one."""
    if change.kind is FactKind.RELATIONSHIP:
        return relationship_to(facts.values(), change.other)
    alike = [one for one in facts.values() if one.kind is change.kind]
    if change.kind is FactKind.OCCUPATION and len(alike) == 1:
        return alike[0]
    return next((one for one in alike if one.number == change.number), None)
