"""Utterances and parts in conversations as plain values, with their rules; pure (D2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.agents.spoken_words import UTTERANCE_WORDS_MAX
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """An utterance of `agent` to `to` at `tick`; `event` is the id of its event.

    `participants` are all agents that it is said to, empty if it is `to` alone; `by_phone` is
    whether it is said on the telephone; `intent` and `leaves` are as in Said.
    """

    agent: str
    tick: int
    conversation: str
    number: int
    to: str
    text: str
    ends: bool
    event: str
    participants: Sequence[str] = ()
    by_phone: bool = False
    intent: str = ""
    leaves: bool = False

    @property
    def hearers(self) -> tuple[str, ...]:
        """The agents that the utterance is said to."""
        return tuple(self.participants) or (self.to,)

    @property
    def rings(self) -> bool:
        """Whether it opens a call: it is said when the other agent answers the telephone."""
        return self.by_phone and self.number == 1

    @property
    def order(self) -> tuple[int, str]:
        """The order of utterances: by tick, then by speaker."""
        return self.tick, self.agent


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The part of `agent` in a conversation with `other`; `to_tick` is None while it lasts."""

    agent: str
    conversation: str
    other: str
    from_tick: int
    to_tick: int | None
    by_phone: bool = False

    def stands_at(self, tick: int) -> bool:
        """Return whether the agent is in the conversation at the end of the tick."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """The utterances since a tick, and the parts in conversations since then."""

    spoken: tuple[Spoken, ...]
    talks: tuple[Talk, ...]

    @property
    def agents(self) -> frozenset[str]:
        """The agents that have said something or are in a conversation."""
        return frozenset(said.agent for said in self.spoken) | frozenset(
            talk.agent for talk in self.talks
        )
