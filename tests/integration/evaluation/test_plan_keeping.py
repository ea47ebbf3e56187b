"""Planned actions and what became of them, in a morning that is written by hand."""

from dataclasses import replace

import pytest

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind
from apps.evaluation.social.social_measures import PlanKeeping, plan_keeping
from apps.planning.events import ActionsPlanned, PlannedAction
from tests.support.handwritten import HandwrittenHistory

pytestmark = pytest.mark.django_db

KLAUS, MARIA = "klaus-mueller", "maria-lopez"
CAFE = "Hobbs Cafe: cafe"
HOUR = 901


@pytest.fixture
def history() -> HandwrittenHistory:
    """Return a morning that Klaus has planned from eight to eleven.

    He began the actions 1, 4 and 5: 1 for 20 minutes in two parts, 4 for a minute, and 5, which
    he is still doing. He did not begin 2 and 3. The others do not count: 6 is asleep, 7 an act
    with Maria, and 8 is over after eleven.
    """
    history = HandwrittenHistory("Klaus Mueller", "Maria Lopez")
    planned = [
        _planned(history, 1, "08:00", "08:30"),
        _planned(history, 2, "08:30", "08:45"),
        _planned(history, 3, "08:45", "09:00"),
        _planned(history, 4, "09:00", "09:30"),
        _planned(history, 5, "09:30", "10:00"),
        replace(_planned(history, 6, "10:00", "10:15"), asleep=True),
        replace(_planned(history, 7, "10:15", "10:30"), act=ActKind.TALK_TO, other=MARIA),
        _planned(history, 8, "10:30", "11:30"),
    ]
    history.append("07:00", KLAUS, ActionsPlanned(parent=HOUR, items=tuple(planned)))
    _act(history, "08:00", 1)
    _act(history, "08:10", 1, ActionKind.TALKING)
    _act(history, "08:20", 1)
    # He walks to the place of the second and waits for it; neither is the action.
    _act(history, "08:30", 2, ActionKind.WALKING)
    _act(history, "08:35", 2, ActionKind.WAITING)
    _act(history, "09:00", 4)
    _act(history, "09:01", 4, ActionKind.TALKING)
    _act(history, "09:40", 5)
    # Maria does the action of the same number; she has planned nothing.
    history.append("08:30", MARIA, history.acting(CAFE, plan_item=2))
    history.append("08:40", MARIA, history.acting(CAFE, kind=ActionKind.IDLE))
    return history


def _planned(history: HandwrittenHistory, number: int, begins: str, ends: str) -> PlannedAction:
    return PlannedAction(
        number=number,
        parent=HOUR,
        description=f"action {number}",
        area=CAFE,
        object="",
        object_state="",
        emoji="📝",
        from_tick=history.tick(begins),
        to_tick=history.tick(ends),
        asleep=False,
    )


def _act(
    history: HandwrittenHistory,
    time: str,
    plan_item: int,
    kind: ActionKind = ActionKind.PLANNED,
) -> None:
    history.append(time, KLAUS, history.acting(CAFE, plan_item=plan_item, kind=kind))


def kept(history: HandwrittenHistory, time: str) -> PlanKeeping:
    return plan_keeping(history.id, as_of_tick=history.tick(time))


def test_counts_the_actions_whose_time_is_over(history: HandwrittenHistory) -> None:
    assert kept(history, "08:29:50") == PlanKeeping(planned=0, begun=0, short=0)
    assert kept(history, "08:30") == PlanKeeping(planned=1, begun=1, short=0)
    assert kept(history, "09:00") == PlanKeeping(planned=3, begun=1, short=0)
    assert kept(history, "09:30") == PlanKeeping(planned=4, begun=2, short=1)
    found = kept(history, "11:00")
    assert found == PlanKeeping(planned=5, begun=3, short=1)
    assert found.begun_share == 0.6


def test_counts_an_action_that_is_still_done(history: HandwrittenHistory) -> None:
    # Nothing ends the fifth action by then.
    assert kept(history, "10:00").begun == 3
    _act(history, "10:05", 0, ActionKind.IDLE)
    assert kept(history, "11:00").begun == 3


def test_leaves_out_what_a_revision_took_away(history: HandwrittenHistory) -> None:
    # At 9:42 he plans the rest of the morning anew from 9:45 on.
    revised = _planned(history, 9, "09:45", "10:45")
    history.append("09:42", KLAUS, ActionsPlanned(parent=HOUR, items=(revised,)))
    assert kept(history, "09:45").planned == 5  # what is left of the fifth is over
    found = kept(history, "11:00")
    assert found == PlanKeeping(planned=6, begun=3, short=1)
    # A moment of before knows nothing of the revision.
    assert kept(history, "09:41") == PlanKeeping(planned=4, begun=2, short=1)


def test_of_nothing_has_no_share(history: HandwrittenHistory) -> None:
    assert kept(history, "07:30").begun_share is None
