"""What the LLM tasks of planning share: the agent with its day, and the known places."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import agent_variables, day_variables
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.prompts.values import PromptValue, data_list
from apps.memory.prompt_lines import memory_texts
from apps.planning.inputs import DayOutlineInput, HourlyPlanInput, PlanInput, RevisedHoursInput

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


def known_places(inputs: DayOutlineInput | HourlyPlanInput | RevisedHoursInput) -> Options:
    """Return the options of a place."""
    return {PLACES: [place.path for place in inputs.places]}
