"""The task of the actions of an hour, with area, object, look and importance (P1, W2)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, groupby

from apps.kernel.text import join_and
from apps.memory.events import MemoryOrigin
from apps.planning.answered_times import clock_text, walks_before
from apps.planning.inputs import HourActionsInput
from apps.planning.llm_tasks import hour_actions as task
from apps.planning.surroundings import AreaOption
from apps.rule_model.content import (
    Activity,
    Content,
    Hour,
    Step,
    Vocabulary,
    meaning_of,
    patterns,
)
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS
from apps.rule_model.planning import wording
from apps.rule_model.planning.rooms import (
    areas_of,
    emoji_of,
    objects_of,
    possible_steps,
    state_of,
)
from apps.rule_model.planning.timeline import ACTIVITY_CHARACTERS_MAX

# An agent that is to be met is waited for so long, then spoken to.
MEETING_MINUTES_MIN = 30
MEETING = (
    ("wait for", False, "waiting for {name}", 10),
    ("talk to", True, "meeting {name}", 5),
)

_PATTERNS = patterns("details")
# A step of so many minutes may take longer.
LONG_STEP = 10


def steps_of_hour(inputs: HourActionsInput, chance: Chance, content: Content) -> list[Step]:
    """Return the hour's steps; of an hour that holds several things, each in its time."""
    vocabulary = content.at(inputs.place)
    stated = wording.steps_in(inputs.activity, inputs.from_minute)
    stated = [step for step in stated if step.start < inputs.to_minute]
    starts = [max(step.start, inputs.from_minute) for step in stated]
    ends = [*starts[1:], inputs.to_minute]
    steps: list[Step] = []
    for at, (one, start, end) in enumerate(zip(stated, starts, ends, strict=True)):
        if end > start:
            before = steps[-1].doing if steps else inputs.previous
            steps += _steps_for(inputs, vocabulary, one.text, end - start, before, chance, at)
    reworded = [_reworded(step, inputs.place, vocabulary) for step in steps]
    return _joined(reworded, inputs.minutes_max)


def _steps_for(
    inputs: HourActionsInput,
    vocabulary: Vocabulary,
    activity: str,
    minutes: int,
    before: str,
    chance: Chance,
    index: int,
) -> list[Step]:
    kind, hour = _meant(inputs, activity, vocabulary, before, chance)
    words = wording.wording_of(activity, kind)
    steps = [
        Step(wording.placed(words.fill(step.doing), activity), step.minutes)
        for step in possible_steps(hour.steps, inputs, vocabulary)
    ]
    if inputs.done and hour.ordered:
        steps = _left(steps, inputs.done)
    pastimes = [
        step
        for step in possible_steps(vocabulary.pastimes_at(inputs.place), inputs, vocabulary)
        if _has_company_for(step, inputs)
    ]
    served, steps = _with_those_present(steps, hour, inputs, pastimes, chance)
    if served and minutes > served.minutes:
        rest = replace(inputs, done=(*inputs.done, served.doing))
        minutes -= served.minutes
        return [served, *_steps_for(rest, vocabulary, activity, minutes, before, chance, index)]
    if not steps:
        return _mixed(pastimes, minutes, before, chance, index)
    done = wording.without_furniture(before)
    passed = {step.doing for step in pastimes}
    bare = [wording.without_furniture(step.doing) for step in steps]
    goes_on = done in bare and done not in passed
    if hour.ordered and not goes_on:
        spare = minutes - sum(step.minutes for step in steps)
        if spare >= inputs.minutes_min:
            return _drawn_out(steps, spare, inputs, kind, pastimes)
        return _scaled(steps, minutes, inputs)
    # A continued activity does not repeat its first step.
    steps = steps[1:] if hour.ordered and len(steps) > 1 else steps
    return _mixed(steps, minutes, before, chance, index)


def _has_company_for(step: Step, inputs: HourActionsInput) -> bool:
    """Return whether those whom the step needs, if any, are there."""
    return bool(inputs.present) or not _PATTERNS["company"].search(step.doing)


