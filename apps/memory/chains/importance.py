"""Chain: from the descriptions of new memories to how much each matters (M3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, number
from apps.llm.wording import Wording
from apps.memory.rules import FALLBACK_IMPORTANCE, IMPORTANCE_MAX, IMPORTANCE_MIN

Rating = Annotated[int, Field(ge=IMPORTANCE_MIN, le=IMPORTANCE_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemories:
    """What the chain is given: who remembers, in a few words, and what."""

    agent_name: str
    who: str
    descriptions: tuple[str, ...]


class Importances(BaseModel):
    """What the model must answer: one rating for each memory, in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    importances: tuple[Rating, ...] = Field(
        description="the poignancy of each memory, in the order they were given"
    )


def middling_importance(given: NewMemories) -> Importances:
    """Rate each memory a little above the mundane."""
    return Importances(importances=(FALLBACK_IMPORTANCE,) * len(given.descriptions))


def _fills(given: NewMemories) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "who": data(given.who),
        "memories": data_list(given.descriptions),
        "count": number(len(given.descriptions)),
    }


def _check(given: NewMemories, answer: Importances) -> None:
    asked, answered = len(given.descriptions), len(answer.importances)
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
    given=NewMemories,
    answer=Importances,
    fills=_fills,
    fallback=middling_importance,
    check=_check,
)
