"""The rest of a day planned again: what is agreed and decided is put in, the rest stays."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.agents.status import Agreement
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    HourSlot,
    ReactionReason,
    RevisedHoursInput,
    RevisionReason,
    UserControlEnded,
)
from apps.planning.llm_tasks.revised_hours import HourChange
from apps.rule_model.tasks import task_rules
from tests.unit.rule_model.lives import (
    HOUR,
    SAINT_BRANNOC,
    SMALLVILLE,
    chance,
    content,
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
    *reasons: RevisionReason, agreements: tuple[Agreement, ...] = ()
) -> list[HourChange]:
    outline = outline_input(SAINT_BRANNOC, EDMUND)
    inputs = RevisedHoursInput(
        agent_name=EDMUND,
        summary=outline.summary,
        memories=(),
        agreements=agreements,
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
    assert answer.dropped == []
    return list(answer.changes)


def test_keeps_the_rest_for_a_reaction_and_after_control_by_a_user() -> None:
    reasons = (
        ReactionReason(observation="the bread oven is burning", activity="put out the fire"),
        UserControlEnded(since=datetime(1147, 3, 5, 12), activities=("ringing the bell",)),
    )
    assert revised(*reasons) == []


def agreement(activity: str, place: str, *, day: int = 5, hour: int = 14) -> Agreement:
    return Agreement(
        activity=activity,
        place=place,
        starts=datetime(1147, 3, day, hour),
        ends=datetime(1147, 3, day, hour + 1),
        other="Wulfstan Cook",
    )


def test_puts_an_agreement_at_its_time_and_place() -> None:
    agreed = agreement("help Wulfstan Cook with the feast", "The Refectory")
    [change] = revised(ActivitiesAgreed(activities=()), agreements=(agreed,))
    assert (change.starts, change.ends) == ("14:00", "15:00")
    assert change.activity == "help Wulfstan Cook with the feast"
    assert change.place.startswith("The Refectory")


def test_puts_off_a_meal_until_an_agreement_is_over() -> None:
    agreed = agreement("help Wulfstan Cook with the feast", "The Refectory", hour=17)
    helping, dinner = revised(ActivitiesAgreed(activities=()), agreements=(agreed,))
    assert (helping.starts, helping.ends) == ("17:00", "18:00")
    assert (dinner.starts, dinner.ends) == ("18:00", "18:30")
    assert (dinner.activity, dinner.place) == (SLOTS[3][2], SLOTS[3][3])


def test_puts_an_agreement_after_the_hours_of_a_kept_place_if_it_can_wait() -> None:
    outline = outline_input(SMALLVILLE, "Carmen Ortiz")
    shop = HourSlot(
        from_minute=14 * HOUR,
        to_minute=18 * HOUR + 5,
        activity="serve the customers of Harvey Oak Supply Store",
        place="Harvey Oak Supply Store",
    )
    evening = HourSlot(
        from_minute=shop.to_minute, to_minute=20 * HOUR, activity="read", place=outline.home
    )
    party = Agreement(
        activity="come to Isabella Rodriguez's Valentine's Day party",
        place="Hobbs Cafe",
        starts=datetime(2023, 2, 13, 17),
        ends=datetime(2023, 2, 13, 19),
        other="Isabella Rodriguez",
    )
    inputs = RevisedHoursInput(
        agent_name=outline.agent_name,
        summary=outline.summary,
        memories=(),
        agreements=(party,),
        date=outline.date,
        now_minute=14 * HOUR,
        reasons=(ActivitiesAgreed(activities=()),),
        slots=(shop, evening),
        places=outline.places,
    )
    rule = task_rules(content())["planning.revised_hours"]
    [change] = rule(inputs, chance("revised_hours", "1")).changes
    assert (change.starts, change.ends) == ("18:05", "19:00")
    all_day = replace(inputs, slots=(replace(shop, to_minute=20 * HOUR),))
    [change] = rule(all_day, chance("revised_hours", "1")).changes
    assert (change.starts, change.ends) == ("17:00", "19:00")  # a promise is kept


def test_leaves_out_an_agreement_of_another_day() -> None:
    assert revised(agreements=(agreement("swim", "The Refectory", day=6),)) == []


@pytest.mark.parametrize(
    ("deed", "times"),
    [("learn to sail", 2), ("walk to The Priory Church on March 5, 1147", 1)],
)
def test_gives_free_hours_to_a_decision(deed: str, times: int) -> None:
    thought = AdoptedThought(thought="…", deed=deed, minutes_now=0)
    changes = revised(thought)
    assert len(changes) == times
    assert "17:00" not in [change.starts for change in changes], "a meal stays"
    assert all("on March" not in change.activity for change in changes)


def test_does_nothing_again_that_is_done_at_once() -> None:
    thought = AdoptedThought(thought="…", deed="wash the brushes", minutes_now=30)
    assert revised(thought) == []


def test_keeps_an_agreement_in_the_next_outline() -> None:
    agreed = agreement("clean the altar", "The Priory Church", day=6)
    day = plan_day(SAINT_BRANNOC, EDMUND, day=1, agreements=(agreed,))
    hour = next(one for one in day.hours if one.from_minute <= 14 * HOUR + 20 < one.to_minute)
    assert "clean" in hour.activity
    assert hour.place.startswith("The Priory Church")


def test_drops_the_gathering_that_the_agent_calls_off() -> None:
    outline = outline_input(SMALLVILLE, "Isabella Rodriguez")
    hours = (
        (14, 16, "decorate the cafe for the Valentine's Day party"),
        (16, 17, "serve the customers of Hobbs Cafe"),
        (17, 19, "host the Valentine's Day party"),
    )
    inputs = RevisedHoursInput(
        agent_name=outline.agent_name,
        summary=outline.summary,
        memories=(),
        agreements=(
            Agreement(
                activity="host the Valentine's Day party",
                place="Hobbs Cafe",
                starts=datetime(2023, 2, 13, 17),
                ends=datetime(2023, 2, 13, 19),
                other="Klaus Mueller",
            ),
        ),
        date=outline.date,
        now_minute=14 * HOUR,
        reasons=(
            AdoptedThought(
                thought="Isabella Rodriguez is too tired to give a Valentine's Day party. "
                "Isabella Rodriguez is going to cancel it",
                deed="cancel it",
                minutes_now=0,
            ),
        ),
        slots=tuple(
            HourSlot(
                from_minute=one * HOUR, to_minute=to * HOUR, activity=what, place="Hobbs Cafe"
            )
            for one, to, what in hours
        ),
        places=outline.places,
    )
    answer = task_rules(content())["planning.revised_hours"](
        inputs, chance("revised_hours", "1")
    )
    assert answer.dropped == [1, 3]
    assert not [change for change in answer.changes if "party" in change.activity]