def _with_those_present(
    steps: Sequence[Step],
    hour: Hour,
    inputs: HourActionsInput,
    pastimes: Sequence[Step],
    chance: Chance,
) -> tuple[Step | None, list[Step]]:
    """Return a step that serves a present customer where it sits, and those that need nobody.

    Customers and company are named, as participants of the action, or left out.
    """
    if _PATTERNS["receives"].search(hour.text):
        return None, list(steps)
    keeps = inputs.agent_name in inputs.keepers
    company = [o.name for o in inputs.present if _PATTERNS["at_meal"].search(o.activity)]
    guests = [o.name for o in inputs.present if keeps and o.name not in inputs.keepers]
    called = f" with {join_and(company)}" if company and not keeps else ""
    alone, serving, passed = [], [], set[str]()
    for number, step in enumerate(steps):
        is_service = _PATTERNS["customer"].search(step.doing) is not None
        if is_service and not _PATTERNS["talks"].search(step.doing):
            serving.append(step)
        if not is_service and _has_company_for(step, inputs):
            alone.append(replace(step, doing=_PATTERNS["together"].sub(called, step.doing)))
        elif hour.ordered and (left := [one for one in pastimes if one.doing not in passed]):
            doing = chance.choice(left, "instead", number).doing
            passed.add(doing)
            alone.append(replace(step, doing=doing))
    if not serving or not guests or any(name in one for name in guests for one in inputs.done):
        return None, alone
    step, guest = chance.choice(serving, "serves"), chance.choice(guests, "served")
    doing = _PATTERNS["behind"].sub("", _PATTERNS["customer"].sub(guest, step.doing, count=1))
    return replace(step, doing=doing), alone


def _meant(
    inputs: HourActionsInput, activity: str, vocabulary: Vocabulary, before: str, chance: Chance
) -> tuple[Activity, Hour]:
    """Return the hour that the very words are, else one of those of the activity meant."""
    for text in (wording.without_seat(activity), activity):
        kind, hour = meaning_of(text, vocabulary)
        if hour is not None:
            return kind, hour
    # The first hour comes only where the activity begins, the last only where it ends.
    words, done = wording.wording_of(activity, kind), wording.without_furniture(before)
    begun = any(words.fill(step.doing) == done for hour in kind.hours for step in hour.steps)
    ends = inputs.next_activity and meaning_of(inputs.next_activity, vocabulary)[0] is not kind
    when = "first" if not begun else "last" if ends else "any"
    return kind, chance.choice(kind.hours_at(when), "hour", activity)


def _left(steps: Sequence[Step], done: Sequence[str]) -> list[Step]:
    """Return the steps that are not done yet; a meal that was eaten is not cooked again."""
    was_done = {wording.without_furniture(description) for description in done}
    left = list(steps)
    if any(_PATTERNS["eating"].search(description) for description in done):
        eaten = [at for at, step in enumerate(left) if _is_eating(step)]
        left = left[eaten[-1] + 1 :] if eaten else left
    return [step for step in left if wording.without_furniture(step.doing) not in was_done]


def _scaled(steps: Sequence[Step], minutes: int, inputs: HourActionsInput) -> list[Step]:
    """Return the steps in their order, squeezed to about the minutes.

    Where there is no time for all, what can wait goes first, and eating last.
    """
    share = minutes / sum(step.minutes for step in steps)
    least, most = inputs.minutes_min, inputs.minutes_max
    rounded = (round(step.minutes * share / least) * least for step in steps)
    scaled = [
        step if _is_eating(step) else Step(step.doing, min(max(whole, least), most))
        for step, whole in zip(steps, rounded, strict=True)
    ]
    while sum(step.minutes for step in scaled) > minutes <= (len(scaled) - 1) * most:
        scaled.pop(min(range(len(scaled)), key=lambda at: (*_need(scaled[at]), -at)))
    return scaled


def _need(step: Step) -> tuple[bool, bool, int]:
    return (_is_eating(step), _PATTERNS["can_wait"].search(step.doing) is None, step.minutes)


def _is_eating(step: Step) -> bool:
    return _PATTERNS["eating"].search(step.doing) is not None


def _drawn_out(
    steps: Sequence[Step],
    spare: int,
    inputs: HourActionsInput,
    kind: Activity,
    pastimes: Sequence[Step],
) -> list[Step]:
    """Return the steps in their order, with more where long ones cannot use up the minutes.

    After a meal and before leaving home these are pastimes, else more of the same work.
    """
    spare -= sum(inputs.minutes_max - one.minutes for one in steps if one.minutes >= LONG_STEP)
    at_leisure = kind.role in {"meal", "routine"}
    long_ones = [step for step in steps[1:-1] if step.minutes >= LONG_STEP]
    more = cycle(pastimes if at_leisure else [*long_ones, *pastimes])
    added = []
    while spare >= inputs.minutes_min:
        step = next(more)
        added.append(Step(step.doing, min(step.minutes, spare)))
        spare -= added[-1].minutes
    return [*steps, *added] if kind.role == "meal" else [*steps[:-1], *added, steps[-1]]


