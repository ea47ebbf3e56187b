"""The tasks of planning the hours of a day: at first (P1), and again for its rest (X2)."""

from collections.abc import Iterable, Sequence

from apps.kernel.game_time import parse_clock
from apps.memory.events import ScheduledActivity
from apps.planning import inputs as given
from apps.planning.answered_times import clock_text
from apps.planning.inputs import HourlyPlanInput, HourSlot, RevisedHoursInput
from apps.planning.llm_tasks.hourly_plan import HourActivity, HourlyPlan
from apps.planning.llm_tasks.revised_hours import HourChange, RevisedHours
from apps.rule_model.content import Activity, Content, Hour, Vocabulary
from apps.rule_model.knowledge.gatherings import called_off
from apps.rule_model.language.moments import HOUR
from apps.rule_model.model import Chance
from apps.rule_model.planning import commitments, wording
from apps.rule_model.planning.commitments import Commitment, Intention
from apps.rule_model.planning.rooms import Surroundings, surroundings_of
from apps.rule_model.planning.timeline import ACTIVITY_CHARACTERS_MAX
from apps.rule_model.planning.wording import Stated

REST_AFTER = "rest a while after {meal}"
DAYLIGHT = frozenset(range(7 * HOUR, 19 * HOUR + 1))
SLOT_MINUTES_MIN = 30
NOT_FREE = frozenset({"meal", "routine", "duty"})


def hourly_plan(inputs: HourlyPlanInput, chance: Chance, content: Content) -> HourlyPlan:
    """Return one activity for each slot, at the place that its chunk or its step names."""
    where = surroundings_of(inputs, content)
    places = _places(inputs.slots, where)
    entries = _entries(inputs.slots, places, where)
    kinds = [content.at(places[at]).activity_for(step.text) for at, step in entries]
    texts: list[str] = []
    for index, (at, step) in enumerate(entries):
        turn = _turn(inputs, places[at])
        fitting = kinds[index].hours_at(_position(kinds, index))
        texts.append(_hour_text(step.text, kinds[index], fitting, texts, turn, chance))
    told: list[list[Stated]] = [[] for _ in places]
    for (at, step), text in zip(entries, texts, strict=True):
        told[at].append(Stated(step.start, text))
    return HourlyPlan(
        hours=[
            HourActivity(time=at + 1, activity=_in_one(steps), place=places[at])
            for at, steps in enumerate(told)
        ]
    )


def _in_one(steps: Sequence[Stated]) -> str:
    """Return the steps of an hour as one activity, the last alone where all are too long."""
    text = steps[0].text
    for step in steps[1:]:
        text = wording.joint(text, step.start, step.text)
    return text if len(text) <= ACTIVITY_CHARACTERS_MAX else steps[-1].text


def _stated(slots: Sequence[HourSlot]) -> Iterable[tuple[HourSlot, list[Stated]]]:
    """Yield each slot with the steps of its chunk, which began with an earlier slot."""
    begun = slots[0] if slots else None
    for slot in slots:
        if begun is None or (slot.activity, slot.place) != (begun.activity, begun.place):
            begun = slot
        yield slot, wording.steps_in(slot.activity, begun.from_minute)


def _places(slots: Sequence[HourSlot], where: Surroundings) -> list[str]:
    """Return where each slot is spent: a chunk of several steps may name several places."""
    places = []
    for slot, steps in _stated(slots):
        place = slot.place
        if len(steps) > 1:
            main = wording.longest(steps, slot.from_minute, slot.to_minute)
            named = where.named(main.text) if main is not steps[0] else ""
            place = where.narrowed(named, main.text) if named else slot.place
        is_open = where.lets_in(place, slot.from_minute, slot.to_minute)
        places.append(place if is_open else slot.place)
    return places


def _entries(
    slots: Sequence[HourSlot], places: Sequence[str], where: Surroundings
) -> list[tuple[int, Stated]]:
    """Return what each slot is for, with its index; a chunk of several things is shared out."""
    entries: list[tuple[int, Stated]] = []
    stated = list(_stated(slots))
    for index, (slot, steps) in enumerate(stated):
        vocabulary = where.content.at(places[index])
        here = [
            step
            for step in wording.shares(steps, slot.from_minute, slot.to_minute)
            if len(steps) == 1 or _is_at(step, places[index], slot, where)
        ]
        shared = here or [wording.longest(steps, slot.from_minute, slot.to_minute)]
        if index and stated[index - 1][1] == steps:
            shared[0] = _once(shared[0], entries[-1][1].text, vocabulary)
        entries.extend((index, step) for step in shared)
    return entries


def _is_at(step: Stated, place: str, slot: HourSlot, where: Surroundings) -> bool:
    """Whether the step is done at the place of its slot."""
    named = where.named(step.text) or slot.place
    return named.partition(": ")[0] == place.partition(": ")[0]


def _once(step: Stated, before: str, vocabulary: Vocabulary) -> Stated:
    """Return the step; a meal that was eaten is rested after."""
    kind, done = vocabulary.activity_for(step.text), vocabulary.activity_for(before)
    if kind.role != "meal" or not (before == step.text or done.stage == "eaten"):
        return step
    words = wording.wording_of(step.text, kind)
    return Stated(step.start, words.fill(kind.after or REST_AFTER))


def _turn(inputs: HourlyPlanInput, place: str) -> int:
    """Return whose turn it is of the people who share the place: another each day."""
    residents = next((at.residents for at in inputs.places if at.path == place), ())
    order = residents.index(inputs.agent_name) if inputs.agent_name in residents else 0
    return order + inputs.date.toordinal()


