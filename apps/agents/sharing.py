"""Who holds an object or a room that serves few: a pure function of the attempts (design 5).

There is no arbiter. Using an object, or entering a room that holds few, is an attempt in
the person's own stream. Whether it succeeded follows from the attempts of that tick and the
state before, ordered by a hash that nobody owns, and is the same for everyone who looks.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.kernel.chance import draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Somebody's attempt to use a node, standing at the end of a tick."""

    agent: str
    node: str
    state: str
    since_tick: int
    from_tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """A state that a user has set of an object: it holds until somebody rights it (U3).

    `event` is the identity of the event that set it; `to_tick` None while it holds.
    """

    object: str
    state: str
    event: str
    from_tick: int
    to_tick: int | None
    is_alarming: bool

    def stands_at(self, tick: int) -> bool:
        """Whether the state holds at the end of the tick."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


def holders(
    uses: Iterable[Use], *, node: str, holds: int | None, tick: int, seed: int
) -> tuple[Use, ...]:
    """Return the uses of the node that stand at the end of the tick and succeeded.

    Whoever tried before this tick and still stands was let in: those who fail withdraw in
    the turn after their attempt. Those who try in this tick share what is left, in the order
    of a hash. `holds` None means any number.
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
    """Return the state in words of an object that these use; the latest use says it (W4).

    A state that was set shows through all use that had begun before it.
    """
    in_words = [
        use
        for use in held_by
        if use.state and (set_state is None or use.from_tick > set_state.from_tick)
    ]
    if in_words:
        return max(in_words, key=lambda use: (use.from_tick, use.agent)).state
    return idle_state if set_state is None else set_state.state
