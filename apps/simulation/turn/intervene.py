"""What a person makes of what a user tells them: remember it, follow it, react to it.

An inner voice is the person's own thought: they remember it and plan anew (U2). An
observation is perceived like anything else in view (U6). An interview is a conversation
that the person remembers (U1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.kernel.game_time import spoken_time
from apps.memory.events import MemoryKind
from apps.planning.own_thought import Resolution, take_to_heart
from apps.planning.revision import FirstThing
from apps.reaction.chains.decision import Observed
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.interventions import Intervention
from apps.simulation.snapshot.alarms import is_alarming
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off
from apps.simulation.turn.plan import revise_plans, summary_of
from apps.simulation.turn.react import Weighable, is_free, place_decided, react_to, status_of
from apps.simulation.turn.relationships import (
    last_talk_in_words,
    minutes_since_talk,
    name_of,
)

PERSONA = "persona: "


@dataclass(frozen=True, slots=True)
class Minded:
    """A thought that a person has taken to heart, and the event that gave it to them."""

    resolution: Resolution
    cause: str


def subject_of_persona(persona: str) -> str:
    """Return what memories of a persona are about: nobody of the town, whatever the name."""
    return f"{PERSONA}{persona}"


def take_in(turn: Turn) -> list[Minded]:
    """Remember all that the person is told in this tick; return the thoughts among it."""
    minded = []
    for told in turn.told:
        event = told.event
        if isinstance(event, InnerVoiceGiven):
            minded.append(_have_thought(turn, event, told.place))
        elif isinstance(event, ObservationGiven):
            _perceive(turn, event, told.place)
        elif isinstance(event, InterviewGiven):
            _keep_interview(turn, event, told.place)
    return minded


def follow(turn: Turn, minded: Sequence[Minded]) -> bool:
    """Plan the rest of the day anew for what the person has thought; say if they thought.

    Whoever sleeps goes on sleeping, unless the thought is to be acted on at once.
    """
    if not minded:
        return False
    break_off(turn)
    at_once = [one for one in minded if one.resolution.minutes_now]
    first = _first_thing(turn, at_once[-1].resolution) if at_once else None
    revise_plans(
        turn,
        happened="; ".join(one.resolution.in_words for one in minded),
        first=first,
        cause=minded[-1].cause,
    )
    return True


def react_to_told(turn: Turn) -> bool:
    """Weigh what the person was told that they perceive; say whether they act on it (X1)."""
    return react_to(
        turn,
        [
            _weighable(turn, told, told.event)
            for told in turn.told
            if isinstance(told.event, ObservationGiven)
        ],
    )


def _have_thought(turn: Turn, event: InnerVoiceGiven, cause: str) -> Minded:
    resolution = take_to_heart(
        turn.mind,
        name=turn.identity.name,
        summary=summary_of(turn),
        now=spoken_time(turn.now),
        status=status_of(turn),
        voice=event.text,
    )
    number = turn.remember(MemoryKind.REFLECTION, resolution.thought, cause=cause)
    if resolution.deed:
        turn.remember(MemoryKind.PLAN, resolution.in_words, cause=cause, evidence=[number])
    return Minded(resolution, cause)


def _perceive(turn: Turn, event: ObservationGiven, cause: str) -> None:
    turn.remember(
        MemoryKind.OBSERVATION,
        event.text,
        cause=cause,
        subject=turn.view.agent_named_by(event.text),
        perceived=True,
    )


def _keep_interview(turn: Turn, event: InterviewGiven, cause: str) -> None:
    asker = f"{event.persona[:1].upper()}{event.persona[1:]}"
    name = turn.identity.name
    turn.remember(
        MemoryKind.DIALOGUE,
        f'{asker} said to {name}: "{event.question}" {name} answered: "{event.answer}"',
        cause=cause,
        subject=subject_of_persona(event.persona),
        perceived=True,
    )


def _first_thing(turn: Turn, resolution: Resolution) -> FirstThing:
    return FirstThing(
        description=resolution.deed,
        place=place_decided(turn, resolution.place),
        ticks=turn.constants.calendar.ticks_of(minutes=resolution.minutes_now),
    )


def _weighable(turn: Turn, told: Intervention, event: ObservationGiven) -> Weighable:
    """Return the observation as something to weigh: of a person in view, or of itself."""
    other = turn.view.agent_named_by(event.text)
    sentence = event.text.rstrip(".")
    if not other:
        observed = Observed(sentence=sentence, is_alarming=is_alarming(sentence))
        return Weighable(subject=told.place, observed=observed, source=told.place)
    observed = Observed(
        sentence=sentence,
        name=name_of(turn, other),
        may_talk=turn.view.is_in_view(other) and is_free(turn, other),
        last_talk=last_talk_in_words(turn, other),
        minutes_since_talk=minutes_since_talk(turn, other),
        is_alarming=is_alarming(sentence),
    )
    return Weighable(subject=other, observed=observed, source=told.place)
