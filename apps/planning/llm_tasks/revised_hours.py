"""LLM task: the changes of the rest of a planned day (X2)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import status_text
from apps.kernel.game_time import format_clock
from apps.kernel.language import phrase
from apps.kernel.text import join_and
from apps.llm.answers.answer_options import ClockTime
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, clock, data, data_list
from apps.llm.task import LLMTask
from apps.memory.events import ScheduledActivity
from apps.planning.answered_times import (
    AFTER_BEDTIME,
    NO_ROOM,
    OVER,
    AnsweredTime,
    Night,
    apart,
    bounded_night,
    clock_text,
    minute_of,
    moved_night,
    moved_time,
)
from apps.planning.checks import ACTIVITY_CHARACTERS_MAX, require_activity
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    LeaveTaken,
    ReactionReason,
    RevisedHoursInput,
    RevisionReason,
)
from apps.planning.llm_tasks.hourly_plan import slot_text
from apps.planning.llm_tasks.plan_input import (
    KnownPlace,
    hour_of,
    hours_at,
    known_places,
    plan_variables,
)
from apps.planning.surroundings import place_texts

CHANGES_MAX = 12
NO_SUCH_TIME = "no planned time has this number"


class HourChange(TaskAnswer):
    """A time of the day that gets another activity."""

    starts: Annotated[str, ClockTime()] = Field(
        description='time of day on a 24-hour clock, such as "19:30"'
    )
    ends: Annotated[str, ClockTime()] = Field(
        description='time of day on a 24-hour clock, such as "20:00"'
    )
    activity: str = Field(
        description='what the agent will do then, an infinitive without "to" and name',
        json_schema_extra={"maxLength": ACTIVITY_CHARACTERS_MAX},
    )
    place: KnownPlace


class RevisedHours(TaskAnswer):
    """The changes; all other times stay as they are planned."""

    changes: list[HourChange] = Field(
        max_length=CHANGES_MAX,
        description="only the times that change; empty if the plan stays as it is",
    )
    dropped: list[int] = Field(
        description="the numbers of the planned times that are given up without anything in "
        "their place"
    )
    bedtime: Annotated[str, ClockTime()] | None = Field(
        default=None, description="the new bedtime; null if it stays"
    )


def plan_unchanged(_: RevisedHoursInput) -> RevisedHours:
    """Return no changes: the named fallback."""
    return RevisedHours(changes=[], dropped=[])


def fitted_changes(inputs: RevisedHoursInput, answer: RevisedHours) -> Adjusted[RevisedHours]:
    """Return the changes in order within the rest of the day; they do not overlap."""
    begins, ends = inputs.slots[0].from_minute, bed_minute(inputs, answer)
    asked = [
        requested_time(index, change, begins, ends)
        for index, change in enumerate(answer.changes)
    ]
    kept = apart([one for one in asked if one.end > begins], begins=begins, ends=ends)
    fitted = {one.index: one for one in kept}
    differences = [
        difference
        for one, change in zip(asked, answer.changes, strict=True)
        for difference in _differences(one, change, fitted.get(one.index), (begins, ends))
    ]
    dropped = [number for number in answer.dropped if 1 <= number <= len(inputs.slots)]
    differences += [
        Difference(field="dropped", answered=str(number), used="", reason=NO_SUCH_TIME)
        for number in answer.dropped
        if number not in dropped
    ]
    bedtime = answer.bedtime
    for difference in moved_night("bedtime", bedtime, ends):
        bedtime = difference.used
        differences.append(difference)
    changes = [
        answer.changes[index].model_copy(
            update={"starts": clock_text(one.start), "ends": clock_text(one.end)}
        )
        for index, one in fitted.items()
    ]
    return Adjusted(
        RevisedHours(changes=changes, dropped=dropped, bedtime=bedtime), tuple(differences)
    )


def bed_minute(inputs: RevisedHoursInput, answer: RevisedHours) -> int:
    """Return the minute at which the agent goes to bed, bounded as in an outline."""
    planned = inputs.slots[-1].to_minute
    if answer.bedtime is None or inputs.wake_minute is None:
        return planned
    return bounded_night(
        answer.bedtime,
        None,
        usual=Night(bed=planned, wake=inputs.wake_minute),
        now=inputs.slots[0].from_minute,
    ).bed


def requested_time(index: int, change: HourChange, begins: int, ends: int) -> AnsweredTime:
    """Return the time of a change in the rest of the day."""
    start = minute_of(change.starts, now=begins, until=ends)
    return AnsweredTime(
        index=index, start=start, end=minute_of(change.ends, now=start, until=ends + 1)
    )


def reason_text(reason: RevisionReason, *, name: str) -> str:
    """Return the reason as a sentence without a full stop."""
    match reason:
        case ReactionReason():
            return phrase(
                "{name} perceived: {observation}; and decided to {activity}",
                name=name,
                observation=reason.observation,
                activity=reason.activity,
            )
        case AdoptedThought():
            return thought_text(reason, name=name)
        case ActivitiesAgreed():
            agreed = [_scheduled_text(activity) for activity in reason.activities]
            return phrase("{name} agreed {activities}", name=name, activities=join_and(agreed))
        case LeaveTaken():
            return phrase(
                "{name} took leave of {other} to go elsewhere now",
                name=name,
                other=reason.other,
            )
        case _:
            activities = phrase(", then ").join(reason.activities)
            return phrase(
                "since {time} {name} did something else than planned: {activities}",
                time=format_clock(reason.since),
                name=name,
                activities=activities or phrase("nothing in particular"),
            )


def thought_text(thought: AdoptedThought, *, name: str) -> str:
    """Return the decision of the agent, or its thought without a decision."""
    if not thought.deed:
        return thought.thought
    at_once = ""
    if thought.minutes_now:
        at_once = phrase(" at once, for {minutes} minutes", minutes=thought.minutes_now)
    return phrase(
        "{name} has decided to {deed}{at_once}", name=name, deed=thought.deed, at_once=at_once
    )


def _scheduled_text(scheduled: ScheduledActivity) -> str:
    place, start, end = "", "", ""
    if scheduled.place:
        place = phrase(" at {place}", place=scheduled.place)
    if scheduled.starts:
        start = phrase(" from {time}", time=format_clock(scheduled.starts))
    if scheduled.ends:
        end = phrase(" to {time}", time=format_clock(scheduled.ends))
    activity = f"{scheduled.activity}{place}{start}{end}"
    if scheduled.cancelled:
        return phrase("no longer to {activity}", activity=activity)
    return phrase("to {activity}", activity=activity)


def _variables(inputs: RevisedHoursInput) -> Mapping[str, PromptValue]:
    name = inputs.agent_name
    return {
        **plan_variables(inputs),
        "places": data_list(place_texts(inputs.places, name)),
        "now": clock(inputs.now_minute),
        "here": data(inputs.here),
        "status": data("" if inputs.status is None else status_text(inputs.status)),
        "reasons": data_list(reason_text(reason, name=name) for reason in inputs.reasons),
        "times": data_list(map(slot_text, inputs.slots)),
    }


def _decision(answer: RevisedHours) -> Iterator[Fact]:
    """Yield where the changed hours are spent, and what is given up; activities are free."""
    for change in answer.changes:
        yield from hours_at(change.place, change.starts, change.ends)
    yield from marked("dropped", answer.dropped)
    yield "bedtime", hour_of(answer.bedtime)


def _check(inputs: RevisedHoursInput, answer: RevisedHours) -> None:
    until = bed_minute(inputs, answer)
    for change in answer.changes:
        require_activity(change.activity, field="activity", agent_name=inputs.agent_name)
        start = minute_of(change.starts, now=inputs.slots[0].from_minute, until=until)
        if minute_of(change.ends, now=start, until=until + 1) <= start:
            raise ValueError(
                phrase(
                    "the change at {start} ends at {end}: give an end after the start, {until} "
                    "at the latest",
                    start=change.starts,
                    end=change.ends,
                    until=format_clock(until),
                )
            )


def _differences(
    asked: AnsweredTime,
    change: HourChange,
    used: AnsweredTime | None,
    within: tuple[int, int],
) -> Iterator[Difference]:
    path = f"changes.{asked.index + 1}"
    begins, ends = within
    if used is None:
        reason = NO_ROOM
        if asked.start >= ends or asked.end <= begins:
            reason = AFTER_BEDTIME if asked.start >= ends else OVER
        yield Difference(field=path, answered=change.activity, used="", reason=reason)
        return
    for field, answered, before, after in (
        ("starts", change.starts, asked.start, used.start),
        ("ends", change.ends, asked.end, used.end),
    ):
        yield from moved_time(
            f"{path}.{field}", answered, asked=before, used=after, begins=begins
        )


REVISED_HOURS = LLMTask(
    name="planning.revised_hours",
    template=task_templates("planning/revised_hours", trusted={"agent_name", "date", "now"}),
    input_type=RevisedHoursInput,
    answer_type=RevisedHours,
    variables=_variables,
    fallback=plan_unchanged,
    decision=_decision,
    check=_check,
    options=known_places,
    numbers=lambda inputs: {"dropped": (1, len(inputs.slots))},
    adjust=fitted_changes,
)
