"""LLM task: the actions of a planned hour, with area, object and look (P1, W2, W4, W7)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from math import ceil
from operator import add
from typing import Annotated

from pydantic import Field

from apps.agents.acts import ActKind
from apps.agents.phrases import (
    deed_texts,
    latest_deeds_since,
    planned_ahead,
    planned_time_text,
)
from apps.kernel.game_time import format_clock, format_time
from apps.kernel.language import noted, phrase
from apps.kernel.text import join_and, one_line
from apps.llm.answers.answer_options import EMOJI_FORM, ClockTime, Incidental, OneOf, Options
from apps.llm.answers.answer_reading import INCIDENTAL
from apps.llm.answers.checks import require_text
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.differences import Adjusted, Difference
from apps.llm.answers.json_schema import Bounds
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    Trusted,
    agent_name,
    answer_clock,
    clock,
    data,
    data_list,
    joined,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.memory.rules import IMPORTANCE_MAX, IMPORTANCE_MIN
from apps.planning.answered_times import (
    AnsweredTime,
    clock_text,
    consecutive,
    minute_of,
    moved_start,
    walks_before,
)
from apps.planning.checks import (
    ACTIVITY_CHARACTERS_MAX,
    STATE_CHARACTERS_MAX,
    require_emoji,
    require_progress,
    require_state,
)
from apps.planning.inputs import EarlierWork, HourActionsInput, KnownAgent
from apps.planning.llm_tasks.plan_input import plan_variables
from apps.planning.surroundings import AreaOption
from apps.planning.tiling import SHORTEST, lengths_between

# Keys of answers, the same in all languages.
NO_OBJECT = "none"
NOBODY = "nobody"
COMPANY_MAX = 6
COMPANY = "company"  # the option set of the names of those with whom something can be done
OUTDOORS = noted("outdoors")
TOGETHER = noted(
    'What is done together, such as a meal, names the others in "with_agents"; there or due '
    "then: {names}."
)
ALONE = noted("None of these agents is there or due then, so nothing is done together.")
PLAIN_EMOJI = "💭"
PLAIN_IMPORTANCE = 2
AFTER_HOUR = "it begins after the time of the plan"
AREA_OF_OBJECT = "the area in which the object is"

# Telephones are offered where the world has them.
NOT_OFFERED = {ActKind.NONE, ActKind.TOGETHER, ActKind.PHONE}
KINDS = tuple(kind.value for kind in ActKind if kind not in NOT_OFFERED)


class ActWithAgent(TaskAnswer):
    """What an action does to or for another agent."""

    kind: Annotated[str, OneOf("kinds")] = Field(
        description='"talk to" one agent; "look for" or go to one; "wait for" one; "follow" '
        'one; "tell those present" something or show it to them; "give" a thing to one agent; '
        '"leave" a thing at the object, where it stays; where it is offered, "phone" one agent '
        "that is elsewhere"
    )
    agent: Annotated[str, OneOf("agents")] = Field(
        description="the other agent, or whom a thing is left for; "
        f'"{NOBODY}" to tell those present'
    )
    about: str = Field(
        max_length=ACTIVITY_CHARACTERS_MAX,
        description='what the agent wants to say or ask, or the thing; "" for neither',
    )


class HourAction(TaskAnswer):
    """An action of a few minutes."""

    description: str = Field(
        description='what follows "is" after the agent\'s name, without the name, such as '
        '"grinding coffee beans"',
        json_schema_extra={"maxLength": ACTIVITY_CHARACTERS_MAX},
    )
    starts: Annotated[str, ClockTime()] = Field(
        description="time of day on a 24-hour clock, with the walk to its area; the action "
        'before ends then, such as "13:05"'
    )
    area: Annotated[str, OneOf("areas")] = Field(description="the area where it is done")
    object: Annotated[str, OneOf("objects")] = Field(
        description='the object in that area, or "none" if it needs none'
    )
    object_state: Annotated[str, Incidental("")] = Field(
        description='the state of the object meanwhile in a few words, such as "brewing '
        'coffee"; "" without an object',
        json_schema_extra={"maxLength": STATE_CHARACTERS_MAX},
    )
    emoji: Annotated[str, Incidental(PLAIN_EMOJI)] = Field(
        description="one or two emoji that show it", json_schema_extra=EMOJI_FORM
    )
    importance: Annotated[int, Incidental(PLAIN_IMPORTANCE)] = Field(
        ge=IMPORTANCE_MIN, le=IMPORTANCE_MAX, description="from 1 (everyday) to 10"
    )
    with_agents: tuple[Annotated[str, OneOf(COMPANY)], ...] = Field(
        default=(),
        description="empty for what is done alone, as most is; else the others without whom it "
        "is not begun, such as the guest of a meal",
    )
    act: ActWithAgent | None = Field(
        default=None, description="null for an action that concerns no other agent"
    )


class HourActions(TaskAnswer):
    """The actions of the hour, in order."""

    actions: list[HourAction] = Field(min_length=1)


def hour_as_planned(inputs: HourActionsInput) -> HourActions:
    """Return the hour as one action in the default area: the named fallback."""
    default = next(area for area in inputs.areas if area.path == inputs.default_area)
    return HourActions(
        actions=[
            HourAction(
                description=phrase("keeping to the plan: {activity}", activity=inputs.activity),
                starts=clock_text(inputs.from_minute),
                area=default.name,
                object=NO_OBJECT,
                object_state="",
                emoji=PLAIN_EMOJI,
                importance=PLAIN_IMPORTANCE,
            )
        ]
    )


def in_turn(inputs: HourActionsInput, actions: Sequence[tuple[HourAction, int]]) -> HourActions:
    """Return actions of about so many minutes in turn, with the walks between them."""
    areas, minutes = [one.area for one, _ in actions], [length for _, length in actions]
    starts = starts_in_turn(inputs, areas, minutes)
    return HourActions(
        actions=[
            action.model_copy(update={"starts": start})
            for (action, _), start in zip(actions, starts, strict=False)
        ]
    )


def starts_in_turn(
    inputs: HourActionsInput, areas: Sequence[str], minutes: Sequence[int]
) -> list[str]:
    """Return when actions of about so many minutes begin, after the walks to their areas.

    The last ones have no start where there is no time for all.
    """
    walks = walks_before(inputs, areas)
    bounds = (inputs.minutes_min, inputs.minutes_max)
    fitted = lengths_between(walks, minutes, inputs.minutes, bounds=bounds)
    lengths = map(add, walks, fitted[:-1])
    return [clock_text(start) for start in accumulate(lengths, initial=inputs.from_minute)]


def _variables(inputs: HourActionsInput) -> Mapping[str, PromptValue]:
    least, most = _minutes(inputs)
    return {
        **plan_variables(inputs, done_since=latest_deeds_since(inputs.performed)),
        "current_area": data(inputs.surroundings.current_area or phrase(OUTDOORS)),
        "previous": data(inputs.previous or phrase("nothing of note")),
        "done": data_list(
            [
                *deed_texts(inputs.performed),
                *map(_earlier_text, inputs.done_before),
                *(phrase("of this: {action}", action=action) for action in inputs.done),
            ]
        ),
        "activity": data(inputs.activity),
        "place": data(inputs.place),
        "after": data_list(_planned_after(inputs)),
        "agents": data_list(_agent_text(agent, inputs) for agent in inputs.surroundings.agents),
        "areas": data_list(_area_text(area, inputs) for area in inputs.areas),
        "now": clock(inputs.from_minute - inputs.walk_minutes),
        "keepers": _keepers(inputs),
        "together": _together(inputs),
        "way": _way(inputs),
        "from_time": answer_clock(inputs.from_minute),
        "to_time": answer_clock(inputs.to_minute),
        "minutes_min": number(least),
        "minutes_max": number(most),
    }


def _planned_after(inputs: HourActionsInput) -> Iterator[str]:
    """Yield what the plan of the next hours has after this hour, the next activity first."""
    if inputs.next_activity:
        yield inputs.next_activity
    for planned in planned_ahead(inputs.outline, inputs.begins):
        if planned.starts >= inputs.ends and planned.activity != inputs.next_activity:
            yield planned_time_text(planned)


def _together(inputs: HourActionsInput) -> Trusted:
    """Return the sentence on what is done with others, with those whom the schema offers."""
    if not inputs.company:
        return sentence(ALONE)
    return sentence(TOGETHER, names=joined(map(agent_name, inputs.company)))


def _keepers(inputs: HourActionsInput) -> Trusted:
    """Return the keepers of the place, as the end of a sentence; "" without any."""
    if not inputs.keepers:
        return joined(())
    return sentence(", kept by {names}", names=joined(map(agent_name, inputs.keepers)))


def _way(inputs: HourActionsInput) -> Trusted:
    """Return how far the place is, as the end of a sentence; "" at the place."""
    if not inputs.walk_minutes:
        return joined(())
    return sentence(
        ", {minutes} minutes on foot from the place above", minutes=number(inputs.walk_minutes)
    )


def _area_text(area: AreaOption, inputs: HourActionsInput) -> str:
    """Return the area with its objects: "kitchen: kitchen: stove (brewing coffee)"."""
    states = {one.path: one.state for one in inputs.surroundings.states}
    objects = [
        f"{area.name}: {name}{_in_brackets(states.get(f'{area.path}: {name}', ''))}"
        for name in area.objects
    ]
    norms = []
    if area.residents:
        norms.append(phrase("room of {names}", names=join_and(area.residents)))
    if area.holds is not None:
        norms.append(phrase("holds {count} at a time", count=area.holds))
    here = join_and(list(_agents_in(area, inputs)))
    present = phrase("; {names} in it", names=here) if here else ""
    inside = phrase(", with {objects}", objects="; ".join(objects) or phrase("no objects"))
    return f"{area.name}{_in_brackets('; '.join(norms))}{inside}{present}"


def _earlier_text(earlier: EarlierWork) -> str:
    """Return what was done before the hour: "earlier: kneading the dough"."""
    if not earlier.broken_off:
        return phrase("earlier: {action}", action=earlier.action)
    return phrase(
        "broken off ({activity}): {action}", activity=earlier.broken_off, action=earlier.action
    )


def _agents_in(area: AreaOption, inputs: HourActionsInput) -> Iterator[str]:
    """Yield the names of the agents that the agent sees in the area."""
    if area.path != inputs.surroundings.current_area:
        return
    yield from (agent.name for agent in inputs.surroundings.agents if agent.is_here)


def _agent_text(agent: KnownAgent, inputs: HourActionsInput) -> str:
    """Return the agent with where it is now, or with when and where it was last seen."""
    if agent.is_here:
        return _agent_in_view(agent, inputs)
    if agent.let_in_at is not None:
        return phrase(
            "{name} (a guest, let in at {time})",
            name=agent.name,
            time=format_clock(agent.let_in_at),
        )
    if agent.seen_at is None:
        return agent.name
    place = phrase(" in {place}", place=agent.seen_in) if agent.seen_in else ""
    seen_at = agent.seen_at
    if seen_at.date() == inputs.date:
        return phrase(
            "{name} (last seen at {time}{place})",
            name=agent.name,
            time=format_clock(seen_at),
            place=place,
        )
    return phrase(
        "{name} (last seen on {time}{place})",
        name=agent.name,
        time=format_time(seen_at),
        place=place,
    )


def _agent_in_view(agent: KnownAgent, inputs: HourActionsInput) -> str:
    """Return the agent as in view, or with the place in which it stays behind.

    An agent in view is no company for an hour at another place.
    """
    here = inputs.surroundings.current_place
    if inputs.is_at_place:
        where = phrase("in view now")
    elif here:
        where = phrase("at {place} now", place=here)
    else:
        where = phrase("outdoors now")
    doing = f", {agent.activity}" if agent.activity else ""
    if agent.is_asleep:
        doing = phrase(", asleep")
    return f"{agent.name} ({where}{doing})"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _options(inputs: HourActionsInput) -> Options:
    return {
        "areas": [area.name for area in inputs.areas],
        "objects": [*inputs.objects, NO_OBJECT],
        "kinds": [*KINDS, *([ActKind.PHONE.value] if inputs.surroundings.phones else [])],
        "agents": [*(agent.name for agent in inputs.surroundings.agents), NOBODY],
        COMPANY: inputs.company,
    }


def _decision(answer: HourActions) -> Iterator[Fact]:
    """Yield where something is done with what, and with whom; words and lengths are free."""
    for action in answer.actions:
        yield "at", action.area, action.object
        yield from marked("with", action.with_agents)
        if action.act is not None:
            yield "act", action.act.kind, action.act.agent


def _check(inputs: HourActionsInput, answer: HourActions) -> None:
    for action in answer.actions:
        require_progress(action.description, field="description", agent_name=inputs.agent_name)
        if action.act is not None:
            _check_act(action, action.act)


def _check_act(action: HourAction, act: ActWithAgent) -> None:
    """Check that an act has the agent, the words and the object that it needs."""
    kind = ActKind(act.kind)
    if kind.names_agent and act.agent == NOBODY:
        raise ValueError(
            phrase('"{kind}" needs an agent: give one in "agent", or another kind', kind=kind)
        )
    if kind.is_said:
        meaning = phrase("what the agent wants to say or ask")
        require_text(act.about, field="about", meaning=meaning)
    if kind.leaves_thing:
        meaning = phrase("the thing that is given or left")
        require_text(act.about, field="about", meaning=meaning)
    if kind is ActKind.LEAVE and action.object == NO_OBJECT:
        raise ValueError(
            phrase('to "leave" a thing, give the object where it stays in "object"')
        )


def _area(inputs: HourActionsInput, action: HourAction) -> str:
    """Return the name of the area in which the object is; without an object, that answered."""
    for area in inputs.areas:
        if action.object in (f"{area.name}: {name}" for name in area.objects):
            return area.name
    return action.area


def _state(action: HourAction) -> str:
    """Return the state of the object as it can be stored; it decides nothing."""
    given = action.object_state
    if action.object == NO_OBJECT:
        return given
    # "The stove is hot" is the state "hot".
    texts = (given, one_line(given).partition(" is ")[2])
    return _first_usable(texts, partial(require_state, field="object_state"), phrase("in use"))


def _emoji(action: HourAction) -> str:
    """Return the emoji of the answer without words beside them; they decide nothing."""
    texts = (action.emoji, "".join(sign for sign in action.emoji if not sign.isascii()))
    return _first_usable(texts, partial(require_emoji, field="emoji"), PLAIN_EMOJI)


def _first_usable(texts: Iterable[str], check: Callable[[str], None], instead: str) -> str:
    """Return the first of the texts that passes the check, else `instead`."""
    for text in texts:
        with suppress(ValueError):
            check(text)
            return text
    return instead


def _adjust(inputs: HourActionsInput, answer: HourActions) -> Adjusted[HourActions]:
    """Return the actions where their objects are, in order and with time for their walks.

    Surplus ones are left out.
    """
    answered = [
        action.model_copy(
            update={
                "area": _area(inputs, action),
                "object_state": _state(action),
                "emoji": _emoji(action),
            }
        )
        for action in answer.actions
    ]
    differences = list(_replaced(answer.actions, answered))
    fitted = times_of(inputs, answered)
    used = {one.index: one for one in fitted}
    for index, action in enumerate(answered):
        differences += moved_start(
            f"actions.{index + 1}",
            (action.starts, action.description),
            asked=_start(inputs, action),
            used=used.get(index),
            span=(inputs.from_minute, inputs.to_minute),
            late=AFTER_HOUR,
        )
    actions = [
        answered[one.index].model_copy(update={"starts": clock_text(one.start)})
        for one in fitted
    ]
    return Adjusted(HourActions(actions=actions), tuple(differences))


def times_of(inputs: HourActionsInput, actions: Sequence[HourAction]) -> list[AnsweredTime]:
    """Return from when to when each action is, by its index, with the walk to its area."""
    walks = walks_before(inputs, [one.area for one in actions])
    return consecutive(
        [_start(inputs, one) for one in actions],
        least=[walk + SHORTEST for walk in walks],
        begins=inputs.from_minute,
        ends=inputs.to_minute,
    )


def _start(inputs: HourActionsInput, action: HourAction) -> int:
    return minute_of(action.starts, now=inputs.from_minute, until=inputs.to_minute)


def _replaced(
    answered: Sequence[HourAction], used: Sequence[HourAction]
) -> Iterator[Difference]:
    return (
        Difference(
            field=f"actions.{number}.{field}",
            answered=getattr(one, field),
            used=getattr(other, field),
            reason=reason,
        )
        for number, (one, other) in enumerate(zip(answered, used, strict=True), start=1)
        for field, reason in (
            ("area", AREA_OF_OBJECT),
            ("object_state", INCIDENTAL),
            ("emoji", INCIDENTAL),
        )
        if getattr(one, field) != getattr(other, field)
    )


def _lengths(inputs: HourActionsInput) -> Bounds:
    """Return how many actions of the asked lengths can fill the hour."""
    least, most = _minutes(inputs)
    return {
        "actions": (ceil(inputs.minutes / most), max(1, inputs.minutes // least)),
        "with_agents": (0, min(COMPANY_MAX, len(inputs.company))),
    }


def _minutes(inputs: HourActionsInput) -> tuple[int, int]:
    """Return the bounds of the length of an action; both are the hour where it is too short."""
    whole = max(1, inputs.minutes)
    if whole < 2 * inputs.minutes_min:
        return whole, whole
    return inputs.minutes_min, min(inputs.minutes_max, whole)


HOUR_ACTIONS = LLMTask(
    name="planning.hour_actions",
    template=task_templates(
        "planning/hour_actions",
        trusted={
            "agent_name",
            "date",
            "now",
            "keepers",
            "together",
            "way",
            "from_time",
            "to_time",
            "minutes_min",
            "minutes_max",
        },
    ),
    input_type=HourActionsInput,
    answer_type=HourActions,
    variables=_variables,
    fallback=hour_as_planned,
    decision=_decision,
    check=_check,
    options=_options,
    lengths=_lengths,
    adjust=_adjust,
)
