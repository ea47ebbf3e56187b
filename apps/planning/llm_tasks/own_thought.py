"""LLM task: the thought and the decision of an agent after an inner voice (U2)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import agent_variables, day_variables, status_text
from apps.kernel.language import phrase
from apps.kernel.text import clip
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.checks import require_text
from apps.llm.answers.decisions import Fact
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data, data_list, game_time
from apps.llm.task import LLMTask
from apps.memory.llm_tasks.importance import DATED, importance_field
from apps.planning.checks import require_activity
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks.plan_input import PLACES

THOUGHT_CHARACTERS_MAX = 600
DEED_CHARACTERS_MAX = 300
MINUTES_NOW_MAX = 240
NOT_SAID = ""


class OwnThought(TaskAnswer):
    """The thought and the decision of the agent."""

    thought: str = Field(
        min_length=1,
        max_length=THOUGHT_CHARACTERS_MAX,
        description="the same in whole sentences in the third person with the full name, such "
        'as "John Lin is going to run for mayor in the upcoming election"; '
        f"{DATED}",
    )
    deed: str = Field(
        max_length=DEED_CHARACTERS_MAX,
        description='what the agent is to do, an infinitive without "to" and without its '
        'name, such as "run for mayor in the upcoming election"; "" where there is nothing '
        f"to do; {DATED}",
    )
    place: Annotated[str, OneOf(PLACES)] = Field(
        description='the known place or area where it is to be done, if that is said; "" if not'
    )
    minutes_now: int = Field(
        description="how many minutes of it are to be done at once; 0 when it is for later, or "
        "for a whole time to come"
    )
    importance: int = importance_field("of the thought")


def thought_as_given(inputs: OwnThoughtInput) -> OwnThought:
    """Return the voice as the thought, without a decision: the named fallback."""
    return OwnThought(
        thought=clip(
            phrase("{name} thought: {voice}", name=inputs.agent_name, voice=inputs.voice),
            THOUGHT_CHARACTERS_MAX,
        ),
        deed="",
        place="",
        minutes_now=0,
    )


def _options(inputs: OwnThoughtInput) -> Options:
    return {PLACES: (NOT_SAID, *inputs.known_places)}


def _variables(inputs: OwnThoughtInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.now.date(), inputs.agreements),
        "now": game_time(inputs.now),
        "status": data(status_text(inputs.status)),
        "places": data_list(inputs.known_places),
        "voice": data(inputs.voice),
    }


def _decision(answer: OwnThought) -> Iterator[Fact]:
    """Yield whether there is something to do, where, and whether at once; words are free."""
    yield "deed", bool(answer.deed.strip())
    yield "place", answer.place
    yield "now", answer.minutes_now > 0


def _check(inputs: OwnThoughtInput, answer: OwnThought) -> None:
    require_text(answer.thought, field="thought", meaning=phrase("the thought in a sentence"))
    if answer.deed.strip():
        require_activity(answer.deed, field="deed", agent_name=inputs.agent_name)
    if inputs.agent_name not in answer.thought:
        raise ValueError(
            phrase("say the thought in the third person, of {name}", name=inputs.agent_name)
        )


OWN_THOUGHT = LLMTask(
    name="planning.own_thought",
    template=task_templates("planning/own_thought", trusted={"agent_name", "date", "now"}),
    input_type=OwnThoughtInput,
    answer_type=OwnThought,
    variables=_variables,
    fallback=thought_as_given,
    decision=_decision,
    check=_check,
    options=_options,
    numbers=lambda _: {"minutes_now": (0, MINUTES_NOW_MAX)},
)
