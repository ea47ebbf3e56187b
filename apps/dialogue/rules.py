"""Rules of conversations: bounds, the duration of utterances, precedence; pure."""

from enum import StrEnum

from apps.agents.phrases import UTTERANCE_WORDS_MAX
from apps.kernel.chance import draw

# The time that an agent waits for a reply after the duration of the longest utterance.
PATIENCE_TICKS = 2
# The time that a telephone rings before the agent that is called can answer it. No agent may
# run farther ahead of another one that may call it (ADR 40).
RING_MINUTES = 2


class Ending(StrEnum):
    """Why a conversation ended for an agent."""

    SAID_ALL = "said all there was to say"
    NO_ANSWER = "was not answered"
    GONE = "the other one was gone"
    LEFT = "the other one had ended it"
    GAVE_WAY = "the other one had spoken first"
    INTERRUPTED = "something more important happened"
    BUSY = "the other one was talking with somebody else"


def conversation_id(tick: int, opener: str) -> str:
    """Return the identity of the conversation that an agent opens in the tick."""
    return f"{tick}/{opener}"


def opening_tick(conversation: str) -> int:
    """Return the tick in which the conversation of this identity was opened."""
    return int(conversation.partition("/")[0])


def speaking_ticks(text: str, *, words_per_minute: int, tick_seconds: int) -> int:
    """Return the duration of the utterance in ticks, at least one."""
    seconds = len(text.split()) * 60 / words_per_minute
    return max(1, -(-int(seconds) // tick_seconds))


def speaking_ticks_max(*, words_per_minute: int, tick_seconds: int) -> int:
    """Return the duration of the longest utterance in ticks."""
    return speaking_ticks(
        "word " * UTTERANCE_WORDS_MAX,
        words_per_minute=words_per_minute,
        tick_seconds=tick_seconds,
    )


def gives_way(seed: int, tick: int, agent: str, other: str) -> bool:
    """Return whether the agent gives way to one that it addressed and was addressed by.

    The agent with the lower hash opens.
    """
    return _rank(seed, tick, agent) > _rank(seed, tick, other)


def first_to_answer(seed: int, tick: int, agents: list[str]) -> str:
    """Return the agent to be answered, of those that addressed the same one in the tick."""
    return min(agents, key=lambda agent: _rank(seed, tick, agent))


def _rank(seed: int, tick: int, agent: str) -> tuple[int, str]:
    return draw(seed, "address", tick, agent), agent
