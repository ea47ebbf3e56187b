"""LLM task: what the state of an object prevents, and how it ends (U3, W5)."""

from collections.abc import Iterator, Mapping

from pydantic import Field

from apps.agents.phrases import object_text
from apps.kernel.language import phrase
from apps.llm.answers.decisions import Fact
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, data
from apps.llm.task import LLMTask
from apps.reaction.events import StateJudged
from apps.reaction.inputs import Prevented, StateInput

REMEDY_CHARACTERS_MAX = 120


class JudgedState(TaskAnswer):
    """What the state prevents, and how it ends."""

    prevents: Prevented = Field(
        description='"use" if nobody can use the object for what it is for, "use by others" if '
        'only those who live or work there can, "nothing" if it can be used all the same'
    )
    ends_by_itself: bool = Field(
        description="true if it is over after a while without an act of those who want to use "
        "the object, such as when somebody else is using it"
    )
    remedy: str = Field(
        max_length=REMEDY_CHARACTERS_MAX,
        description='what ends it, an infinitive without "to" that names the object, such as '
        '"refill the refrigerator"; "" where it prevents nothing or ends by itself',
    )

    @property
    def needs_act(self) -> bool:
        """Whether somebody has to end the state before the object can be used."""
        return self.prevents is not Prevented.NOTHING and not self.ends_by_itself


def prevents_nothing(_: StateInput) -> JudgedState:
    """Return that the object can be used: the named fallback."""
    return JudgedState(prevents=Prevented.NOTHING, ends_by_itself=False, remedy="")


def _variables(inputs: StateInput) -> Mapping[str, PromptValue]:
    return {
        "state": data(object_text(inputs.name, inputs.state)),
        "place": data(inputs.place),
    }


def _decision(answer: JudgedState) -> Iterator[Fact]:
    """Yield what it prevents and whether it ends by itself; words are free."""
    yield "prevents", answer.prevents
    if answer.prevents is not Prevented.NOTHING:
        yield "ends_by_itself", answer.ends_by_itself


def _check(_inputs: StateInput, answer: JudgedState) -> None:
    if answer.needs_act and not answer.remedy.strip():
        raise ValueError(phrase("say in remedy what ends the state"))


STATE = LLMTask(
    name="reaction.state",
    template=task_templates("reaction/state", trusted=set()),
    input_type=StateInput,
    answer_type=JudgedState,
    variables=_variables,
    fallback=prevents_nothing,
    decision=_decision,
    check=_check,
)


def judge_state(llm: AgentLLM, path: str, inputs: StateInput) -> StateJudged:
    """Return what the state of the object of the path prevents (one call)."""
    answer = llm.ask(STATE, inputs)
    return StateJudged(
        object=path,
        state=inputs.state,
        prevents=answer.prevents,
        ends_by_itself=answer.ends_by_itself,
        remedy=in_one_line(answer.remedy) if answer.needs_act else "",
    )
