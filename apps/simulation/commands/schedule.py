"""The schedule of a simulation, as far as commands ask and change it."""

from typing import Protocol


class Schedule(Protocol):
    """At which tick a command can take effect, and what the scheduler reads again after it."""

    @property
    def next_tick(self) -> int:
        """The tick at which an agent may join: no agent has committed it (design 5)."""
        ...

    def welcome(self, agent: str) -> None:
        """Read the rows of an agent that has joined."""
        ...

    def first_free_tick(self, agent: str) -> int:
        """Return the first tick of an agent that no turn of it has begun.

        :raises NotFound: if the agent is not in the simulation or is about to leave it.
        """
        ...

    def read_calls(self) -> None:
        """Read again which agents users control and which actions are requested."""
        ...

    def unseen_from(self, path: str) -> int:
        """Return the first uncommitted tick after which no agent has had the object in view."""
        ...

    def read_set_states(self) -> None:
        """Read again which object states users have set."""
        ...

    def unbegun(self, agent: str) -> int | None:
        """Return the first tick that the agent has not begun; None if it has left."""
        ...

    def expect_told(self, agent: str, tick: int) -> None:
        """Note that a user's intervention reaches the agent at the tick."""
        ...

    def may_leave(self, agent: str) -> bool:
        """Whether the agent is in the simulation and others stay in it."""
        ...

    def expect_departure(self, agent: str, tick: int) -> None:
        """Note that the agent leaves at the tick."""
        ...

    def departing(self) -> list[tuple[str, int]]:
        """Return the agents that have come to the tick at which they leave, with the tick."""
        ...

    def see_off(self, agent: str) -> None:
        """Forget the clock of an agent that has left."""
        ...
