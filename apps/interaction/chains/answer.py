"""Chain: from what a person knows and plans to what they answer in an interview (U1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time
from apps.llm.wording import Wording
from apps.planning.offers import MINUTES_PER_DAY, spoken_minute

ANSWER_CHARACTERS_MAX = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTime:
    """What a person has planned for a time of the day; minutes count from its midnight."""

    from_minute: int
    to_minute: int
    activity: str
    place: str


SLEEPING = "sleeping"
"""The activity of whoever is asleep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentTime:
    """What a person did for a time and where; yesterday's minutes lie below 0."""

    from_minute: int
    to_minute: int
    activity: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """What is known when a person is asked something in an interview.

    `persona` is who asks, as the user has it: "a reporter". `now` is the game time in words,
    `status` a sentence on what the person is doing, "" where they must not know; `wake_minute`
    and `bed_minute` are their habits, in minutes after midnight; `home` and `workplace` are
    places in words, "" for none; `plans` are of today, in order; `spent` is how yesterday and
    today went so far, in order; `memories` are what comes to mind, best first; `earlier` is
    what the two have said before, as far as it is remembered.
    """

    agent_name: str
    summary: str
    wake_minute: int
    bed_minute: int
    home: str
    workplace: str
    persona: str
    now: str
    place: str
    status: str
    plans: tuple[PlannedTime, ...]
    spent: tuple[SpentTime, ...]
    memories: tuple[str, ...]
    earlier: tuple[str, ...]
    question: str


class InterviewAnswer(BaseModel):
    """What the person answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    answer: str = Field(
        min_length=1,
        max_length=ANSWER_CHARACTERS_MAX,
        description="the spoken words and nothing else, in the first person: as a rule one to "
        "five sentences",
    )


def nothing_to_say(_: QuestionAsked) -> InterviewAnswer:
    """Say that one has no answer, and invent none: the named fallback."""
    return InterviewAnswer(answer="I'm sorry, I don't know what to say to that.")


def _fills(given: QuestionAsked) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "home": data(given.home),
        "workplace": data(given.workplace or "no place in particular"),
        "wake": game_time(spoken_minute(given.wake_minute)),
        "bed": game_time(spoken_minute(given.bed_minute)),
        "now": game_time(given.now),
        "place": data(given.place),
        "status": data(given.status or "(not known)"),
        "plans": data_list(
            f"{spoken_minute(plan.from_minute)} to {spoken_minute(plan.to_minute)}: "
            f"{plan.activity} ({plan.place})"
            for plan in given.plans
        ),
        "spent": data_list(_spent(one) for one in given.spent),
        "memories": data_list(given.memories),
        "earlier": data_list(given.earlier),
        "persona": data(given.persona),
        "question": data(given.question),
    }


def _spent(spent: SpentTime) -> str:
    day = "yesterday" if spent.from_minute < 0 else "today"
    begins, ends = (
        spoken_minute(minute % MINUTES_PER_DAY)
        for minute in (spent.from_minute, spent.to_minute)
    )
    return f"{day}, {begins} to {ends}: {spent.activity} ({spent.place})"


def _check(_: QuestionAsked, answer: InterviewAnswer) -> None:
    if not answer.answer.strip():
        raise ValueError("the answer is blank: give the words that are spoken")


ANSWER = Chain(
    name="interview.answer",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "answer.md",
        trusted={"agent_name", "wake", "bed", "now"},
        data={
            "summary",
            "home",
            "workplace",
            "place",
            "status",
            "plans",
            "spent",
            "memories",
            "earlier",
            "persona",
            "question",
        },
    ),
    given=QuestionAsked,
    answer=InterviewAnswer,
    fills=_fills,
    fallback=nothing_to_say,
    check=_check,
)
