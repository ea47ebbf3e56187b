"""Chain: from who a person is and what yesterday was to the day in broad strokes (P1, P3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import (
    PromptValue,
    Trusted,
    agent_name,
    data,
    data_list,
    game_time,
    number,
    sentence,
)
from apps.llm.wording import Wording
from apps.planning.offers import OfferedPlace, clock, spoken_minute
from apps.planning.words import minute_of_clock

HOUR = 60
# Up to so long after the waking hour the day is planned as one that begins.
MORNING_MINUTES = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class DayToOutline:
    """What is known when the day is outlined.

    Minutes count from the midnight on which `date` ("Monday, February 13, 2023") began and
    may pass 1,440; `wake_minute` is the usual waking hour; `home` and `workplace` are
    paths, `workplace` "" without one; the chunks asked for do not count the sleep.
    """

    agent_name: str
    summary: str
    yesterday: str
    memories: tuple[str, ...]
    date: str
    wake_minute: int
    now_minute: int
    bed_minute: int
    dinner_minute: int | None
    home: str
    workplace: str
    places: tuple[OfferedPlace, ...]
    chunks_min: int
    chunks_max: int


class OutlineChunk(BaseModel):
    """One broad stroke of the day."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    starts: str = Field(description='time of day on a 24-hour clock, such as "13:30"')
    minutes: int = Field(description="how long it lasts")
    activity: str = Field(
        description="what the person will do, an infinitive without their name, such as "
        '"have lunch and read the news"'
    )
    place: str = Field(description="one of the known places, written as it is listed")


class DayOutline(BaseModel):
    """The day in broad strokes, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    chunks: list[OutlineChunk] = Field(min_length=1)


def ordinary_day(given: DayToOutline) -> DayOutline:
    """Return a day such as anybody's: the named fallback."""
    work = given.workplace or given.home
    dinner = given.dinner_minute or 18 * HOUR
    strokes = (
        (given.now_minute, "wake up and complete the morning routine", given.home),
        (given.now_minute + HOUR, "go about the work of the day", work),
        (12 * HOUR, "have lunch", work),
        (13 * HOUR, "go on with the work of the day", work),
        (dinner, "have dinner", given.home),
        (dinner + HOUR, "spend a quiet evening at home", given.home),
        (given.bed_minute - HOUR // 2, "get ready for bed", given.home),
    )
    ahead = [stroke for stroke in strokes if given.now_minute <= stroke[0] < given.bed_minute]
    return DayOutline(
        chunks=[
            OutlineChunk(
                starts=clock(minute),
                minutes=HOUR,
                activity=activity,
                place=place,
            )
            for minute, activity, place in ahead or strokes[-1:]
        ]
    )


def _fills(given: DayToOutline) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "yesterday": data(given.yesterday or "(nothing is known of it)"),
        "memories": data_list(given.memories),
        "date": game_time(given.date),
        "now": _now(given),
        "bed": game_time(spoken_minute(given.bed_minute)),
        "dinner": _dinner(given.dinner_minute),
        "home": data(given.home),
        "places": data_list(place.in_words(given.agent_name) for place in given.places),
        "chunks_min": number(given.chunks_min),
        "chunks_max": number(given.chunks_max),
    }


def _dinner(minute: int | None) -> Trusted:
    if minute is None:
        return sentence("")
    return sentence(" Dinner is usually at {time}.", time=game_time(spoken_minute(minute)))


def _now(given: DayToOutline) -> Trusted:
    """Return the time of day and whether the whole day or only its rest is planned."""
    time = game_time(spoken_minute(given.now_minute))
    if given.now_minute - given.wake_minute < MORNING_MINUTES:
        name = agent_name(given.agent_name)
        return sentence("It is {time} and {name} has just woken up", time=time, name=name)
    return sentence(
        "It is {time}; what came before is past, and only the rest of the day is planned",
        time=time,
    )


def _check(_: DayToOutline, answer: DayOutline) -> None:
    """Ask again only for what tiling cannot mend: times that are no times."""
    unreadable = [
        chunk.starts for chunk in answer.chunks if minute_of_clock(chunk.starts) is None
    ]
    if unreadable:
        raise ValueError(
            f'give each start as HH:MM such as "13:30", not {unreadable[0][:20]!r}'
        )


DAY_OUTLINE = Chain(
    name="planning.day_outline",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "day_outline.md",
        trusted={
            "agent_name",
            "date",
            "now",
            "bed",
            "dinner",
            "chunks_min",
            "chunks_max",
        },
        data={"summary", "yesterday", "memories", "home", "places"},
    ),
    given=DayToOutline,
    answer=DayOutline,
    fills=_fills,
    fallback=ordinary_day,
    check=_check,
)
