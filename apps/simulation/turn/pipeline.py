"""The pipeline of a turn: how an agent lives.

A turn reads the world as of the end of the tick before, within the agent's vision, and the
agent's own stream, all of it before the first step (`context_reading`). A step takes the turn,
which is this context with what the steps before have brought, and returns a new one. Its events
are appended to the agent's stream at once, with their rows. A turn that is taken twice writes
once.
"""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from apps.eventlog.event import Recorded
from apps.eventlog.store import AlreadyWritten, StreamPassed, acquire_append_lock
from apps.kernel.language import use_language
from apps.metrics.instruments import record_turn
from apps.metrics.totals import add_turns
from apps.reflection.rules import is_due
from apps.simulation import queries
from apps.simulation.interventions import mark_applied
from apps.simulation.ports import Ports, constants_of
from apps.simulation.turn.context.context_reading import read_context
from apps.simulation.turn.context.outcome import (
    FollowPlan,
    Perform,
    RevisePlan,
    SpeakTo,
    Turn,
    WalkTo,
)
from apps.simulation.turn.conversation.converse import converse
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.doors import answer_knocks, answer_waiting, receive_guest
from apps.simulation.turn.decide.intervene import (
    apply_interventions,
    follow_thoughts,
    react_to_observations,
)
from apps.simulation.turn.decide.react import (
    react,
    react_to_alarm,
    react_to_obstacle,
    restore_object,
)
from apps.simulation.turn.decide.social_acts import (
    begin_act,
    end_search,
    pursue_act,
    speak_as_intended,
)
from apps.simulation.turn.decide.user_control import (
    act_for_user,
    answer_requests,
    leave_simulation,
)
from apps.simulation.turn.perceive.observe import observe, overhear, remember_description
from apps.simulation.turn.perform.act import accept_refusal, act, leave_closing_place
from apps.simulation.turn.perform.plan import follow_plan, plan
from apps.simulation.turn.perform.walk import walk
from apps.simulation.turn.preparation import PREPARATION_TICK, prepare_agent
from apps.simulation.turn.remember.passed_commitments import drop_promises, end_agreements
from apps.simulation.turn.remember.reflect import (
    consolidate,
    goes_to_sleep,
    perceived_importance,
    reflect,
)
from apps.simulation.turn.remember.remember import expect_texts, rate_perceptions, remember

Step = Callable[[Turn], Turn]
Condition = Callable[[Turn], bool]


def always(_turn: Turn) -> bool:
    """Apply the step in every turn."""
    return True


def in_first_turn(turn: Turn) -> bool:
    """Return whether the agent has no memories yet."""
    return turn.records.next_memory == 1


def agreement_passed(turn: Turn) -> bool:
    """Return whether the time of an agreement has passed."""
    return bool(turn.records.passed)


def promised(turn: Turn) -> bool:
    """Return whether the agent has a promise to keep."""
    return bool(turn.records.promises)


def controlled(turn: Turn) -> bool:
    """Return whether a user controls the agent."""
    return turn.control is not None


def undecided(turn: Turn) -> bool:
    """Return whether the agent decides itself and has not decided what it does."""
    return turn.control is None and turn.intention is None


def undecided_at_closing_time(turn: Turn) -> bool:
    """Return whether the agent is undecided in a place that is closing."""
    return undecided(turn) and turn.has_to_leave


def undecided_and_idle(turn: Turn) -> bool:
    """Return whether the agent is undecided and its last action is over."""
    return undecided(turn) and turn.is_action_over


def about_to(*intentions: type) -> Condition:
    """Return the condition that the agent has one of the intentions."""
    return lambda turn: isinstance(turn.intention, intentions)


def reflection_possible(turn: Turn) -> bool:
    """Return whether a reflection is due if all unrated perceptions are of importance 10."""
    if not is_due(turn.records.importance_most, turn.settings.reflection_threshold):
        return False
    was_asleep = turn.action is not None and turn.action.asleep
    return not (was_asleep and turn.stays_asleep)


