"""LLM task: the revised rest of a planned day (X2)."""

from collections.abc import Mapping

from apps.kernel.game_time import format_clock
from apps.kernel.text import join_and
from apps.llm.prompt_template import PromptTemplate
from apps.llm.prompt_values import PromptValue, agent_name, clock, data, data_list, game_date
from apps.llm.task import LLMTask
from apps.memory.events import ScheduledActivity
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    ReactionReason,
    RevisedHoursInput,
    RevisionReason,
)
from apps.planning.llm_tasks.hourly_plan import (
    HourlyPlan,
    check_hours,
    hours_as_planned,
    known_places,
    slot_text,
)


def reason_text(reason: RevisionReason, *, name: str) -> str:
    """Return the reason as a sentence without a full stop."""
    match reason:
        case ReactionReason():
            return f"{name} perceived: {reason.observation}; and decided to {reason.activity}"
        case AdoptedThought():
            return thought_text(reason, name=name)
        case ActivitiesAgreed():
            agreed = [_scheduled_text(activity) for activity in reason.activities]
            return f"{name} agreed to {join_and(agreed)}"
        case _:
            activities = ", then ".join(reason.activities) or "nothing in particular"
            since = format_clock(reason.since)
            return f"since {since} {name} did something else than planned: {activities}"


def thought_text(thought: AdoptedThought, *, name: str) -> str:
    """Return the decision of the agent, or its thought without a decision."""
    if not thought.deed:
        return thought.thought
    at_once = f" at once, for {thought.minutes_now} minutes" if thought.minutes_now else ""
    return f"{name} has decided to {thought.deed}{at_once}"


def _scheduled_text(scheduled: ScheduledActivity) -> str:
    place = f" at {scheduled.place}" if scheduled.place else ""
    start = f" from {format_clock(scheduled.starts)}" if scheduled.starts else ""
    end = f" to {format_clock(scheduled.ends)}" if scheduled.ends else ""
    return f"{scheduled.activity}{place}{start}{end}"


def _variables(inputs: RevisedHoursInput) -> Mapping[str, PromptValue]:
    name = inputs.agent_name
    return {
        "agent_name": agent_name(name),
        "summary": data(inputs.summary.text),
        "memories": data_list(memory.description for memory in inputs.memories),
        "places": data_list(place.text(name) for place in inputs.places),
        "date": game_date(inputs.date),
        "now": clock(inputs.now_minute),
        "reasons": data_list(reason_text(reason, name=name) for reason in inputs.reasons),
        "times": data_list(map(slot_text, inputs.slots)),
    }


REVISED_HOURS = LLMTask(
    name="planning.revised_hours",
    template=PromptTemplate.load(
        "planning/revised_hours", trusted={"agent_name", "date", "now"}
    ),
    input_type=RevisedHoursInput,
    answer_type=HourlyPlan,
    variables=_variables,
    fallback=hours_as_planned,
    check=check_hours,
    options=known_places,
)
