"""Chain: from what a person knows, wants and has just heard to what they say (D1, D4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.dialogue.rules import UTTERANCE_CHARACTERS_MAX
from apps.llm.chain import Chain
from apps.llm.prompt_values import (
    PromptValue,
    Trusted,
    agent_name,
    data,
    data_list,
    game_time,
    sentence,
)
from apps.llm.wording import Wording

FAREWELL = "Sorry, I have to go. See you later!"
OPENING = "Hi {name}, how is it going?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One utterance of a conversation: by whom (a name) and what."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnToSpeak:
    """What is known when a person is about to say something to another.

    `now` is the game time in words; `status` and `other_status` are sentences ("Klaus
    Mueller is reading"); `intent` is why the person speaks to the other, "" for whoever was
    spoken to; `plans` are the hours that the person has planned from now on, the current one
    first; `last_talk` is how long ago and about what the two last talked, "" if never;
    `memories` are about the other and about what is being said, best first; `lines` are what
    was said so far, nothing when the person opens; `utterances_left` counts those that the
    conversation may still have, this one included.
    """

    agent_name: str
    other_name: str
    summary: str
    now: str
    place: str
    status: str
    other_status: str
    intent: str
    plans: tuple[str, ...]
    last_talk: str
    memories: tuple[str, ...]
    lines: tuple[Line, ...]
    utterances_left: int


class Utterance(BaseModel):
    """What is said."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    utterance: str = Field(
        max_length=UTTERANCE_CHARACTERS_MAX,
        description="the words that are spoken, nothing else: one to three sentences",
    )
    ends: bool = Field(
        description="true if the conversation is over with these words: no reply is waited for"
    )


def brief_words(given: TurnToSpeak) -> Utterance:
    """Open with a greeting, end what was begun politely: the named fallback."""
    if not given.lines:
        first_name = given.other_name.partition(" ")[0]
        return Utterance(utterance=OPENING.format(name=first_name), ends=False)
    return Utterance(utterance=FAREWELL, ends=True)


def spoken_lines(lines: Sequence[Line]) -> list[str]:
    """Return a conversation with the speaker of each line."""
    return [f"{line.speaker}: {line.text}" for line in lines]


def _fills(given: TurnToSpeak) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "other_name": agent_name(given.other_name),
        "summary": data(given.summary),
        "now": game_time(given.now),
        "place": data(given.place),
        "status": data(given.status),
        "other_status": data(given.other_status),
        "plans": data_list(given.plans),
        "last_talk": data(given.last_talk or "The two have not talked before."),
        "memories": data_list(given.memories),
        "said": data_list(spoken_lines(given.lines)),
        "intent": data("" if given.lines else given.intent or "greet"),
        "task": _task(given),
    }


def _task(given: TurnToSpeak) -> Trusted:
    """Return the one thing that is asked."""
    task = "What does {name} say to {other} next?"
    if not given.lines:
        task = "What does {name} say to {other} first, with this in mind?"
    elif given.utterances_left <= 2:
        task = "It is time to come to an end. What does {name} say to {other} last?"
    return sentence(task, name=agent_name(given.agent_name), other=agent_name(given.other_name))


def _check(_: TurnToSpeak, answer: Utterance) -> None:
    if not answer.utterance.strip():
        raise ValueError("the utterance is blank: give the words that are spoken")


UTTERANCE = Chain(
    name="dialogue.utterance",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "utterance.md",
        trusted={"agent_name", "other_name", "now", "task"},
        data={
            "summary",
            "place",
            "status",
            "other_status",
            "plans",
            "last_talk",
            "memories",
            "said",
            "intent",
        },
    ),
    given=TurnToSpeak,
    answer=Utterance,
    fills=_fills,
    fallback=brief_words,
    check=_check,
)