def _mixed(
    steps: Sequence[Step], minutes: int, before: str, chance: Chance, index: int
) -> list[Step]:
    """Return steps in an order of chance until the minutes are filled, none twice in a row."""
    mixed: list[Step] = []
    last, left = wording.without_furniture(before), minutes
    pool: list[Step] = []
    while left > 0:
        pool = pool or list(steps)
        others = [step for step in steps if wording.without_furniture(step.doing) != last]
        fresh = [step for step in pool if step in others] or others or list(steps)
        step = chance.choice(fresh, "step", index, len(mixed))
        pool = [other for other in pool if other != step]
        mixed.append(step)
        last, left = wording.without_furniture(step.doing), left - step.minutes
    return mixed


def _reworded(step: Step, place: str, vocabulary: Vocabulary) -> Step:
    """Return the step in words that fit the place: no desk on a lawn."""
    doing = step.doing
    for entry in vocabulary.rewordings:
        if entry.place.search(place):
            doing = entry.words.sub(entry.values[0], doing)
    return Step(doing[:ACTIVITY_CHARACTERS_MAX], step.minutes)


def _joined(steps: Sequence[Step], most: int) -> list[Step]:
    """Return the steps with equal neighbours joined, each of at most so many minutes."""
    runs = groupby(steps, key=lambda step: step.doing)
    return [Step(doing, min(most, sum(step.minutes for step in run))) for doing, run in runs]


def hour_actions(
    inputs: HourActionsInput, chance: Chance, content: Content
) -> task.HourActions:
    """Return the hour's actions; the agent that the plan of the hour names is met first."""
    known = (agent.name for agent in inputs.surroundings.agents)
    name = next((name for name in known if name in inputs.activity), "")
    if inputs.minutes < MEETING_MINUTES_MIN or any(name in one for one in inputs.done):
        name = ""
    actions = _actions(inputs, name, chance, content)
    taken = sum(walks_before(inputs, [action.area for action, _ in actions]))
    taken += sum(minutes for *_, minutes in MEETING) if name else 0
    if 0 < taken <= inputs.minutes - inputs.minutes_min:
        shorter = replace(inputs, to_minute=inputs.to_minute - taken)
        actions = _actions(shorter, name, chance, content)
    return task.in_turn(inputs, actions)


def _actions(
    inputs: HourActionsInput, name: str, chance: Chance, content: Content
) -> list[tuple[task.HourAction, int]]:
    """Return the actions and their minutes, before them the meeting with that agent, if any."""
    steps = steps_of_hour(inputs, chance, content)
    texts = [step.doing for step in steps]
    areas = areas_of(inputs, texts, content)
    objects = objects_of(inputs, texts, areas, content)
    parts = zip(steps, areas, objects, strict=True)
    actions = [
        (_action(inputs, step, area, used, content), step.minutes) for step, area, used in parts
    ]
    return [*_meeting(inputs, name, areas[0], content), *actions] if name else actions


def _meeting(
    inputs: HourActionsInput, name: str, area: AreaOption, content: Content
) -> list[tuple[task.HourAction, int]]:
    greet = INTENTS.fill("greet", other=name)
    met = []
    for kind, speaks, doing, minutes in MEETING:
        step = Step(doing.format(name=name), minutes)
        act = task.ActWithAgent(kind=kind, agent=name, about=greet if speaks else "")
        action = _action(inputs, step, area, "", content)
        met.append((action.model_copy(update={"act": act}), minutes))
    return met


def _action(
    inputs: HourActionsInput, step: Step, area: AreaOption, used: str, content: Content
) -> task.HourAction:
    remembered = f"{inputs.agent_name} is {step.doing}"
    return task.HourAction(
        description=step.doing,
        starts=clock_text(inputs.from_minute),
        area=area.name,
        object=f"{area.name}: {used}" if used else task.NO_OBJECT,
        object_state=state_of(step.doing, used, content.at(area.path)),
        emoji=emoji_of(step.doing, used, content.at(area.path)),
        importance=importance_of(remembered, MemoryOrigin.OWN_ACTION),
        with_agents=tuple(name for name in inputs.company if name in step.doing),
    )
