"""The decision of an agent to go on or to react to an observation (X1)."""

from dataclasses import dataclass

from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks.decision import DECISION, MINUTES_MAX, Choice

MINUTES_DEFAULT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A decision to react, now or later: to talk, to open the door, or to do something else.

    `observation` counts from 0; `what` is an intent or an infinitive; `say` are the words that
    are spoken at once, and `ends` whether they want no answer; `place` is a path, "" for here.
    """

    choice: Choice
    observation: int
    what: str
    say: str
    ends: bool
    place: str
    minutes: int


def decide_reaction(llm: AgentLLM, inputs: DecisionInput) -> Reaction | None:
    """Return the reaction of the agent, None if it goes on (X1)."""
    answer = llm.ask(DECISION, inputs)
    if answer.choice == "go on":
        return None
    return Reaction(
        choice=answer.choice,
        observation=answer.observation - 1,
        what=in_one_line(answer.what) or in_one_line(answer.say),
        say=in_one_line(answer.say),
        ends=answer.ends,
        place=answer.place,
        minutes=min(answer.minutes, MINUTES_MAX) if answer.minutes > 0 else MINUTES_DEFAULT,
    )
