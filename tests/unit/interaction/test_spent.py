"""How an agent has spent its time: stays by hours, from its track alone."""

from datetime import datetime, timedelta

from apps.agents.track import Action, Movement, Track
from apps.interaction.context import SPENT_MAX, time_spent

ASLEEP = {"lying down", "dozing"}
HOME, PARK = (0, 0), (9, 9)
MIDNIGHT, MINUTE = datetime(1410, 3, 3), timedelta(minutes=1)
PLACES = {HOME: "the kitchen", PARK: "the park"}


def action(
    from_tick: int, description: str, *, asleep: bool = False, towards: str = ""
) -> Action:
    return Action(
        from_tick=from_tick,
        until_tick=from_tick + 1,
        description=description,
        emoji="",
        area="",
        object="",
        object_state="",
        asleep=asleep,
        towards=towards,
        plan_item=0,
        event="",
    )


def spent(
    *pieces: tuple[Action, tuple[int, int]], minutes: range
) -> list[tuple[int, int, str, str]]:
    """Return how the minutes after midnight were spent; a tick is a minute."""
    track = Track(
        agent="osric",
        name="Osric",
        movements=[Movement(from_tick=one.from_tick, steps=(tile,)) for one, tile in pieces],
        actions=[one for one, _ in pieces],
    )
    starts = MIDNIGHT + minutes.start * MINUTE
    went = time_spent(
        track,
        starts=starts,
        now=MIDNIGHT + (minutes.stop - 1) * MINUTE,
        tick_at=lambda time: (time - starts) // MINUTE,
        place_at=PLACES.__getitem__,
    )
    assert all(one.is_asleep == (one.activity in ASLEEP) for one in went)
    return [
        (
            (one.starts - MIDNIGHT) // MINUTE,
            (one.ends - MIDNIGHT) // MINUTE,
            one.activity,
            one.place,
        )
        for one in went
    ]


def test_is_listed_by_stays_and_hours_with_what_was_done_most() -> None:
    went = spent(
        (action(0, "lying down", asleep=True), HOME),
        (action(22, "dozing", asleep=True), HOME),
        (action(30, "eating"), HOME),
        (action(70, "cleaning"), HOME),
        (action(80, "eating"), HOME),
        (action(130, "walking home", towards="x"), PARK),
        (action(160, "feeding ducks"), PARK),
        minutes=range(-30, 170),
    )
    assert went == [
        (-30, 0, "lying down", "the kitchen"),
        (0, 100, "eating", "the kitchen"),
        (100, 120, "walking home", "the park"),
        (120, 170, "feeding ducks", "the park"),
    ]


def test_leaves_out_places_that_were_only_passed() -> None:
    went = spent(
        (action(0, "eating"), HOME),
        (action(20, "walking"), PARK),
        (action(23, "cleaning"), HOME),
        minutes=range(60),
    )
    assert [place for _, _, _, place in went] == ["the kitchen", "the kitchen"]


def test_is_bounded() -> None:
    pieces = [(action(10 * n, f"deed {n}"), HOME if n % 2 else PARK) for n in range(200)]
    went = spent(*pieces, minutes=range(2_000))
    assert len(went) == SPENT_MAX
    assert went[-1][2] == "deed 199"
