"""Reuse of known hours: planned once, varied by chance, and planned anew for news (P1)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.dialogue.commitments import OpenCommitment
from apps.planning.events import ActionsPlanned, PlannedAction
from apps.planning.inputs import ActivitiesAgreed
from apps.planning.llm_tasks.hour_actions import hour_as_planned
from apps.planning.llm_tasks.revised_hours import plan_unchanged
from apps.planning.reuse import KnownHour
from apps.simulation.turn.context.outcome import (
    FollowPlan,
    Perform,
    RevisePlan,
    Turn,
)
from apps.simulation.turn.perform.plan import plan
from tests.support.builders import open_commitment, set_state
from tests.support.turns import (
    BEDROOM,
    BEN,
    KITCHEN,
    OVER,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    events_of,
    item,
    run,
    tick_at,
)

SOURCE = "2520/ada-finch/3"
MODEL = {"planning.hour_actions": hour_as_planned, "planning.revised_hours": plan_unchanged}


def known(*lengths: int, event: str = SOURCE) -> KnownHour:
    """Return an hour that was planned at 7:00 am: actions of these minutes at the table."""
    tick, actions = tick_at("7:00"), []
    for number, minutes in enumerate(lengths, start=100):
        actions.append(
            PlannedAction(
                number=number,
                parent=2,
                description=f"step {number}",
                area=KITCHEN,
                object=TABLE,
                object_state="covered with paper",
                emoji="📝",
                from_tick=tick,
                to_tick=tick + 6 * minutes,
                asleep=False,
                importance=2,
            )
        )
        tick += 6 * minutes
    return KnownHour(event=event, planned_tick=tick_at("7:00"), actions=tuple(actions))


HOUR = item("hour", "10:00", "11:00")
RECORDS = replace(PLANNED, action=None, hours=(HOUR,), known_hours=(known(15, 15, 15, 15),))


def planned(scene: Scene, **so_far: Any) -> ActionsPlanned:
    """Return the actions that the turn plans."""
    outcome = outcome_of(scene, **so_far)
    [event] = [one for one in events_of(outcome) if isinstance(one, ActionsPlanned)]
    return event


def outcome_of(scene: Scene, **so_far: Any) -> Turn:
    return run(plan, scene.context(), **{"intention": FollowPlan()} | so_far)


def lengths(event: ActionsPlanned) -> list[int]:
    return [(one.to_tick - one.from_tick) // 6 for one in event.items]


class TestReuse:
    def test_repeats_the_actions_without_a_call(self) -> None:
        scene = Scene(own=OVER, records=RECORDS)
        outcome = outcome_of(scene)
        assert scene.model.asked == []
        [event] = events_of(outcome)
        assert isinstance(event, ActionsPlanned)
        assert event.reused_from == outcome.events[0].cause == SOURCE
        assert event.parent == HOUR.number
        assert [one.description for one in event.items] == [
            "step 100",
            "step 101",
            "step 102",
            "step 103",
        ]
        assert [one.number for one in event.items] == [10, 11, 12, 13]
        assert (event.items[0].from_tick, event.items[-1].to_tick) == (
            HOUR.from_tick,
            HOUR.to_tick,
        )
        assert isinstance(outcome.intention, Perform)
        assert outcome.intention.cause == outcome.last_event

    def test_varies_the_lengths_by_chance_within_their_bounds(self) -> None:
        found = [
            lengths(planned(Scene(own=OVER, records=RECORDS, seed=seed))) for seed in range(20)
        ]
        assert len({tuple(one) for one in found}) > 3
        assert all(sum(one) == 60 for one in found)
        assert all(min(one) >= 5 for one in found)

    def test_shortens_all_actions_for_a_shorter_hour(self) -> None:
        """A dinner at the end is not the one that has no time left."""
        records = replace(RECORDS, known_hours=(known(15, 15, 15, 15, 15, 15),))
        fitted = [
            lengths(planned(Scene(own=OVER, records=records, seed=seed))) for seed in range(20)
        ]
        last = [minutes[-1] for minutes in fitted]
        assert 8 * len(last) <= sum(last) <= 12 * len(last)

    def test_is_the_same_for_the_same_seed(self) -> None:
        first, second = (planned(Scene(own=OVER, records=RECORDS)) for _ in range(2))
        assert first == second

    def test_chooses_among_several_known_hours(self) -> None:
        hours = (known(30, 30), known(20, 40, event="1/ada-finch/1"))
        records = replace(RECORDS, known_hours=hours)
        scenes = [Scene(own=OVER, records=records, seed=seed) for seed in range(10)]
        assert {planned(one).reused_from for one in scenes} == {SOURCE, "1/ada-finch/1"}


def agreement(start: int, end: int) -> OpenCommitment:
    return open_commitment(
        "1/ada-finch/0", BEN, "play chess", "2024-06-03", (start, end), place=KITCHEN
    )


FLOURED = set_state(TABLE, "covered with flour", 3_500)
NEW: dict[str, dict[str, Any]] = {
    "an agreement for the hour": {
        "records": replace(RECORDS, commitments=(agreement(630, 690),))
    },
    "an object in another state": {"set_states": (FLOURED,)},
    "an object that is gone": {"known": (KITCHEN, BEDROOM, STOVE)},
    "more time than before": {
        "records": replace(RECORDS, known_hours=(known(20, 20),)),
    },
    "far less time than before": {
        "records": replace(RECORDS, known_hours=(known(60, 60, 15),)),
    },
    "the same action once more": {"own": replace(OVER, description="step 100")},
    "nothing known": {"records": replace(RECORDS, known_hours=())},
}


class TestNews:
    @pytest.mark.parametrize("new", NEW)
    def test_makes_the_model_plan_the_hour(self, new: str) -> None:
        facts: dict[str, Any] = {"own": OVER, "records": RECORDS, "script": MODEL}
        scene = Scene(**facts | NEW[new])
        assert planned(scene).reused_from == ""
        assert len(scene.model.asked) == 1

    def test_of_another_time_does_not(self) -> None:
        records = replace(RECORDS, commitments=(agreement(660, 720),))
        assert planned(Scene(own=OVER, records=records)).reused_from == SOURCE

    def test_that_was_there_when_the_hour_was_planned_does_not(self) -> None:
        seen = {STOVE: "boiling over"}
        assert planned(Scene(own=OVER, records=RECORDS, noticed=seen)).reused_from == SOURCE

    def test_that_revises_the_day_makes_the_model_plan_the_hour(self) -> None:
        scene = Scene(own=OVER, records=RECORDS, script=MODEL)
        revision = RevisePlan(reasons=(ActivitiesAgreed(activities=()),))
        assert planned(scene, intention=revision).reused_from == ""
