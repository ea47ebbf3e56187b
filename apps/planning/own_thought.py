"""What a thought that came as an inner voice means to a person, and what they resolve (U2)."""

from dataclasses import dataclass

from apps.llm.mind import Mind
from apps.planning.chains.own_thought import (
    MINUTES_NOW_MAX,
    OWN_THOUGHT,
    VoiceHeard,
)
from apps.planning.words import plain_activity


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """A thought in the third person and what the person has decided to do, if anything.

    `deed` is an infinitive, "" where there is nothing to do; `minutes_now` says how many
    minutes of it come at once, 0 for later; `place` is in words, "" for here.
    """

    name: str
    thought: str
    deed: str
    place: str
    minutes_now: int

    @property
    def in_words(self) -> str:
        """The decision in a sentence, or the thought where there is none.

        What is done at once says so: nobody need find time for it later.
        """
        if not self.deed:
            return self.thought
        return f"{self.name} has decided to {self.deed}{' at once' * bool(self.minutes_now)}"


def take_to_heart(
    mind: Mind, *, name: str, summary: str, now: str, status: str, voice: str
) -> Resolution:
    """Return what the person thinks and decides; asks once."""
    answer = mind.ask(
        OWN_THOUGHT,
        VoiceHeard(agent_name=name, summary=summary, now=now, status=status, voice=voice),
    )
    said = " ".join(answer.deed.split())
    deed = plain_activity(name, said, default="") if said else ""
    return Resolution(
        name=name,
        thought=" ".join(answer.thought.split()).rstrip("."),
        deed=deed,
        place=" ".join(answer.place.split()),
        minutes_now=max(0, min(answer.minutes_now, MINUTES_NOW_MAX)) if deed else 0,
    )
