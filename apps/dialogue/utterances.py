"""Utterances and the agents' parts in conversations as plain values (D2)."""

from collections.abc import Sequence
from dataclasses import dataclass


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
        """Whether it opens a call: it is said when the other one answers the telephone."""
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
