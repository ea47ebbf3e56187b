"""What an agent knows of another one: the name, the last talk, memories about them."""

from dataclasses import replace

from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.memory.retrieval import RankedMemory
from apps.simulation.turn.context import Turn

TIES_RELEVANCE = 4.0
MINUTES_PER_HOUR = 60
HOURS_PER_DAY = 24


def name_of(turn: Turn, slug: str) -> str:
    """Return somebody's full name."""
    return turn.view.name_of(slug)


def minutes_since_talk(turn: Turn, other: str) -> int | None:
    """Return how many game minutes ago the two last talked, None if never."""
    talk = turn.last_talks().get(other)
    if talk is None or talk.to_tick is None:
        return None
    return int(turn.constants.calendar.minutes_of(turn.tick - talk.to_tick))


def last_talk_in_words(turn: Turn, other: str) -> str:
    """Return how long ago and about what the two last talked, "" if never."""
    minutes = minutes_since_talk(turn, other)
    if minutes is None:
        return ""
    gist = memory_queries.latest_about(
        turn.constants.simulation_id,
        turn.identity.slug,
        subject=other,
        kind=MemoryKind.DIALOGUE,
        as_of_tick=turn.before,
    )
    told = f"They last talked {_ago(minutes)}"
    return f"{told}: {gist}." if gist else f"{told}."


def about_them(
    turn: Turn, other: str, purpose: str, *, token_budget: int
) -> list[RankedMemory]:
    """Return what comes to mind of what somebody is to the person (X1).

    What is asked for is one thing, and old ties are known by heart: in this request relevance
    outweighs what is recent and poignant, as far as the simulation's settings go.
    """
    usual = turn.constants.settings.weights
    return turn.recollection.recall(
        f"What is {turn.identity.name}'s relationship with {name_of(turn, other)}?",
        purpose,
        token_budget=token_budget,
        weights=replace(usual, relevance=usual.relevance * TIES_RELEVANCE),
    )


def _ago(minutes: int) -> str:
    if minutes < MINUTES_PER_HOUR:
        return f"{max(1, minutes)} minutes ago"
    hours = minutes // MINUTES_PER_HOUR
    if hours < HOURS_PER_DAY:
        return f"{hours} {'hour' if hours == 1 else 'hours'} ago"
    days = hours // HOURS_PER_DAY
    return f"{days} {'day' if days == 1 else 'days'} ago"
