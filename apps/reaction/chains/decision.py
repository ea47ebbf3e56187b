"""Chain: from what a person has just perceived to whether they go on or react (X1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import (
    PromptValue,
    Trusted,
    agent_name,
    data,
    data_list,
    game_time,
    joined,
    sentence,
)
from apps.llm.wording import Wording

ACTIVITY_CHARACTERS_MAX = 300
MINUTES_MAX = 240

Choice = Literal["go on", "talk", "act"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Something that was just perceived, as a sentence.

    `name` is a person's, "" for anything else; `may_talk` says that they are free to be
    spoken to; `last_talk` how long ago and about what the two last talked, "" if never;
    `minutes_since_talk` the same in figures; `is_alarming` is true of fire and flood;
    `is_obstacle` of what keeps the person from what they are about to do.
    """

    sentence: str
    name: str = ""
    may_talk: bool = False
    last_talk: str = ""
    minutes_since_talk: int | None = None
    is_alarming: bool = False
    is_obstacle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentToJudge:
    """What is known when a person has perceived something.

    `now` is the game time in words, `place` where they are; `status` a sentence on what they
    are doing and until when; `next_plans` what comes after it, in words, in order;
    `known_places` are paths that may be gone to; `memories` are what comes to mind of the
    observed, best first.
    """

    agent_name: str
    summary: str
    now: str
    place: str
    status: str
    next_plans: tuple[str, ...]
    observed: tuple[Observed, ...]
    memories: tuple[str, ...]
    known_places: tuple[str, ...]

    @property
    def may_be_talked_to(self) -> tuple[str, ...]:
        """The names of those that the person may speak to."""
        return tuple(seen.name for seen in self.observed if seen.may_talk)


class Decision(BaseModel):
    """Whether the person goes on, and if not, what they do."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choice: Choice = Field(
        description='"go on" with what is being done, "talk" to somebody, or "act": do '
        "something else now"
    )
    observation: int = Field(description="the number of the observation that it is about")
    what: str = Field(
        max_length=ACTIVITY_CHARACTERS_MAX,
        description='for "talk": what the person wants to say or ask, such as "invite Klaus '
        'Mueller to the party"; for "act": what is done, an infinitive without "to", such as '
        '"turn off the stove"; "" to go on',
    )
    place: str = Field(
        description='for "act": the known place or area where it is done; "" for here'
    )
    minutes: int = Field(description='for "act": how long it takes; 0 otherwise')


def go_on(_: MomentToJudge) -> Decision:
    """Let the person go on with their plan: the named fallback."""
    return Decision(choice="go on", observation=1, what="", place="", minutes=0)


def _fills(given: MomentToJudge) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "now": game_time(given.now),
        "place": data(given.place),
        "status": data(given.status),
        "next_plans": data_list(given.next_plans),
        "observed": data_list(_observed_in_words(seen) for seen in given.observed),
        "memories": data_list(given.memories),
        "places": data_list(given.known_places),
        "free": _free(given),
    }


def _observed_in_words(seen: Observed) -> str:
    return f"{seen.sentence}. {seen.last_talk}".rstrip() if seen.last_talk else seen.sentence


def _free(given: MomentToJudge) -> Trusted:
    names = given.may_be_talked_to
    if not names:
        return sentence("Nobody here is free to be spoken to.")
    return sentence("Free to be spoken to: {names}.", names=joined(map(agent_name, names)))


def _check(given: MomentToJudge, answer: Decision) -> None:
    if not 1 <= answer.observation <= len(given.observed):
        raise ValueError(
            f"there are observations 1 to {len(given.observed)}, none has the number "
            f"{answer.observation}"
        )
    if answer.choice == "talk":
        free = ", ".join(given.may_be_talked_to) or "nobody"
        if not given.observed[answer.observation - 1].may_talk:
            raise ValueError(
                f'"talk" is only possible with {free}: give the number of their observation, '
                "or another choice"
            )
    if answer.choice != "go on" and not answer.what.strip():
        raise ValueError(
            f'say what {given.agent_name} wants to {answer.choice} about, in "what"'
        )


DECISION = Chain(
    name="reaction.decision",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "decision.md",
        trusted={"agent_name", "now", "free"},
        data={"summary", "place", "status", "next_plans", "observed", "memories", "places"},
    ),
    given=MomentToJudge,
    answer=Decision,
    fills=_fills,
    fallback=go_on,
    check=_check,
)
