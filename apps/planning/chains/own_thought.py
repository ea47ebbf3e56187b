"""Chain: from an inner voice to the thought that a person has, and what they resolve (U2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, game_time
from apps.llm.wording import Wording

THOUGHT_CHARACTERS_MAX = 600
DEED_CHARACTERS_MAX = 300
MINUTES_NOW_MAX = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceHeard:
    """What is known when a person hears their inner voice.

    `now` is the game time in words, `status` a sentence on what they are doing; `voice` is
    what it says, mostly in the second person.
    """

    agent_name: str
    summary: str
    now: str
    status: str
    voice: str


class OwnThought(BaseModel):
    """The voice's words as the person's own thought."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    thought: str = Field(
        min_length=1,
        max_length=THOUGHT_CHARACTERS_MAX,
        description="the same in whole sentences in the third person with the full name, such "
        'as "John Lin is going to run for mayor in the upcoming election"',
    )
    deed: str = Field(
        max_length=DEED_CHARACTERS_MAX,
        description='what the person is to do, an infinitive without "to" and without their '
        'name, such as "run for mayor in the upcoming election"; "" where there is nothing '
        "to do",
    )
    place: str = Field(description='where, if that is said; "" if not')
    minutes_now: int = Field(
        description="how many minutes of it are to be done at once; 0 when it is for later, or "
        "for a whole time to come"
    )


def thought_as_given(given: VoiceHeard) -> OwnThought:
    """Let the person have thought the very words, and resolve nothing: the named fallback."""
    return OwnThought(
        thought=f"{given.agent_name} thought to themself: {given.voice}"[
            :THOUGHT_CHARACTERS_MAX
        ],
        deed="",
        place="",
        minutes_now=0,
    )


def _fills(given: VoiceHeard) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "now": game_time(given.now),
        "status": data(given.status),
        "voice": data(given.voice),
    }


def _check(given: VoiceHeard, answer: OwnThought) -> None:
    if given.agent_name not in answer.thought:
        raise ValueError(f"say the thought in the third person, of {given.agent_name}")


OWN_THOUGHT = Chain(
    name="planning.own_thought",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "own_thought.md",
        trusted={"agent_name", "now"},
        data={"summary", "status", "voice"},
    ),
    given=VoiceHeard,
    answer=OwnThought,
    fills=_fills,
    fallback=thought_as_given,
    check=_check,
)
