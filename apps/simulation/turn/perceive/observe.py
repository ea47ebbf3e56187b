"""Observe: what is new in view becomes known and is remembered (M2, W3, X1)."""

from apps.agents.events import Noticed
from apps.agents.phrases import doing_text, object_text
from apps.kernel.language import phrase
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.fact_changes import (
    facts_described,
    scheduled_by_facts,
)
from apps.simulation.turn.remember.learned_places import learn_place
from apps.simulation.turn.remember.remember import remember_or_count
from apps.simulation.turn.remember.routine import (
    activity_seen,
    importance_of_sight,
    is_unremarkable,
)


def remember_description(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Remember each phrase of the agent's description, and its facts (paper 3.1, U5)."""
    facts = facts_described(
        context.llm, context.constants, context.identity, context.description, tick=context.tick
    )
    scheduled = scheduled_by_facts(facts)
    for number, statement in enumerate(context.description, start=1):
        outcome = outcome.with_memory(
            MemoryKind.OBSERVATION,
            statement,
            origin=MemoryOrigin.DESCRIPTION,
            scheduled=scheduled.get(number),
        )
    for fact in facts:
        outcome = record(context, outcome, fact)
    return outcome


def observe(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Notice what is new in view, learn the place around, and perceive that it closes."""
    outcome = _notice(context, outcome)
    outcome = _learn_nodes_around(context, outcome)
    return _perceive_closing(context, outcome) if context.is_place_closing else outcome


def _notice(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    if not context.news:
        return outcome
    outcome = record(
        context, outcome, Noticed(sights=tuple(seen.sight for seen in context.news))
    )
    for index, seen in enumerate(context.news):
        if is_unremarkable(context, seen) or _is_other_side(context, index):
            continue
        outcome = _remember_sight(context, outcome, seen)
    return outcome


def _is_other_side(context: TurnContext, index: int) -> bool:
    """Return whether the sight is of a conversation that the agent has noticed already.

    A conversation of others is remembered once, as what the first of them is seen to do.
    """
    view, sight = context.view, context.news[index].sight
    talk = None if sight.is_object else context.conversations.talk_of(sight.subject)
    if talk is None or not view.is_in_view(talk.other):
        return False
    theirs, doing = context.conversations.talk_of(talk.other), view.action_of(talk.other)
    if theirs is None or doing is None or theirs.conversation != talk.conversation:
        return False
    if any(seen.sight.subject == talk.other for seen in context.news[:index]):
        return True
    noticed = context.acquainted.agents.get(talk.other)
    shown = doing_text(context.name_of(talk.other), doing.description)
    return noticed is not None and noticed.description == shown


def _learn_nodes_around(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    return learn_place(context, outcome, context.area) if context.area else outcome


def _perceive_closing(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    place = context.constants.world.tree.place_of(context.area)
    return remember_or_count(
        context,
        outcome,
        MemoryKind.OBSERVATION,
        phrase("{place} is closing", place=place),
        subject=place,
        perceived=True,
        origin=MemoryOrigin.CLOSING,
        importance=ROUTINE_IMPORTANCE,
    )


def _remember_sight(context: TurnContext, outcome: TurnOutcome, seen: InView) -> TurnOutcome:
    """Remember the sight; an activity of another agent is counted once a day (ADR 50)."""
    sight, doing, activity = seen.sight, None, activity_seen(context, seen)
    earlier = (
        context.retrieval.of_activity(activity, subject=sight.subject) if activity else None
    )
    if earlier is not None:
        if context.plan_day_of(earlier.last_tick) == context.plan_day_of(context.tick):
            return outcome
        return outcome.with_repetition(earlier.number, cause=seen.source)
    text, origin = sight.description, MemoryOrigin.PERCEIVED_AGENT
    if sight.is_object:
        node = context.constants.world.tree.node(sight.subject)
        text, origin = object_text(node.name, text), MemoryOrigin.PERCEIVED_OBJECT
    else:
        doing = context.view.action_of(sight.subject)
    return remember_or_count(
        context,
        outcome,
        MemoryKind.OBSERVATION,
        text,
        cause=seen.source,
        subject=sight.subject,
        perceived=True,
        origin=origin,
        importance=importance_of_sight(context, seen),
        action=None if doing is None else doing.kind,
        activity=activity,
    )
