"""Writes a day as a story in Markdown; each sentence follows from a row or an event."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from apps.kernel.game_time import format_clock, format_date
from apps.kernel.text import in_markdown, join_and
from tools.stories.day import Day, Note, PlannedItem, Sighting
from tools.stories.stays import Hour, Stay, balance_of, hours_of
from tools.stories.text import (
    OUTDOORS,
    format_duration,
    format_node,
    given_name,
    place_of,
    state_in,
)

SIGHTINGS_MAX = 3
"""The number of sightings of one agent that are described in one hour."""
STATES_MAX = 3
NODES_MAX = 40
STAYS_PER_SENTENCE = 2
NOTHING = "-"
_TABLE_HEAD = (
    "| when | what was planned | time as planned | on the way | otherwise | never begun |",
    "|---|---|---|---|---|---|",
)


def write_story(day: Day) -> str:
    """Return the story of the day, a whole document."""
    name = in_markdown(_name(day))
    paragraphs = [
        f"# A day of {in_markdown(day.agent.name)}",
        f"*{format_date(day.begins)}*",
        _introduction(day),
        _intention(day),
        *(paragraph for chunk in day.chunks for paragraph in _chapter(day, chunk)),
        *_ending(day),
        "## What was planned, and what was done",
        "\n".join(_comparison(day)),
        f"## What {name} said and heard",
        "\n\n".join(_dialogues(day)),
        f"## What {name} thought",
        "\n".join(_thoughts(day)),
        f"## What {name} came to know",
        "\n".join(_knowledge(day)),
        f"## What turned {name} away",
        "\n".join(_refusals(day)),
        "---",
        "*Told by `manage.py tell_day` from the log of a run of the world "
        f"`{day.source.world}` with seed {day.source.seed}. "
        f"People think with: {in_markdown(day.source.model)}.*",
    ]
    return "\n\n".join(paragraphs) + "\n"


def _name(day: Day) -> str:
    return given_name(day.agent.name)


def _introduction(day: Day) -> str:
    agent = day.agent
    work = f" The workplace is {format_node(agent.workplace)}." if agent.workplace else ""
    return in_markdown(
        f"{agent.name}, {agent.age}, is {join_and(agent.traits)} "
        f"and lives in {format_node(agent.home)}.{work}"
    )


def _intention(day: Day) -> str:
    first, *others = day.chunks
    later = [f"from {format_clock(chunk.begins)} to {chunk.description}" for chunk in others]
    chunks = "; ".join([f"to {first.description}", *later])
    return in_markdown(
        f"On waking at {format_clock(first.begins)}, {_name(day)} planned {chunks}."
    )


def _chapter(day: Day, chunk: PlannedItem) -> Iterator[str]:
    hours = list(hours_of(day, chunk))
    if hours:
        yield f"## {format_clock(chunk.begins)}: {in_markdown(chunk.description)}"
    for hour in hours:
        sentences = [*_activities(day, hour), *_sightings(day, hour.sightings)]
        if hour.planned.description != chunk.description:
            start = format_clock(hour.planned.begins)
            sentences.insert(0, f"*{start}: {in_markdown(hour.planned.description)}.*")
        if sentences:
            yield " ".join(sentences)


def _activities(day: Day, hour: Hour) -> Iterator[str]:
    stays = hour.stays
    for first in range(0, len(stays), STAYS_PER_SENTENCE):
        opening, *following = stays[first : first + STAYS_PER_SENTENCE]
        clauses = [_opening(opening, _name(day))]
        clauses += [f"at {_setting_out(stay)} {_arrival(stay)}" for stay in following]
        yield in_markdown(f"{', then '.join(clauses)}.")


def _opening(stay: Stay, name: str) -> str:
    if stay.has_moved:
        return f"At {_setting_out(stay)} {name} {_arrival(stay)}"
    area = format_node(stay.area)
    begins = area.capitalize() if area == OUTDOORS else f"In {area}"
    return f"{begins}, {name} spent {_durations(stay)}"


def _setting_out(stay: Stay) -> str:
    return format_clock(stay.set_out or stay.begins)


def _arrival(stay: Stay) -> str:
    """Return the way to the area, and the activities there."""
    before = place_of(stay.came_from or "")
    goal = format_node(stay.area, within=before)
    way = "went" if before == place_of(stay.area) or goal == OUTDOORS else "walked"
    to = goal if goal == OUTDOORS else f"to {goal}"
    walk = stay.begins - stay.set_out if stay.set_out else timedelta()
    lasted = f" ({format_duration(walk)})" if way == "walked" and walk else ""
    return f"{way} {to}{lasted} and spent {_durations(stay)}"


def _durations(stay: Stay) -> str:
    return join_and([f"{format_duration(time)} {doing}" for doing, time in stay.activities])


def _sightings(day: Day, sightings: Sequence[Sighting]) -> Iterator[str]:
    by_agent: dict[str, list[str]] = defaultdict(list)
    for one in sightings:
        by_agent[one.who].append(f"{one.doing} ({format_clock(one.time)})")
    if by_agent:
        seen = (f"{who} {_first_of(found, SIGHTINGS_MAX)}" for who, found in by_agent.items())
        yield in_markdown(f"{_name(day)} noticed {'; '.join(seen)}.")


def _ending(day: Day) -> Iterator[str]:
    last = day.activities[-1] if day.activities else None
    end = format_clock(day.until)
    if day.left_at is not None:
        yield in_markdown(f"At {format_clock(day.left_at)} {_name(day)} left town.")
    elif last is not None and last.is_walk:
        yield in_markdown(f"At {end}, where the log ends, {_name(day)} was {last.description}.")
    elif day.until < day.ends:
        yield f"Here, at {end}, the log ends."


def _comparison(day: Day) -> Iterator[str]:
    yield from _TABLE_HEAD
    for chunk in day.chunks:
        if chunk.begins >= day.until:
            continue
        balance = balance_of(day, chunk)
        durations = (balance.as_planned, balance.walking, balance.otherwise)
        place = format_node(chunk.place)
        is_named = place in chunk.description
        cells = (
            f"{format_clock(chunk.begins)} to {format_clock(chunk.ends)}",
            in_markdown(chunk.description if is_named else f"{chunk.description}, at {place}"),
            *(format_duration(time) if time else NOTHING for time in durations),
            in_markdown("; ".join(balance.never_begun)) or NOTHING,
        )
        yield f"| {' | '.join(cells)} |"


def _dialogues(day: Day) -> Iterator[str]:
    if not day.dialogues:
        yield "Nothing: nobody was spoken to, and nobody spoke."
    for dialogue in day.dialogues:
        yield in_markdown(f"{format_clock(dialogue.time)}, with {join_and(dialogue.others)}:")
        yield "\n".join(
            f"- {in_markdown(f'{given_name(speaker)}: {text}')}"
            for speaker, text in dialogue.lines
        )


def _thoughts(day: Day) -> Iterator[str]:
    yield from _list_of(day.thoughts) or ["Nothing that was kept."]


def _refusals(day: Day) -> Iterator[str]:
    nothing = "Nothing: every door opened, and nothing that was wanted was taken."
    yield from _list_of(day.refusals) or [nothing]


def _list_of(notes: Sequence[Note]) -> list[str]:
    return [f"- {format_clock(note.time)}: {in_markdown(note.text)}" for note in notes]


def _knowledge(day: Day) -> Iterator[str]:
    if not day.discoveries and not day.notes:
        yield "Nothing new about places and things was noticed."
    for discovery in day.discoveries:
        nodes = in_markdown(join_and([format_node(node) for node in discovery.nodes]))
        yield f"- {format_clock(discovery.time)}: {nodes}, not known before"
    states: dict[str, list[str]] = defaultdict(list)
    for note in day.notes:
        state = f"{state_in(note.node, note.text)} ({format_clock(note.time)})"
        states[note.node].append(state)
    for node, found in list(states.items())[:NODES_MAX]:
        yield in_markdown(f"- {format_node(node)}: {_first_of(found, STATES_MAX)}")
    if len(states) > NODES_MAX:
        yield f"- and something of {len(states) - NODES_MAX} more places and things"


def _first_of(texts: Sequence[str], count: int) -> str:
    """Return the first texts as a list, and the number of the others."""
    more = len(texts) - count
    if more <= 0:
        return join_and(texts)
    return join_and([*texts[:count], "once more" if more == 1 else f"{more} more times"])
