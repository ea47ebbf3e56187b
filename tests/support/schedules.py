"""Executes a simulation under a chosen schedule: which of the ready turns is taken next."""

from collections.abc import Callable, Sequence
from random import Random
from uuid import UUID

from apps.simulation.engine.lookahead import LockStep, LookaheadPolicy
from apps.simulation.engine.schedule_state import ScheduleState, lookahead_of
from apps.simulation.engine.turn_executors import ReadyTurn
from apps.simulation.ports import Ports, constants_of
from apps.simulation.turn.pipeline import take_turn

Pick = Callable[[Sequence[ReadyTurn]], ReadyTurn]


def farthest_ahead(ready: Sequence[ReadyTurn]) -> ReadyTurn:
    """Pick the turn of the latest tick."""
    return max(ready)


def earliest(ready: Sequence[ReadyTurn]) -> ReadyTurn:
    """Pick the turn of the earliest tick."""
    return min(ready)


def lock_step(ports: Ports, simulation_id: UUID, last_tick: int) -> None:
    """Execute every tick of every agent before the next tick begins."""
    run_schedule(ports, simulation_id, last_tick, lookahead=LockStep(), pick=earliest)


def out_of_order(
    ports: Ports, simulation_id: UUID, last_tick: int, *, pick: Pick = farthest_ahead
) -> None:
    """Execute as the lookahead policy allows; by default those farthest ahead."""
    constants = constants_of(simulation_id, ports.worlds)
    lookahead = lookahead_of(constants)
    run_schedule(ports, simulation_id, last_tick, lookahead=lookahead, pick=pick)


def at_random(seed: int) -> Pick:
    """Return a pick of any ready turn."""
    return Random(seed).choice


def holding_back(agent: str) -> Pick:
    """Return a pick that takes the agent's turns only when nothing else is ready."""
    return lambda ready: max(ready, key=lambda turn: (turn.agent != agent, turn))


def run_schedule(
    ports: Ports, simulation_id: UUID, last_tick: int, *, lookahead: LookaheadPolicy, pick: Pick
) -> None:
    """Execute a new simulation up to and including the last tick, one turn at a time."""
    schedule = ScheduleState(constants_of(simulation_id, ports.worlds), lookahead)
    ready: list[ReadyTurn] = []
    while True:
        ready.extend(schedule.advance(last_tick))
        if not ready:
            break
        turn = pick(ready)
        ready.remove(turn)
        events = take_turn(ports, simulation_id=simulation_id, agent=turn.agent, tick=turn.tick)
        schedule.apply(turn, frozenset(type(one.event) for one in events))
    assert schedule.committed_tick == last_tick, "every agent reaches the last tick"
