"""The rest of a day planned again: what is agreed and decided is put in, the rest stays."""

from datetime import datetime

import pytest

from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    HourSlot,
    ReactionReason,
    RevisedHoursInput,
    RevisionReason,
    UserControlEnded,
)
from apps.planning.llm_tasks.hourly_plan import HourActivity
from apps.rule_model.tasks import task_rules
from tests.unit.rule_model.lives import (
    HOUR,
    SAINT_BRANNOC,
    chance,
    content,
    memory,
    outline_input,
    plan_day,
)

EDMUND = "Edmund Hale"
SLOTS = (
    (13, 14, "take some free time", "The Dorter"),
    (14, 15, "weed the herb beds", "The Physic Garden: garden"),
    (15, 16, "mind the goats", "The Physic Garden: goat pen"),
    (17, 18, "have dinner in the eating hall of The Refectory", "The Refectory: eating hall"),
    (19, 20, "read a book", "The Dorter"),
)


def revised(
    *reasons: RevisionReason, memories: tuple[MemoryItem, ...] = ()
) -> list[HourActivity]:
    outline = outline_input(SAINT_BRANNOC, EDMUND)
    inputs = RevisedHoursInput(
        agent_name=EDMUND,
        summary=outline.summary,
        memories=memories,
        date=outline.date,
        now_minute=12 * HOUR + 30,
        reasons=reasons,
        slots=tuple(
            HourSlot(from_minute=start * HOUR, to_minute=end * HOUR, activity=what, place=where)
            for start, end, what, where in SLOTS
        ),
        places=outline.places,
    )
    answer = task_rules(content())["planning.revised_hours"](
        inputs, chance("revised_hours", "1")
    )
    assert [hour.time for hour in answer.hours] == [1, 2, 3, 4, 5]
    return list(answer.hours)


def as_planned() -> list[tuple[str, str]]:
    return [(what, where) for _, _, what, where in SLOTS]


def told(hours: list[HourActivity]) -> list[tuple[str, str]]:
    return [(hour.activity, hour.place) for hour in hours]


def test_keeps_the_rest_for_a_reaction_and_after_control_by_a_user() -> None:
    reasons = (
        ReactionReason(observation="the bread oven is burning", activity="put out the fire"),
        UserControlEnded(since=datetime(1147, 3, 5, 12), activities=("ringing the bell",)),
    )
    assert told(revised(*reasons)) == as_planned()


def test_puts_an_agreement_at_its_time_and_place() -> None:
    agreed = ScheduledActivity(
        activity="help Wulfstan Cook with the feast",
        place="The Refectory",
        starts=datetime(1147, 3, 5, 14),
        ends=datetime(1147, 3, 5, 15),
    )
    hours = told(revised(ActivitiesAgreed(activities=(agreed,))))
    assert hours[1][0] == "help Wulfstan Cook with the feast"
    assert hours[1][1].startswith("The Refectory")
    assert hours[:1] + hours[2:] == as_planned()[:1] + as_planned()[2:]


def test_leaves_out_an_agreement_of_another_day() -> None:
    agreed = ScheduledActivity(activity="swim", starts=datetime(1147, 3, 6, 14))
    assert told(revised(ActivitiesAgreed(activities=(agreed,)))) == as_planned()


def test_remembers_an_earlier_agreement() -> None:
    known = memory(
        "whatever it says",
        origin=MemoryOrigin.AGREED,
        formed_at=datetime(1147, 3, 5, 9),
        scheduled=ScheduledActivity(
            activity="meet Aldwin Prior",
            place="The Priory Church",
            starts=datetime(1147, 3, 5, 19),
        ),
    )
    hours = told(revised(memories=(known,)))
    assert hours[4][0] == "meet Aldwin Prior"


@pytest.mark.parametrize(
    ("deed", "times"),
    [("learn to sail", 2), ("walk to The Priory Church on March 5, 1147", 1)],
)
def test_gives_free_hours_to_a_decision(deed: str, times: int) -> None:
    thought = AdoptedThought(thought="…", deed=deed, minutes_now=0)
    hours = told(revised(thought))
    changed = [
        after for after, before in zip(hours, as_planned(), strict=True) if after != before
    ]
    assert len(changed) == times
    assert hours[3] == as_planned()[3], "a meal stays"
    assert all("on March" not in activity for activity, _ in changed)


def test_does_nothing_again_that_is_done_at_once() -> None:
    thought = AdoptedThought(thought="…", deed="wash the brushes", minutes_now=30)
    assert told(revised(thought)) == as_planned()


def test_keeps_an_agreement_in_the_next_outline() -> None:
    agreed = memory(
        "whatever it says",
        number=90,
        origin=MemoryOrigin.AGREED,
        scheduled=ScheduledActivity(
            activity="clean the altar",
            place="The Priory Church",
            starts=datetime(1147, 3, 6, 14),
        ),
    )
    day = plan_day(SAINT_BRANNOC, EDMUND, day=1, memories=(agreed,))
    hour = next(one for one in day.hours if one.from_minute <= 14 * HOUR + 20 < one.to_minute)
    assert "clean" in hour.activity
    assert hour.place.startswith("The Priory Church")
