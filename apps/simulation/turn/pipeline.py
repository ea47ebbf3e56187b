"""The pipeline of a turn: how an agent lives.

A turn reads the world as of the end of the tick before, within the agent's vision, and the
agent's own stream, all of it before the first step (`context_reading`). A step is a function of
the context and of the outcome so far; it changes neither. The events of the outcome are
appended to the agent's stream at once, with their rows. A turn that is taken twice writes once.
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
    TurnOutcome,
    WalkTo,
    begin_outcome,
)
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import converse, open_conversation
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.doors import (
    answer_knocks,
    answer_waiting,
    receive_guest,
)
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
from apps.simulation.turn.decide.social_acts import begin_act, end_search, pursue_act
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

Condition = Callable[[TurnContext, TurnOutcome], bool]


def always(_context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Apply the step in every turn."""
    return True


def in_first_turn(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the agent has no memories yet."""
    return context.records.next_memory == 1


def agreement_passed(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the time of an agreement has passed."""
    return bool(context.records.passed)


def promised(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether the agent has a promise to keep."""
    return bool(context.records.promises)


def controlled(context: TurnContext, _outcome: TurnOutcome) -> bool:
    """Return whether a user controls the agent."""
    return context.control is not None


def undecided(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent decides itself and has not decided what it does."""
    return context.control is None and outcome.intention is None


def undecided_at_closing_time(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent is undecided in a place that is closing."""
    return undecided(context, outcome) and context.has_to_leave


def undecided_and_idle(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent is undecided and its last action is over."""
    return undecided(context, outcome) and context.is_action_over


def about_to(*intentions: type) -> Condition:
    """Return the condition that the agent has one of the intentions."""
    return lambda _context, outcome: isinstance(outcome.intention, intentions)


def reflection_possible(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether a reflection is due if all unrated perceptions are of importance 10."""
    if not is_due(
        context.records.importance_most, context.constants.settings.reflection_threshold
    ):
        return False
    was_asleep = context.action is not None and context.action.asleep
    return not (was_asleep and outcome.stays_asleep)


def reflection_due(context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether enough was perceived (R1); during sleep a reflection stays due."""
    if not reflection_possible(context, outcome):
        return False
    threshold = context.constants.settings.reflection_threshold
    return is_due(perceived_importance(context), threshold)


def leaving(_context: TurnContext, outcome: TurnOutcome) -> bool:
    """Return whether the agent leaves the simulation."""
    return outcome.leaves_simulation


Step = Callable[[TurnContext, TurnOutcome], TurnOutcome]

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
    (open_conversation, about_to(SpeakTo)),
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
        context = read_context(ports, simulation_id=simulation_id, agent=agent, tick=tick)
        return _write(ports, context, run_steps(context), finish)


def run_steps(context: TurnContext) -> TurnOutcome:
    """Return the outcome of all steps whose condition holds, in order."""
    outcome = begin_outcome(context)
    for step, applies in STEPS:
        if applies(context, outcome):
            outcome = step(context, outcome)
    return outcome


def _write(
    ports: Ports, context: TurnContext, outcome: TurnOutcome, finish: Callable[[], None]
) -> list[Recorded]:
    simulation_id = context.constants.simulation_id
    with transaction.atomic():
        acquire_append_lock(simulation_id)
        queries.model_of(simulation_id)  # raises if the simulation has been deleted
        context.llm.save()
        written = ports.store.append(
            simulation_id=simulation_id,
            tick=context.tick,
            stream=context.identity.slug,
            events=outcome.events,
        )
        if context.interventions:
            mark_applied(simulation_id, context.identity.slug, context.tick)
        finish()
        # Last, as in `mark_failed`: two transactions lock the rows in the same order.
        add_turns(simulation_id, completed=1)
    return written
