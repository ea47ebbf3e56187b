"""What the LLM tasks of planning share: the agent with its day, and the known places."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from math import ceil
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import MINUTES_PER_HOUR, agent_variables, day_variables
from apps.kernel.game_time import MINUTES_PER_DAY, parse_clock
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.decisions import Fact
from apps.llm.prompts.values import PromptValue, data_list
from apps.memory.prompt_lines import memory_texts
from apps.planning.inputs import DayOutlineInput, HourlyPlanInput, PlanInput, RevisedHoursInput

HOURS_PER_DAY = 24
PLACES = "places"  # the option set of the known places
KnownPlace = Annotated[str, OneOf(PLACES), Field(description="one of the known places")]


def plan_variables(
    inputs: PlanInput, *, besides: Iterable[str] = (), done_since: datetime | None = None
) -> dict[str, PromptValue]:
    """Return the agent, its day, and what comes to its mind: talks put off, and memories.

    `besides` and `done_since` are what the prompt tells in another place, as for
    `memory_texts`.
    """
    put_off = (
        phrase(
            "{name} wants to talk to {other} later: {what}",
            name=inputs.agent_name,
            other=talk.other,
            what=talk.what,
        )
        for talk in inputs.put_off
    )
    memories = memory_texts(
        inputs.memories,
        besides=(inputs.summary.text, *besides),
        agreements=inputs.agreements,
        done_since=done_since,
    )
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.date, inputs.agreements, inputs.promises),
        "memories": data_list([*put_off, *memories]),
    }


def hours_at(place: str, starts: str, ends: str | None) -> Iterator[Fact]:
    """Yield the full hours of the day that begin within a time at a place, for decisions.

    A time that has no full hour, or no end, counts for the hour in which it begins.

    :param starts: a time of day as answers give it, like `ends`.
    """
    begins = parse_clock(starts) or 0
    end = begins + ((parse_clock(ends or starts) or 0) - begins) % MINUTES_PER_DAY
    full = range(ceil(begins / MINUTES_PER_HOUR), ceil(end / MINUTES_PER_HOUR))
    yield from (("at", hour, place) for hour in full or (begins // MINUTES_PER_HOUR,))


def hour_of(clock: str | None) -> int | None:
    """Return the hour of a time of day to which it is nearest, None without one."""
    minute = parse_clock(clock) if clock else None
    return None if minute is None else round(minute / MINUTES_PER_HOUR) % HOURS_PER_DAY


def known_places(inputs: DayOutlineInput | HourlyPlanInput | RevisedHoursInput) -> Options:
    """Return the options of a place."""
    return {PLACES: [place.path for place in inputs.places]}
