"""LLM task: the importance of new memories (M3)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, number
from apps.llm.wording import Wording
from apps.memory.inputs import ImportanceInput
from apps.memory.rules import FALLBACK_IMPORTANCE, IMPORTANCE_MAX, IMPORTANCE_MIN

Rating = Annotated[int, Field(ge=IMPORTANCE_MIN, le=IMPORTANCE_MAX)]


class Importances(BaseModel):
    """One rating for each memory, in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    importances: tuple[Rating, ...] = Field(
        description="the poignancy of each memory, in the order they were given"
    )


def middling_importance(given: ImportanceInput) -> Importances:
    """Return a rating a little above the mundane for each: the named fallback."""
    return Importances(importances=(FALLBACK_IMPORTANCE,) * len(given.memories))


def _variables(given: ImportanceInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "who": data(", ".join((f"{given.age} years old", *given.traits))),
        "memories": data_list(memory.description for memory in given.memories),
        "count": number(len(given.memories)),
    }


def _check(given: ImportanceInput, answer: Importances) -> None:
    asked, answered = len(given.memories), len(answer.importances)
    if asked != answered:
        raise ValueError(
            f"there are {asked} memories and you gave {answered} numbers: give exactly {asked}"
        )


IMPORTANCE = Chain(
    name="memory.importance",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "importance.md",
        trusted={"agent_name", "count"},
        data={"who", "memories"},
    ),
    given=ImportanceInput,
    answer=Importances,
    fills=_variables,
    fallback=middling_importance,
    check=_check,
)
