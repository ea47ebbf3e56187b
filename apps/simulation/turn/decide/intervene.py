"""Apply interventions: what users tell the agent in this tick.

An inner voice becomes a thought of the agent, which revises its plan (U2). An observation is
perceived like anything else in view (U6). An interview is remembered (U1).
"""

from dataclasses import replace

from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.planning.commands import Adoption, adopt_thought
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks.revised_hours import thought_text
from apps.planning.revision import ImmediateActivity
from apps.reaction.inputs import ObservedAgent, UserObservation
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.turn.context.outcome import AppliedThought, RevisePlan, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.react import decide_about, destinations
from apps.simulation.turn.decide.reaction_candidates import ReactionCandidate, is_free
from apps.simulation.turn.perceive.relationships import (
    acquaintance_with,
    open_agreements,
    status_of,
)
from apps.simulation.turn.remember.fact_changes import with_summary

PERSONA = "persona: "


def subject_of_persona(persona: str) -> str:
    """Return the subject of memories of a persona, which is never that of an agent."""
    return f"{PERSONA}{persona}"


def apply_interventions(turn: Turn) -> Turn:
    """Remember what users tell the agent in this tick, and adopt inner voices."""
    for intervention in turn.interventions:
        event, cause = intervention.event, intervention.event_id
        if isinstance(event, InnerVoiceGiven):
            turn = _adopt(turn, event, cause)
        elif isinstance(event, ObservationGiven):
            turn = _perceive(turn, event, cause)
        elif isinstance(event, InterviewGiven):
            turn = _remember_interview(turn, event, cause)
    return turn


def follow_thoughts(turn: Turn) -> Turn:
    """Revise the rest of the day for the adopted thoughts.

    An agent that sleeps goes on sleeping unless a thought calls for an action at once.
    """
    thoughts = turn.thoughts
    if not thoughts:
        return turn
    at_once = [one for one in thoughts if one.adoption.thought.minutes_now]
    return break_off(turn).intending(
        RevisePlan(
            reasons=tuple(one.adoption.thought for one in thoughts),
            first=_first_thing(turn, at_once[-1].adoption) if at_once else None,
            cause=thoughts[-1].cause,
        )
    )


def react_to_observations(turn: Turn) -> Turn:
    """Decide about the observations that users tell the agent (X1)."""
    candidates = [
        _candidate(turn, intervention.event, intervention.event_id)
        for intervention in turn.interventions
        if isinstance(intervention.event, ObservationGiven)
    ]
    return decide_about(turn, candidates)


def _adopt(turn: Turn, event: InnerVoiceGiven, cause: str) -> Turn:
    turn, summary = with_summary(turn)
    adoption = adopt_thought(
        turn.llm,
        OwnThoughtInput(
            agent_name=turn.identity.name,
            summary=summary,
            now=turn.now,
            status=status_of(turn, turn.identity.slug),
            voice=event.text,
            known_places=destinations(turn),
            agreements=open_agreements(turn),
        ),
    )
    thought = adoption.thought
    turn = turn.with_memory(
        thought.thought,
        importance=adoption.importance,
        origin=MemoryOrigin.INNER_VOICE,
        cause=cause,
    )
    if thought.deed:
        turn = turn.with_memory(
            thought_text(thought, name=turn.identity.name),
            importance=adoption.importance,
            origin=MemoryOrigin.DECIDED,
            scheduled=_scheduled(turn, adoption),
            cause=cause,
            evidence=[turn.last_memory],
        )
    return replace(turn, thoughts=(*turn.thoughts, AppliedThought(adoption, cause)))


def _scheduled(context: TurnContext, adoption: Adoption) -> ScheduledActivity:
    """Return the decision; its times are known where the action comes at once."""
    thought = adoption.thought
    ticks = context.ticks_of(minutes=thought.minutes_now)
    is_now = bool(thought.minutes_now)
    return ScheduledActivity(
        activity=thought.deed,
        place=adoption.place,
        starts=context.now if is_now else None,
        ends=context.calendar.time_at(context.tick + ticks) if is_now else None,
    )


def _perceive(turn: Turn, event: ObservationGiven, cause: str) -> Turn:
    return turn.with_memory(
        event.text, origin=MemoryOrigin.TOLD_OBSERVATION, cause=cause, subject=event.about
    )


def _remember_interview(turn: Turn, event: InterviewGiven, cause: str) -> Turn:
    persona = f"{event.persona[:1].upper()}{event.persona[1:]}"
    name = turn.identity.name
    return turn.with_memory(
        phrase(
            '{persona} said to {name}: "{question}" {name} answered: "{answer}"',
            persona=persona,
            name=name,
            question=event.question,
            answer=event.answer,
        ),
        origin=MemoryOrigin.INTERVIEW,
        cause=cause,
        subject=subject_of_persona(event.persona),
    )


def _first_thing(context: TurnContext, adoption: Adoption) -> ImmediateActivity:
    return ImmediateActivity(
        description=adoption.thought.deed,
        place=adoption.place or context.area or context.identity.home,
        ticks=context.ticks_of(minutes=adoption.thought.minutes_now),
    )


def _candidate(
    context: TurnContext, event: ObservationGiven, event_id: str
) -> ReactionCandidate:
    """Return the observation, with the agent that it is about where that is known."""
    other, agent = event.about, None
    if other:
        agent = ObservedAgent(
            status=status_of(context, other),
            may_talk=context.view.is_in_view(other) and is_free(context, other),
            acquaintance=acquaintance_with(context, other),
        )
    return ReactionCandidate(
        subject=other or event_id,
        observed=UserObservation(text=event.text, agent=agent, is_alarming=event.is_alarming),
        source=event_id,
    )