def reflection_due(turn: Turn) -> bool:
    """Return whether enough was perceived (R1); during sleep a reflection stays due."""
    if not reflection_possible(turn):
        return False
    threshold = turn.settings.reflection_threshold
    return is_due(perceived_importance(turn), threshold)


def leaving(turn: Turn) -> bool:
    """Return whether the agent leaves the simulation."""
    return turn.leaves_simulation


STEPS: tuple[tuple[Step, Condition], ...] = (
    (remember_description, in_first_turn),
    (observe, always),
    (overhear, always),
    (end_agreements, agreement_passed),
    (drop_promises, promised),
    (restore_object, always),
    (apply_interventions, always),
    (answer_knocks, always),
    (expect_texts, always),
    (act_for_user, controlled),
    # The first of these that decides is what the agent does: the most urgent comes first.
    (react_to_alarm, undecided),
    (follow_thoughts, undecided),
    (react_to_observations, undecided),
    (break_off, undecided_at_closing_time),
    (converse, undecided),
    (accept_refusal, undecided),
    (end_search, undecided_and_idle),
    (pursue_act, undecided),
    (react, undecided),
    (receive_guest, undecided),
    (react_to_obstacle, undecided),
    (follow_plan, undecided_and_idle),
    (leave_closing_place, undecided_at_closing_time),
    # What was decided is carried out.
    (answer_waiting, about_to(FollowPlan, RevisePlan)),
    (plan, about_to(FollowPlan, RevisePlan)),
    (begin_act, about_to(Perform)),
    (speak_as_intended, about_to(SpeakTo)),
    (act, about_to(Perform)),
    (walk, about_to(WalkTo)),
    (answer_requests, controlled),
    (rate_perceptions, reflection_possible),
    (reflect, reflection_due),
    (consolidate, goes_to_sleep),
    (remember, always),
    (leave_simulation, leaving),
)


def take_turn(
    ports: Ports,
    *,
    simulation_id: UUID,
    agent: str,
    tick: int,
    finish: Callable[[], None] = lambda: None,
) -> list[Recorded]:
    """Let the agent perceive, remember, think and act; return its events.

    The turn at tick 0 forms the agent's seed memories. `finish` is called in the transaction
    of the events.

    :raises AlreadyWritten: if the turn was taken before; nothing is written.
    :raises ModelUnavailable: if the model does not answer; nothing is written, and the answers
        that came are kept for the next attempt (L6).
    """
    with (
        record_turn(duplicates=(AlreadyWritten, StreamPassed)),
        use_language(constants_of(simulation_id, ports.worlds).world.language),
    ):
        if tick == PREPARATION_TICK:
            return prepare_agent(ports, simulation_id=simulation_id, agent=agent, finish=finish)
        turn = read_context(ports, simulation_id=simulation_id, agent=agent, tick=tick)
        return _write(ports, run_steps(turn), finish)


def run_steps(turn: Turn) -> Turn:
    """Return the turn after all steps whose condition holds, in order."""
    for step, applies in STEPS:
        if applies(turn):
            turn = step(turn)
    return turn


def _write(ports: Ports, turn: Turn, finish: Callable[[], None]) -> list[Recorded]:
    simulation_id = turn.constants.simulation_id
    with transaction.atomic():
        acquire_append_lock(simulation_id)
        queries.model_of(simulation_id)  # raises if the simulation has been deleted
        turn.llm.save()
        written = ports.store.append(
            simulation_id=simulation_id,
            tick=turn.tick,
            stream=turn.identity.slug,
            events=turn.events,
        )
        if turn.interventions:
            mark_applied(simulation_id, turn.identity.slug, turn.tick)
        finish()
        # Last, as in `mark_failed`: two transactions lock the rows in the same order.
        add_turns(simulation_id, completed=1)
    return written
