"""One person at one tick: how an agent lives.

A turn sees the world as of the end of the tick before, within the person's vision, and the
person's own stream; it reads nothing else. What comes of it are events of this tick in the
person's own stream, appended all at once with their rows. Taken twice, it writes once.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import transaction

from apps.agents.events import AgentLeft
from apps.eventlog.event import Recorded
from apps.eventlog.store import AlreadyWritten, StreamPassed, hold_simulation
from apps.metrics.instruments import recorded_turn
from apps.metrics.totals import add_turns
from apps.simulation import queries
from apps.simulation.interventions import mark_applied
from apps.simulation.ports import Ports
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.act import leave, turned_away_by
from apps.simulation.turn.context import Turn, open_turn
from apps.simulation.turn.converse import break_off, converse
from apps.simulation.turn.intervene import (
    AppliedThought,
    apply_interventions,
    follow,
    react_to_told,
)
from apps.simulation.turn.observe import learn_places, notice, perceive_closing, remember_seeds
from apps.simulation.turn.plan import errand_now, next_action
from apps.simulation.turn.preparation import PREPARATION_TICK, prepare_agent
from apps.simulation.turn.react import (
    react,
    react_to_alarm,
    react_to_obstacle,
    right_what_was_minded,
)
from apps.simulation.turn.reflect import reflect_if_due
from apps.simulation.turn.user_control import act_for_user


def take_turn(
    ports: Ports,
    *,
    simulation_id: UUID,
    agent: str,
    tick: int,
    finish: Callable[[], None] = lambda: None,
) -> list[Recorded]:
    """Let the person perceive, remember, think and act; return what came of it.

    The turn at tick 0 forms the agent's seed memories. `finish` is called in the transaction
    of the events.

    :raises AlreadyWritten: if the turn was taken before; nothing is written.
    :raises ModelUnavailable: if the model stays away; nothing is written, and the answers
        that came are kept for when the turn is taken again (L6).
    """
    with recorded_turn(duplicates=(AlreadyWritten, StreamPassed)):
        if tick == PREPARATION_TICK:
            return prepare_agent(ports, simulation_id=simulation_id, agent=agent, finish=finish)
        turn = open_turn(ports, simulation_id=simulation_id, agent=agent, tick=tick)
        live(turn)
        return _write(ports, turn, finish)


def live(turn: Turn) -> None:
    """Decide what happens to the person in this turn; everything lands in `turn.events`."""
    if turn.is_first:
        remember_seeds(turn)
    news = notice(turn)
    learn_places(turn)
    if turn.is_put_out:
        perceive_closing(turn)
    right_what_was_minded(turn)
    thoughts = apply_interventions(turn)
    if turn.control is None:
        decide(turn, news, thoughts)
    else:
        act_for_user(turn, turn.control)
    reflect_if_due(turn)
    turn.remember_all()
    if turn.leaves_town:
        turn.say(AgentLeft())


def decide(turn: Turn, news: Sequence[InView], thoughts: Sequence[AppliedThought]) -> None:
    """Do the first of these that there is to do; what comes first matters more."""
    if react_to_alarm(turn, news) or follow(turn, thoughts) or react_to_told(turn):
        return
    is_put_out = turn.is_put_out and not turn.is_walking_out
    if is_put_out:
        break_off(turn)
    if converse(turn):
        return
    lost = turn.lost_attempt()
    if lost is not None:
        turned_away_by(turn, lost, errand_now(turn))
    elif react(turn, news) or react_to_obstacle(turn):
        return
    elif turn.is_over:
        next_action(turn)
    elif is_put_out:
        leave(turn, errand_now(turn))


def _write(ports: Ports, turn: Turn, finish: Callable[[], None]) -> list[Recorded]:
    with transaction.atomic():
        hold_simulation(turn.constants.simulation_id)
        queries.model_of(turn.constants.simulation_id)  # it may have been deleted
        turn.llm.save()
        written = ports.store.append(
            simulation_id=turn.constants.simulation_id,
            tick=turn.tick,
            stream=turn.identity.slug,
            events=turn.events,
        )
        if turn.told:
            mark_applied(turn.constants.simulation_id, turn.identity.slug, turn.tick)
        finish()
        # Last, as in `mark_failed`: two transactions lock the rows in the same order.
        add_turns(turn.constants.simulation_id, completed=1)
    return written
