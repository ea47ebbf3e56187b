"""LLM task: the importance of new memories (M3)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from apps.kernel.language import phrase
from apps.llm.answers.answer_options import INSTEAD, Incidental
from apps.llm.answers.decisions import Fact
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, agent_name, data, data_list, number
from apps.llm.task import LLMTask
from apps.memory.items import ImportanceInput
from apps.memory.rules import FALLBACK_IMPORTANCE, IMPORTANCE_MAX, IMPORTANCE_MIN

# The text is stored word for word and read on other days.
DATED = 'dates and times in full, never words such as "tonight" or "tomorrow"'


ANCHORS = (2, 5, 8)
"""The ratings of the examples in `importance_field`."""
Rating = Annotated[
    int, Field(ge=IMPORTANCE_MIN, le=IMPORTANCE_MAX), Incidental(FALLBACK_IMPORTANCE)
]


def importance_field(of_what: str, *, has_examples: bool = True) -> int:
    """Return the field of an answer that rates a memory where it is created (ADR 30).

    It has a default, so that an answer without it is not asked again. An answer with several
    ratings has the examples once.
    """
    meaning = (
        f"the poignancy {of_what} to the person, from 1 for the purely mundane to 10 for the "
        "extremely poignant: 2 for cleaning up the room, 5 for news to tell at home, 8 for "
        "asking one's crush out on a date"
    )
    field: int = Field(
        default=FALLBACK_IMPORTANCE,
        ge=IMPORTANCE_MIN,
        le=IMPORTANCE_MAX,
        description=meaning if has_examples else "its poignancy, from 1 to 10",
        json_schema_extra={INSTEAD: FALLBACK_IMPORTANCE},
    )
    return field


class Importances(TaskAnswer):
    """One rating for each memory, in their order."""

    importances: tuple[Rating, ...] = Field(
        description="the poignancy of each memory, in the order they were given"
    )


def middling_importance(inputs: ImportanceInput) -> Importances:
    """Return FALLBACK_IMPORTANCE for each memory: the named fallback."""
    return Importances(importances=(FALLBACK_IMPORTANCE,) * len(inputs.memories))


def _variables(inputs: ImportanceInput) -> Mapping[str, PromptValue]:
    age = phrase("{years} years old", years=inputs.age)
    return {
        "agent_name": agent_name(inputs.agent_name),
        "who": data("\n".join((", ".join((age, *inputs.traits)), *inputs.lasting))),
        "memories": data_list(memory.description for memory in inputs.memories),
        "anchors": data_list(f"{one.importance} = {one.description}" for one in inputs.anchors),
        "count": number(len(inputs.memories)),
    }


def _decision(answer: Importances) -> Iterator[Fact]:
    """Yield for each memory the anchor that its rating is nearest to.

    Two evaluators rarely give the same number of ten; the anchors are those of the field.
    """
    for place, rating in enumerate(answer.importances, start=1):
        yield "memory", place, min(ANCHORS, key=lambda anchor: abs(anchor - rating))


def _check(inputs: ImportanceInput, answer: Importances) -> None:
    memories, ratings = len(inputs.memories), len(answer.importances)
    if memories != ratings:
        raise ValueError(
            phrase(
                "there are {memories} memories and you gave {ratings} numbers: give exactly "
                "{memories}",
                memories=memories,
                ratings=ratings,
            )
        )


IMPORTANCE = LLMTask(
    name="memory.importance",
    template=task_templates("memory/importance", trusted={"agent_name", "count"}),
    input_type=ImportanceInput,
    answer_type=Importances,
    variables=_variables,
    fallback=middling_importance,
    decision=_decision,
    check=_check,
    lengths=lambda inputs: {"importances": (len(inputs.memories), len(inputs.memories))},
)
