"""What a turn may ask of reaction: whether what was perceived changes what the person does."""

from dataclasses import dataclass

from apps.llm.mind import Mind
from apps.reaction.chains.decision import DECISION, MINUTES_MAX, Decision, MomentToJudge

MINUTES_DEFAULT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What a person decides to do instead of going on, and about which observation.

    `observation` counts from 0; `what` is an intent or an infinitive; `place` is in words,
    "" for here.
    """

    is_talk: bool
    observation: int
    what: str
    place: str
    minutes: int


def weigh(mind: Mind, moment: MomentToJudge) -> Reaction | None:
    """Return how the person reacts, None to go on (X1)."""
    answer = mind.ask(DECISION, moment)
    if answer.choice == "go on":
        return None
    return Reaction(
        is_talk=answer.choice == "talk",
        observation=answer.observation - 1,
        what=" ".join(answer.what.split()).rstrip("."),
        place=" ".join(answer.place.split()),
        minutes=_minutes(answer),
    )


def _minutes(answer: Decision) -> int:
    return min(answer.minutes, MINUTES_MAX) if answer.minutes > 0 else MINUTES_DEFAULT
