"""Chain: from a conversation that is over to what a person takes from it (D3, R4)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.dialogue.chains.utterance import Line, spoken_lines
from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time
from apps.llm.wording import Wording

LEARNT_MAX = 4
COMMITMENTS_MAX = 3
SENTENCE_CHARACTERS_MAX = 400
_CLOCK = re.compile(r"^([01]?\d|2[0-4]):[0-5]\d$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationToDigest:
    """A conversation that is over, as one of the two looks back on it.

    `now` is the game time in words and `today` its date, "2023-02-13"; `place` is where
    they talked; `lines` are all that was said, in order.
    """

    agent_name: str
    other_name: str
    summary: str
    now: str
    today: str
    place: str
    lines: tuple[Line, ...]


class Learnt(BaseModel):
    """Something that the other one told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description="a whole sentence in the third person that names who told whom what, with "
        "names, places, dates and times instead of I, here or tomorrow",
    )
    line: int = Field(description="the number of the line in which it was told")


class Commitment(BaseModel):
    """Something that the person agreed to do at a time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    activity: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='an infinitive without "to" and without the person, such as "come to '
        "Isabella Rodriguez's party\"",
    )
    place: str = Field(description='where, as it was called; "" if nowhere was named')
    date: str = Field(description='the date, such as "2023-02-14"')
    starts: str = Field(description='when it begins, on a 24-hour clock, such as "17:00"')
    ends: str = Field(description='when it ends, such as "19:00"')


class Takeaways(BaseModel):
    """What a person takes from a conversation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    gist: str = Field(
        min_length=1,
        max_length=SENTENCE_CHARACTERS_MAX,
        description="one sentence in the third person, with both names: what they talked about",
    )
    learnt: tuple[Learnt, ...] = Field(
        description=f"what the other one told that was not known before, at most {LEARNT_MAX}"
    )
    agreed: tuple[Commitment, ...] = Field(
        description="what the person themself agreed to do at a time, at most "
        f"{COMMITMENTS_MAX}; nothing that was only offered or asked"
    )
    declined: tuple[str, ...] = Field(
        description="what the person was asked to and said no to, infinitives"
    )
    about_other: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='what the person now thinks of the other, one sentence; "" if nothing new',
    )
    for_plans: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='what it means for the person\'s own plans, one sentence; "" if nothing',
    )


def only_that_they_talked(given: ConversationToDigest) -> Takeaways:
    """Remember that the two talked, and nothing else: the named fallback."""
    return Takeaways(
        gist=f"{given.agent_name} talked with {given.other_name}",
        learnt=(),
        agreed=(),
        declined=(),
        about_other="",
        for_plans="",
    )


def minutes_of(clock: str) -> int | None:
    """Return "17:30" as minutes after midnight, None if it is no time of day."""
    if not _CLOCK.match(clock.strip()):
        return None
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def _fills(given: ConversationToDigest) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "other_name": agent_name(given.other_name),
        "summary": data(given.summary),
        "now": game_time(given.now),
        "today": game_time(given.today),
        "place": data(given.place),
        "said": data_list(spoken_lines(given.lines)),
    }


def _check(given: ConversationToDigest, answer: Takeaways) -> None:
    """Ask again for what could not be understood later: dates and times that are none."""
    if not answer.gist.strip():
        raise ValueError(f"say what {given.agent_name} and {given.other_name} talked about")
    for commitment in answer.agreed[:COMMITMENTS_MAX]:
        try:
            date.fromisoformat(commitment.date)
        except ValueError:
            raise ValueError(
                'give the date as YYYY-MM-DD such as "2023-02-14", not '
                f"{commitment.date[:20]!r}"
            ) from None
        for clock in (commitment.starts, commitment.ends):
            if minutes_of(clock) is None:
                raise ValueError(f'give times as HH:MM such as "17:00", not {clock[:20]!r}')


TAKEAWAYS = Chain(
    name="dialogue.takeaways",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "takeaways.md",
        trusted={"agent_name", "other_name", "now", "today"},
        data={"summary", "place", "said"},
    ),
    given=ConversationToDigest,
    answer=Takeaways,
    fills=_fills,
    fallback=only_that_they_talked,
    check=_check,
)
