"""The bound of calls on the lookahead: words on the telephone reach agents at any distance.

A call reaches the other agent when it has rung, so that nobody runs farther ahead of another
agent than that. The two agents of a call read each other's words, and stay together.
"""

from apps.kernel.game_time import FOREVER_TICK
from apps.simulation.engine.agent_clocks import AgentClock
from apps.simulation.ports import Constants
from apps.simulation.snapshot.world_snapshot import WorldSnapshot


def reached_by_calls(
    constants: Constants, snapshot: WorldSnapshot, clock: AgentClock, other: AgentClock
) -> int:
    """Return the last tick of an agent that no words of the other one can reach unknown."""
    if not constants.world.phones:
        return FOREVER_TICK
    if other.agent in called_by(snapshot, clock) or clock.agent in called_by(snapshot, other):
        return other.tick
    return other.tick + constants.ring_ticks - 1


def called_by(snapshot: WorldSnapshot, clock: AgentClock) -> tuple[str, ...]:
    """Return the agent that the agent is in a call with, or calls, if there is one."""
    talk = snapshot.talk_of(clock.agent, clock.tick - 1)
    return (talk.other,) if talk is not None and talk.by_phone else ()
