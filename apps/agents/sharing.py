"""The occupants of objects and areas with a capacity: a pure function of attempts.

There is no arbiter. Using an object, or entering an area with a capacity, is an attempt in the
stream of the agent. Its result follows from the attempts of the tick and the state before,
ordered by a hash, and is the same for all agents.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from apps.eventlog.event import COMMANDS_STREAM, EventId
from apps.kernel.chance import draw

# Whole words of common phrases for fire and flood, in each language.
_ALARMING = re.compile(
    r"\b(?:burn(?:s|ing)|on fire|in flames|ablaze|flood(?:s|ed|ing)|explod(?:es|ed|ing)|"
    r"(?:leak\w*|smell\w*|filled|full) (?:of |with )?(?:gas|smoke)|gas leak|"
    r"brenn(?:t|en|end\w*)|in flammen|feuer gefangen|überflutet|unter wasser|explodier(?:t|en)|"
    r"(?:riecht|riechen|stinkt|voller) (?:nach )?(?:gas|rauch)|gasleck)\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\bburning (?:a |the |its |some |brightly|low|incense|candles?)|"
    r"\bbrennende\w* (?:kerze|lampe|laterne)|(?:kerzen?|lampen?|laternen?|licht) brenn",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """An attempt of an agent to use a node."""

    agent: str
    node: str
    state: str
    since_tick: int
    from_tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """The state of an object set by a user or left by an agent, until one acts on it (U3).

    `event` is the id of its event; `to_tick` is None while it is current.
    """

    object: str
    state: str
    event: str
    from_tick: int
    to_tick: int | None
    is_alarming: bool

    @property
    def set_by(self) -> str:
        """The slug of the agent that has left it; the stream of the commands for a user."""
        return EventId.parse(self.event).stream

    @property
    def is_left(self) -> bool:
        """Whether an agent has left it, and no user has set it."""
        return self.set_by != COMMANDS_STREAM

    def stands_at(self, tick: int) -> bool:
        """Return whether the state is current at the end of the tick."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpening:
    """The door of a node that an agent opened to a visitor; `event` is the id of its event."""

    agent: str
    tick: int
    node: str
    event: str


def holders(
    uses: Iterable[Use], *, node: str, holds: int | None, tick: int, seed: int
) -> tuple[Use, ...]:
    """Return the successful uses of the node at the end of the tick.

    Attempts before this tick have succeeded: a failed one is withdrawn in the turn after it.
    Attempts of this tick share the rest of the capacity `holds`, in the order of a hash.
    `holds` is None without a limit.
    """
    of_node = [use for use in uses if use.node == node]
    if holds is None:
        return tuple(sorted(of_node, key=lambda use: (use.since_tick, use.agent)))
    standing = sorted(
        (use for use in of_node if use.since_tick < tick),
        key=lambda use: (use.since_tick, use.agent),
    )
    trying = sorted(
        (use for use in of_node if use.since_tick == tick),
        key=lambda use: (draw(seed, "attempt", tick, node, use.agent), use.agent),
    )
    free = max(0, holds - len(standing))
    return (*standing, *trying[:free])


def state_of(
    held_by: Iterable[Use], *, idle_state: str, set_state: SetState | None = None
) -> str:
    """Return the state of an object, which is that of its latest use (W4).

    A set state takes precedence over uses that began before it, and a danger over all uses:
    what puts it out is no use as usual.
    """
    if set_state is not None and set_state.is_alarming:
        return set_state.state
    in_words = [
        use
        for use in held_by
        if use.state and (set_state is None or use.from_tick > set_state.from_tick)
    ]
    if in_words:
        return max(in_words, key=lambda use: (use.from_tick, use.agent)).state
    return idle_state if set_state is None else set_state.state


def is_alarming(text: str, stated: bool | None = None) -> bool:
    """Return `stated`, or if it is None whether the text names fire or flood."""
    if stated is not None:
        return stated
    return bool(_ALARMING.search(text)) and not _HARMLESS.search(text)
