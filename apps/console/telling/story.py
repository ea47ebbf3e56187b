"""Tells a day in Markdown: sober sentences, each of them said by a row or an event."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from apps.console.telling.day import Day, Planned, Remark, Sight
from apps.console.telling.steps import Hour, Stay, balance_of, hours_of, last_walk
from apps.console.telling.words import (
    OUTDOORS,
    clock,
    given_name,
    lasting,
    place_of,
    plain,
    state_of,
    where,
)
from apps.kernel.text import join_and

SIGHTS_TOLD_MAX = 3
"""How often in one hour it is told what one and the same person was seen doing."""
STATES_TOLD_MAX = 3
NODES_TOLD_MAX = 40
STAYS_A_SENTENCE = 2
NOTHING = "-"
_TABLE_HEAD = (
    "| when | what was planned | time as planned | on the way | otherwise | never begun |",
    "|---|---|---|---|---|---|",
)


def tell(day: Day) -> str:
    """Return the story of the day, a document of its own."""
    paragraphs = [
        f"# A day of {plain(day.person.name)}",
        f"*{day.begins:%A, %B} {day.begins.day}, {day.begins.year}*",
        _introduction(day),
        _intention(day),
        *(paragraph for chunk in day.chunks for paragraph in _chapter(day, chunk)),
        *_ending(day),
        "## What was planned, and what was done",
        "\n".join(_comparison(day)),
        f"## What {plain(_name(day))} said and heard",
        "\n\n".join(_talks(day)),
        f"## What {plain(_name(day))} thought",
        "\n".join(_thoughts(day)),
        f"## What {plain(_name(day))} came to know",
        "\n".join(_knowledge(day)),
        f"## What turned {plain(_name(day))} away",
        "\n".join(_refusals(day)),
        "---",
        _source(day),
    ]
    return "\n\n".join(paragraphs) + "\n"


def _name(day: Day) -> str:
    return given_name(day.person.name)


def _introduction(day: Day) -> str:
    person = day.person
    work = f" The workplace is {where(person.workplace)}." if person.workplace else ""
    return plain(
        f"{person.name}, {person.age}, is {join_and(person.traits)} "
        f"and lives in {where(person.home)}.{work}"
    )


def _intention(day: Day) -> str:
    first, *others = day.chunks
    later = [f"from {clock(chunk.begins)} to {chunk.description}" for chunk in others]
    strokes = "; ".join([f"to {first.description}", *later])
    return plain(f"On waking at {clock(first.begins)}, {_name(day)} planned {strokes}.")


def _chapter(day: Day, chunk: Planned) -> Iterator[str]:
    hours = list(hours_of(day, chunk))
    if hours:
        yield f"## {clock(chunk.begins)}: {plain(chunk.description)}"
    for hour in hours:
        sentences = [*_doings(day, hour), *_noticing(day, hour.sights)]
        if hour.planned.description != chunk.description:
            hours_plan = f"{clock(hour.planned.begins)}: {plain(hour.planned.description)}."
            sentences.insert(0, f"*{hours_plan}*")
        if sentences:
            yield " ".join(sentences)


def _doings(day: Day, hour: Hour) -> Iterator[str]:
    stays = hour.stays
    for first in range(0, len(stays), STAYS_A_SENTENCE):
        opening, *following = stays[first : first + STAYS_A_SENTENCE]
        clauses = [_opening(opening, _name(day)), *map(_clause, following)]
        yield plain(f"{', then '.join(clauses)}.")


def _opening(stay: Stay, name: str) -> str:
    if stay.has_moved:
        return f"At {clock(stay.set_out or stay.begins)} {name} {_arrival(stay)}"
    around = where(stay.area)
    begins = around.capitalize() if around == OUTDOORS else f"In {around}"
    return f"{begins}, {name} spent {_spent(stay)}"


def _clause(stay: Stay) -> str:
    return f"at {clock(stay.set_out or stay.begins)} {_arrival(stay)}"


def _arrival(stay: Stay) -> str:
    """Return how the person came to the area, and what was done there."""
    before = place_of(stay.came_from or "")
    goal = where(stay.area, within=before)
    way = "went" if before == place_of(stay.area) or goal == OUTDOORS else "walked"
    to = goal if goal == OUTDOORS else f"to {goal}"
    walk = stay.begins - stay.set_out if stay.set_out else timedelta()
    lasted = f" ({lasting(walk)})" if way == "walked" and walk else ""
    return f"{way} {to}{lasted} and spent {_spent(stay)}"


def _spent(stay: Stay) -> str:
    return join_and([f"{lasting(time)} {doing}" for doing, time in stay.deeds])


def _noticing(day: Day, sights: Sequence[Sight]) -> Iterator[str]:
    of_person: dict[str, list[Sight]] = defaultdict(list)
    for sight in sights:
        of_person[sight.who].append(sight)
    if of_person:
        seen = "; ".join(_seen(who, found) for who, found in of_person.items())
        yield plain(f"{_name(day)} noticed {seen}.")


def _seen(who: str, sights: Sequence[Sight]) -> str:
    told = [f"{sight.doing} ({clock(sight.time)})" for sight in sights[:SIGHTS_TOLD_MAX]]
    return f"{who} {_and_more(told, len(sights) - len(told))}"


def _ending(day: Day) -> Iterator[str]:
    walk = last_walk(day.deeds)
    if day.left_at is not None:
        yield plain(f"At {clock(day.left_at)} {_name(day)} left town.")
    elif walk is not None:
        end = clock(day.told_to)
        yield plain(f"At {end}, where the log ends, {_name(day)} was {walk.description}.")
    elif day.told_to < day.ends:
        yield f"Here, at {clock(day.told_to)}, the log ends."


def _comparison(day: Day) -> Iterator[str]:
    yield from _TABLE_HEAD
    for chunk in day.chunks:
        if chunk.begins >= day.told_to:
            continue
        balance = balance_of(day, chunk)
        spans = (balance.as_planned, balance.walking, balance.otherwise)
        cells = (
            f"{clock(chunk.begins)} to {clock(chunk.ends)}",
            plain(_with_place(chunk)),
            *(lasting(span) if span else NOTHING for span in spans),
            plain("; ".join(balance.never_begun)) or NOTHING,
        )
        yield f"| {' | '.join(cells)} |"


def _with_place(chunk: Planned) -> str:
    """Return what was planned, and where if that is not said already."""
    around = where(chunk.place)
    is_said = around in chunk.description
    return chunk.description if is_said else f"{chunk.description}, at {around}"


def _talks(day: Day) -> Iterator[str]:
    if not day.words:
        yield "Nothing: nobody was spoken to, and nobody spoke."
    for words in day.words:
        yield plain(f"{clock(words.time)}, with {words.other}:")
        yield "\n".join(
            f"- {plain(f'{given_name(speaker)}: {text}')}" for speaker, text in words.lines
        )


def _thoughts(day: Day) -> Iterator[str]:
    if not day.thoughts:
        yield "Nothing that was kept."
    for thought in day.thoughts:
        yield f"- {clock(thought.time)}: {plain(thought.words)}"


def _knowledge(day: Day) -> Iterator[str]:
    if not day.learnt and not day.remarks:
        yield "Nothing new about places and things was noticed."
    for learnt in day.learnt:
        nodes = join_and([where(node) for node in learnt.nodes])
        yield f"- {clock(learnt.time)}: {plain(nodes)}, not known before"
    of_node: dict[str, list[Remark]] = defaultdict(list)
    for remark in day.remarks:
        of_node[remark.node].append(remark)
    for node, remarks in list(of_node.items())[:NODES_TOLD_MAX]:
        yield plain(f"- {where(node)}: {_states(node, remarks)}")
    if len(of_node) > NODES_TOLD_MAX:
        yield f"- and something of {len(of_node) - NODES_TOLD_MAX} more places and things"


def _states(node: str, remarks: Sequence[Remark]) -> str:
    told = [
        f"{state_of(node, remark.words)} ({clock(remark.time)})"
        for remark in remarks[:STATES_TOLD_MAX]
    ]
    return _and_more(told, len(remarks) - len(told))


def _and_more(told: Sequence[str], more: int) -> str:
    """Return what is told as a list, and how often there was more of its kind."""
    if not more:
        return join_and(told)
    return join_and([*told, "once more" if more == 1 else f"{more} more times"])


def _refusals(day: Day) -> Iterable[str]:
    if not day.turned_away:
        return ["Nothing: every door opened, and nothing that was wanted was taken."]
    return [f"- {clock(told.time)}: {plain(told.words)}" for told in day.turned_away]


def _source(day: Day) -> str:
    source = day.source
    return (
        f"*Told by `manage.py tell_day` from the log of a run of the world `{source.world}` "
        f"with seed {source.seed}. People think with: {plain(source.model)}.*"
    )
