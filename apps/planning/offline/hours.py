"""Says what each hour of an outlined day holds (stand-in, not a language model)."""

from collections.abc import Sequence
from itertools import groupby

from apps.llm.offline import Chance
from apps.planning.chains.hourly_plan import (
    HourActivity,
    HourlyPlan,
    HourSlot,
    HoursToPlan,
)
from apps.planning.offline.activities import activity_for
from apps.planning.offline.at_home import (
    BEDTIME,
    DINNER,
    LUNCH,
    MEAL_AT_WORK,
    MEAL_OUT,
    MORNING,
)
from apps.planning.offline.timeline import JOINT
from apps.planning.offline.vocabulary import THING, Activity, HourText, When

BRIEF = (BEDTIME, MORNING, LUNCH, DINNER, MEAL_OUT, MEAL_AT_WORK)


def hourly_plan(given: HoursToPlan, chance: Chance) -> HourlyPlan:
    """Return one activity for each slot, at the place that its chunk names."""
    steps = _steps(given.slots)
    kinds = [activity_for(step) for step in steps]
    texts: list[str] = []
    for index, (step, kind) in enumerate(zip(steps, kinds, strict=True)):
        when = _when(kinds, index)
        texts.append(_hour_text(step, kind, when, used=texts, chance=chance))
    return HourlyPlan(
        hours=[
            HourActivity(time=index + 1, activity=text, place=slot.place)
            for index, (slot, text) in enumerate(zip(given.slots, texts, strict=True))
        ]
    )


def _steps(slots: Sequence[HourSlot]) -> list[str]:
    """Return what each slot is for: chunks told as "…, then …" are shared out in order."""
    steps: list[str] = []
    for chunk, of_chunk in groupby(slots, key=lambda slot: slot.chunk):
        told, count = chunk.split(JOINT), len(list(of_chunk))
        steps.extend(_shared(told, count))
    return steps


def _shared(told: list[str], count: int) -> list[str]:
    """Share steps out over so many hours: meals, mornings and bedtime get one each."""
    if count < len(told):
        together = len(told) - count + 1
        return [JOINT.join(told[:together]), *told[together:]]
    lasting = [at for at, step in enumerate(told) if activity_for(step) not in BRIEF] or [0]
    shares = [1] * len(told)
    for extra in range(count - len(told)):
        shares[lasting[extra % len(lasting)]] += 1
    return [step for step, share in zip(told, shares, strict=True) for _ in range(share)]


def _when(kinds: Sequence[Activity | None], index: int) -> When:
    """Return FIRST for a kind's first hour of the day, LAST for its last one."""
    same = [at for at, kind in enumerate(kinds) if kind is kinds[index]]
    if len(same) > 1 and index == same[0]:
        return When.FIRST
    return When.LAST if len(same) > 1 and index == same[-1] else When.ANY


def _hour_text(
    step: str, kind: Activity | None, when: When, *, used: Sequence[str], chance: Chance
) -> str:
    if kind is None or JOINT in step:
        return step
    fitting = [hour for hour in kind.hours if hour.when is when]
    fitting = fitting or [hour for hour in kind.hours if hour.when is When.ANY]
    said = [_said(hour, kind, step) for hour in fitting]
    fresh = [text for text in said if text not in used[-2:]] or said
    rare = [text for text in fresh if text not in used] or fresh
    return chance.choice(rare, "hour", len(used))


def _said(hour: HourText, kind: Activity, step: str) -> str:
    """Return the hour's text; a meal or an outing keeps its own words, which name the place."""
    if len(kind.hours) == 1 and not hour.text.startswith(("wash", "get ready")):
        return step
    return hour.text.replace(THING, kind.thing_in(step))
