"""What the three chains of a summary description have in common: statements in, prose out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data_list, game_time
from apps.llm.wording import Wording
from apps.self_summary.rules import SUMMARY_CHARACTERS_MAX

FALLBACK_STATEMENTS_MAX = 2
_PROMPTS = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """What the chain is given: what came to mind of the person, best first, at least one.

    `now` is the game time in words.
    """

    agent_name: str
    now: str
    statements: tuple[str, ...]


class Summary(BaseModel):
    """What the model must answer: a few sentences."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    summary: str = Field(
        min_length=1,
        max_length=SUMMARY_CHARACTERS_MAX,
        description="a few plain sentences in the third person",
    )


def first_statements(given: Statements) -> Summary:
    """Let the best statements stand for the summary, word for word."""
    told = ". ".join(
        " ".join(statement.split()).rstrip(". ")
        for statement in given.statements[:FALLBACK_STATEMENTS_MAX]
    )
    return Summary(summary=f"{told[: SUMMARY_CHARACTERS_MAX - 1]}.")


def summary_chain(noun: str) -> Chain[Statements, Summary]:
    """Return the chain "self_summary.<noun>", worded in prompts/<noun>.md."""
    return Chain(
        name=f"self_summary.{noun}",
        wording=Wording.load(
            _PROMPTS / f"{noun}.md", trusted={"agent_name", "now"}, data={"statements"}
        ),
        given=Statements,
        answer=Summary,
        fills=_fills,
        fallback=first_statements,
        check=_check,
    )


def _fills(given: Statements) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "now": game_time(given.now),
        "statements": data_list(given.statements),
    }


def _check(given: Statements, answer: Summary) -> None:
    if not answer.summary.strip():
        raise ValueError(f"the summary is blank: say what is known of {given.agent_name}")
