"""What a turn knows of its agent and of another one: place, status, last talk, memories."""

from dataclasses import replace

from apps.agents.status import AgentStatus, LastTalk
from apps.kernel.game_time import FOREVER_TICK
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.purposes import RetrievalPurpose
from apps.memory.retrieval import RankedMemory
from apps.simulation.turn.context import Turn

STREET = "the street"
TIES_RELEVANCE = 4.0
# Memories of older logs have no origin; of those that a conversation left, the gist is first.
GIST_ORIGINS = frozenset({MemoryOrigin.CONVERSATION, MemoryOrigin.UNKNOWN})


def name_of(turn: Turn, slug: str) -> str:
    """Return the full name of an agent."""
    return turn.view.name_of(slug)


def own_place(turn: Turn) -> str:
    """Return the area that the agent is in, in words."""
    return turn.constants.world.tree.words(turn.area) if turn.area else STREET


def status_of(turn: Turn, agent: str) -> AgentStatus:
    """Return what an agent in view is doing; of the own action also when it ends.

    What an agent out of view does is not known.
    """
    action = turn.view.action_of(agent)
    is_own = agent == turn.identity.slug
    until = action.until_tick if action is not None and is_own else FOREVER_TICK
    is_bounded = turn.tick < until < FOREVER_TICK
    return AgentStatus(
        agent_name=name_of(turn, agent),
        activity="" if action is None else action.description,
        until=turn.constants.calendar.time_at(until) if is_bounded else None,
    )


def last_talk(turn: Turn, other: str) -> LastTalk | None:
    """Return the latest conversation with another agent that is over, None if there is none.

    The gist is the one that was remembered when that conversation ended, "" if none was.
    """
    talk = turn.last_talks().get(other)
    if talk is None or talk.to_tick is None:
        return None
    formed = memory_queries.formed_then(
        turn.constants.simulation_id, turn.identity.slug, tick=talk.to_tick, subject=other
    )
    gists = (
        memory.description
        for memory in formed
        if memory.kind == MemoryKind.DIALOGUE and memory.origin in GIST_ORIGINS
    )
    return LastTalk(
        minutes_ago=int(turn.constants.calendar.minutes_of(turn.tick - talk.to_tick)),
        gist=next(gists, ""),
    )


def about_them(
    turn: Turn, other: str, purpose: RetrievalPurpose, *, token_budget: int
) -> list[RankedMemory]:
    """Return the memories of an agent's relationship with another one, best first (X1).

    The query asks for one thing, and old ties count as much as new ones: in this retrieval
    relevance outweighs recency and importance, relative to the simulation's weights.
    """
    usual = turn.constants.settings.weights
    return turn.retrieval.retrieve(
        f"What is {turn.identity.name}'s relationship with {name_of(turn, other)}?",
        purpose,
        token_budget=token_budget,
        weights=replace(usual, relevance=usual.relevance * TIES_RELEVANCE),
    )
