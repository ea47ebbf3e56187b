"""Apply interventions: what users tell the agent in this tick.

An inner voice becomes a thought of the agent, which revises its plan (U2). An observation is
perceived like anything else in view (U6). An interview is remembered (U1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.agents.alarms import is_alarming
from apps.memory.events import MemoryKind, MemoryOrigin, ScheduledActivity
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks.revised_hours import thought_text
from apps.planning.own_thought import Adoption, adopt_thought
from apps.planning.revision import FirstThing
from apps.reaction.inputs import ObservedAgent, ToldObservation
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.interventions import Intervention
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off
from apps.simulation.turn.plan import revise_plans, summary_of
from apps.simulation.turn.react import ReactionCandidate, is_free, place_decided, react_to
from apps.simulation.turn.relationships import last_talk, status_of

PERSONA = "persona: "


@dataclass(frozen=True, slots=True)
class AppliedThought:
    """A thought that the agent has adopted, and the event of the inner voice."""

    adoption: Adoption
    cause: str


def subject_of_persona(persona: str) -> str:
    """Return the subject of memories of a persona, which is never that of an agent."""
    return f"{PERSONA}{persona}"


def apply_interventions(turn: Turn) -> list[AppliedThought]:
    """Remember what the agent is told in this tick; return the adopted thoughts."""
    thoughts = []
    for told in turn.told:
        event = told.event
        if isinstance(event, InnerVoiceGiven):
            thoughts.append(_adopt(turn, event, told.place))
        elif isinstance(event, ObservationGiven):
            _perceive(turn, event, told.place)
        elif isinstance(event, InterviewGiven):
            _remember_interview(turn, event, told.place)
    return thoughts


def follow(turn: Turn, thoughts: Sequence[AppliedThought]) -> bool:
    """Revise the rest of the day for the thoughts; return whether there are any.

    An agent that sleeps goes on sleeping unless a thought is to be acted on at once.
    """
    if not thoughts:
        return False
    break_off(turn)
    at_once = [one for one in thoughts if one.adoption.thought.minutes_now]
    revise_plans(
        turn,
        reasons=tuple(one.adoption.thought for one in thoughts),
        first=_first_thing(turn, at_once[-1].adoption) if at_once else None,
        cause=thoughts[-1].cause,
    )
    return True


def react_to_told(turn: Turn) -> bool:
    """React to the observations that the agent is told; return whether it does (X1)."""
    return react_to(
        turn,
        [
            _candidate(turn, told, told.event)
            for told in turn.told
            if isinstance(told.event, ObservationGiven)
        ],
    )


def observed_agent(turn: Turn, event: ObservationGiven) -> str:
    """Return the slug of the agent that an observation is about, "" for none.

    Older events do not say it: of these the text is searched for the name of an agent.
    """
    return event.about or turn.view.agent_named_by(event.text)


def _adopt(turn: Turn, event: InnerVoiceGiven, cause: str) -> AppliedThought:
    adoption = adopt_thought(
        turn.llm,
        OwnThoughtInput(
            agent_name=turn.identity.name,
            summary=summary_of(turn),
            now=turn.now,
            status=status_of(turn, turn.identity.slug),
            voice=event.text,
        ),
    )
    thought = adoption.thought
    number = turn.remember(
        MemoryKind.REFLECTION, thought.thought, origin=MemoryOrigin.INNER_VOICE, cause=cause
    )
    if thought.deed:
        turn.remember(
            MemoryKind.PLAN,
            thought_text(thought, name=turn.identity.name),
            origin=MemoryOrigin.DECIDED,
            scheduled=_scheduled(turn, adoption),
            cause=cause,
            evidence=[number],
        )
    return AppliedThought(adoption, cause)


def _scheduled(turn: Turn, adoption: Adoption) -> ScheduledActivity:
    """Return the decision; its times are known where it is acted on at once."""
    thought = adoption.thought
    ticks = turn.constants.calendar.ticks_of(minutes=thought.minutes_now)
    is_now = bool(thought.minutes_now)
    return ScheduledActivity(
        activity=thought.deed,
        place=adoption.place,
        starts=turn.now if is_now else None,
        ends=turn.constants.calendar.time_at(turn.tick + ticks) if is_now else None,
    )


def _perceive(turn: Turn, event: ObservationGiven, cause: str) -> None:
    turn.remember(
        MemoryKind.OBSERVATION,
        event.text,
        origin=MemoryOrigin.TOLD_OBSERVATION,
        cause=cause,
        subject=observed_agent(turn, event),
        perceived=True,
    )


def _remember_interview(turn: Turn, event: InterviewGiven, cause: str) -> None:
    asker = f"{event.persona[:1].upper()}{event.persona[1:]}"
    name = turn.identity.name
    turn.remember(
        MemoryKind.DIALOGUE,
        f'{asker} said to {name}: "{event.question}" {name} answered: "{event.answer}"',
        origin=MemoryOrigin.INTERVIEW,
        cause=cause,
        subject=subject_of_persona(event.persona),
        perceived=True,
    )


def _first_thing(turn: Turn, adoption: Adoption) -> FirstThing:
    minutes = adoption.thought.minutes_now
    return FirstThing(
        description=adoption.thought.deed,
        place=place_decided(turn, adoption.place),
        ticks=turn.constants.calendar.ticks_of(minutes=minutes),
    )


def _candidate(turn: Turn, told: Intervention, event: ObservationGiven) -> ReactionCandidate:
    """Return the observation, with the agent that it is about where that is known."""
    other = observed_agent(turn, event)
    agent = None
    if other:
        agent = ObservedAgent(
            status=status_of(turn, other),
            may_talk=turn.view.is_in_view(other) and is_free(turn, other),
            last_talk=last_talk(turn, other),
        )
    return ReactionCandidate(
        subject=other or told.place,
        observed=ToldObservation(
            text=event.text,
            agent=agent,
            is_alarming=is_alarming(event.text, event.is_alarming),
        ),
        source=told.place,
    )
