"""LLM task: the answer of an agent in an interview (U1)."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from apps.agents.phrases import agent_variables, day_variables, planned_time_text, status_text
from apps.agents.status import PlannedTime
from apps.interaction.inputs import InterviewInput
from apps.kernel.language import noted, phrase
from apps.llm.answers.checks import require_text
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, clock, data, data_list, game_time
from apps.llm.task import LLMTask
from apps.memory.prompt_lines import memory_texts

ANSWER_CHARACTERS_MAX = 2_000
# The trusted placeholders of the templates of interviews.
TRUSTED = frozenset({"agent_name", "date", "wake", "bed", "now"})

# Phrases of the task, besides its prompt template.
NO_ANSWER = noted("I'm sorry, I don't know what to say to that.")
NO_WORKPLACE = noted("no place in particular")
NOT_KNOWN = noted("(not known)")
STATUS_LEFT = noted("{name} has left")


class InterviewAnswer(TaskAnswer):
    """The answer of the agent."""

    answer: str = Field(
        min_length=1,
        max_length=ANSWER_CHARACTERS_MAX,
        description="the spoken words and nothing else, in the first person: as a rule one to "
        "five sentences",
    )


def nothing_to_say(_: InterviewInput) -> InterviewAnswer:
    """Return an answer without content: the named fallback."""
    return InterviewAnswer(answer=phrase(NO_ANSWER))


def interview_variables(inputs: InterviewInput) -> Mapping[str, PromptValue]:
    """Return the variables that the templates of all interviews have."""
    lasting = (*inputs.summary.lasting.sentences, *inputs.summary.lasting.relationships)
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.now.date(), inputs.plans, inputs.agreements),
        "home": data(inputs.home),
        "workplace": data(inputs.workplace or phrase(NO_WORKPLACE)),
        "wake": clock(inputs.wake_minute),
        "bed": clock(inputs.bed_minute),
        "now": game_time(inputs.now),
        "place": data(inputs.place or phrase(NOT_KNOWN)),
        "status": data(_status(inputs)),
        "spent": data_list(_spent(one, inputs.now) for one in inputs.spent),
        "lasting": data_list(lasting),
        "memories": data_list(memory_texts(inputs.memories, besides=lasting)),
        "earlier": data_list(
            (*memory_texts(inputs.earlier), *filter(None, [inputs.question_before]))
        ),
        "persona": data(inputs.persona),
        "question": data(inputs.question),
    }


def _status(inputs: InterviewInput) -> str:
    if inputs.status is None:
        return phrase(NOT_KNOWN)
    if not inputs.place:
        return phrase(STATUS_LEFT, name=inputs.agent_name)
    return status_text(inputs.status)


def _spent(spent: PlannedTime, now: datetime) -> str:
    activity = planned_time_text(spent)
    if spent.starts.date() == now.date():
        return phrase("today, {activity}", activity=activity)
    return phrase("yesterday, {activity}", activity=activity)


def require_spoken_words(answer: InterviewAnswer) -> None:
    """Check that there are words.

    :raises ValueError: if there are none; the message is for the model.
    """
    require_text(answer.answer, field="answer", meaning=phrase("the words that are spoken"))


def _check(_: InterviewInput, answer: InterviewAnswer) -> None:
    require_spoken_words(answer)


ANSWER = LLMTask(
    name="interview.answer",
    template=task_templates("interaction/answer", trusted=TRUSTED),
    input_type=InterviewInput,
    answer_type=InterviewAnswer,
    variables=interview_variables,
    fallback=nothing_to_say,
    check=_check,
)