def _position(kinds: Sequence[Activity], index: int) -> str:
    """Return "first" for a kind's first hour of the day, "last" for its last one."""
    same = [at for at, kind in enumerate(kinds) if kind is kinds[index]]
    if len(same) > 1 and index == same[0]:
        return "first"
    return "last" if len(same) > 1 and index == same[-1] else "any"


def _hour_text(
    step: str,
    kind: Activity,
    hours: Sequence[Hour],
    used: Sequence[str],
    turn: int,
    chance: Chance,
) -> str:
    """Return the hour's words; an activity with one sort of hour keeps the plan's words."""
    if len(kind.hours) == 1 and not kind.by_turns:
        return step
    words = wording.wording_of(step, kind)
    told = [wording.seated(words.fill(one.text), step) if one.text else step for one in hours]
    if kind.by_turns:
        return told[turn % len(told)]
    fresh = [text for text in told if text not in used[-2:]] or told
    rare = [text for text in fresh if text not in used] or fresh
    return chance.choice(rare, "hour", len(used))


def revised_hours(inputs: RevisedHoursInput, _: Chance, content: Content) -> RevisedHours:
    """Return what was agreed to and decided as changes of the plan."""
    where = surroundings_of(inputs, content)
    adopted = [one for one in inputs.reasons if isinstance(one, given.AdoptedThought)]
    is_off = called_off((one.thought for one in adopted), inputs.date)
    deeds = (one.deed for one in adopted if one.deed and not one.minutes_now)
    decided = [ScheduledActivity(activity=deed) for deed in deeds]
    agreements = [one for one in inputs.agreements if not is_off(one.activity)]
    changes: list[HourChange] = []
    fixed = [commitments.scheduled_on(one, where, inputs.date, inputs.date) for one in decided]
    for one in (*fixed, *commitments.agreed_on(agreements, where, inputs.date)):
        if one is not None and not _is_taken(changes, one.start, one.end):
            changes += _put(inputs.slots, one, where)
    for deed in decided:
        for intention in commitments.intention_in(deed, where, inputs.date, inputs.date):
            free = [slot for slot in inputs.slots if _is_free(slot, where)]
            free = [at for at in free if not _is_taken(changes, at.from_minute, at.to_minute)]
            changes += _put_intention(free, intention, where)
    agreed = [one for one in inputs.reasons if isinstance(one, given.ActivitiesAgreed)]
    cancelled = [one.activity for of in agreed for one in of.activities if one.cancelled]
    planned = (slot.activity for slot in inputs.slots)
    over = (is_off(one) or any(it in one for it in cancelled) for one in planned)
    dropped = [at for at, is_over in enumerate(over, start=1) if is_over]
    return RevisedHours(changes=changes, dropped=dropped)


def _is_taken(changes: Sequence[HourChange], start: int, end: int) -> bool:
    times = ((parse_clock(one.starts) or 0, parse_clock(one.ends) or 0) for one in changes)
    return any(begun < end and start < ended for begun, ended in times)


def _put(slots: Sequence[HourSlot], one: Commitment, where: Surroundings) -> list[HourChange]:
    """Return the change for the commitment, none where it is planned or the place is closed."""
    start = max(one.start, slots[0].from_minute)
    end = min(one.end, slots[-1].to_minute)
    there = [slot for slot in slots if slot.from_minute < end and start < slot.to_minute]
    kept = (at.to_minute for at in there if _is_kept(at, where) and at.place != one.place)
    start = one.begins(start, end, kept)
    is_put = all(slot.place == one.place and one.activity in slot.activity for slot in there)
    if end <= start or is_put or not where.lets_in(one.place, one.start, one.end):
        return []
    later = (end, end + SLOT_MINUTES_MIN)  # the meal that the commitment puts off
    put_in = [slot for slot in there if start + SLOT_MINUTES_MIN <= slot.to_minute <= end]
    meals = [slot for slot in put_in if _roles(slot, where) == {"meal"}]
    meals = [slot for slot in meals if where.lets_in(slot.place, *later)][:1]
    put_off = [_change(*later, slot.activity, slot.place) for slot in meals]
    return [_change(start, end, one.activity, one.place), *put_off]


def _put_intention(
    free: Sequence[HourSlot], one: Intention, where: Surroundings
) -> list[HourChange]:
    place = one.place or where.home
    fitting = [slot for slot in free if where.lets_in(place, slot.from_minute, slot.to_minute)]
    light = [one for one in fitting if {one.from_minute, one.to_minute} <= DAYLIGHT] or fitting
    chosen = light[:1] if one.is_errand else [*light[:1], *light[1:][-1:]]
    return [_change(slot.from_minute, slot.to_minute, one.activity, place) for slot in chosen]


def _change(start: int, end: int, activity: str, place: str) -> HourChange:
    starts, ends = clock_text(start), clock_text(end)
    return HourChange(starts=starts, ends=ends, activity=activity, place=place)


def _is_free(slot: HourSlot, where: Surroundings) -> bool:
    """Whether the slot holds no meal, no duty and no place that the agent keeps."""
    is_long = slot.to_minute - slot.from_minute >= SLOT_MINUTES_MIN
    free = NOT_FREE.isdisjoint(_roles(slot, where))
    return is_long and free and not _is_kept(slot, where)


def _is_kept(slot: HourSlot, where: Surroundings) -> bool:
    """Whether the slot is spent in a place that the agent keeps open."""
    place = where.offered(slot.place)
    return place is not None and place.opens is not None and where.is_keeper(place)


def _roles(slot: HourSlot, where: Surroundings) -> set[str]:
    kinds = where.content.at(slot.place)
    steps = wording.steps_in(slot.activity, slot.from_minute)
    return {kinds.activity_for(step.text).role for step in steps}
