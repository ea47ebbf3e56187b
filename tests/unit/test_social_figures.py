"""The figures of the social life of a simulation, from its log."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from apps.agents.track import Movement, Track
from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.utterances import Ending
from apps.eventlog.event import Event, EventId, Recorded
from apps.history import DayRecord
from apps.kernel.game_time import GameCalendar
from benchmarks.social_figures import talk_figures
from tests.support.turns import ADA, BEN, CEM, COTTAGE, KITCHEN, action, identity, tile_in

LAST_TICK = 8_639
OPENINGS = "openings without an answer, %"
GAVE_WAY = "openings that gave way, % of conversations"
AGAIN = "again within an hour, % of conversations"


def recorded(tick: int, agent: str, event: Event) -> Recorded:
    return Recorded(
        simulation_id=UUID(int=1),
        place=EventId(tick, agent, 0),
        event=event,
        cause="",
        model_calls=(),
        position=tick,
        recorded_at=datetime(2024, 6, 3, tzinfo=UTC),
    )


def said(tick: int, agent: str, to: str, conversation: str, number: int = 1) -> Recorded:
    words = Said(
        conversation=conversation,
        to=to,
        number=number,
        text="Hello.",
        ends=False,
        memories=(),
    )
    return recorded(tick, agent, words)


def ended(tick: int, agent: str, other: str, conversation: str, why: Ending) -> Recorded:
    event = TalkEnded(conversation=conversation, other=other, why=why.value)
    return recorded(tick, agent, event)


def figures(*events: Recorded) -> dict[str, Any]:
    """Return the figures of a day of three agents in one room."""
    at_rest = Movement(from_tick=0, steps=(tile_in(KITCHEN),))
    lived = DayRecord(
        world=COTTAGE,
        calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
        agents={slug: identity(slug) for slug in (ADA, BEN, CEM)},
        tracks={
            slug: Track(agent=slug, name=slug, movements=[at_rest], actions=[action()])
            for slug in (ADA, BEN, CEM)
        },
        plans={},
        turned_away=(),
        last_tick=LAST_TICK,
    )
    return dict(talk_figures(events, [lived], 1))


def test_an_opening_that_gave_way_is_no_conversation() -> None:
    found = figures(
        said(100, ADA, BEN, "100/ada"),
        said(100, BEN, ADA, "100/ben"),
        ended(101, ADA, BEN, "100/ada", Ending.GAVE_WAY),
        said(102, ADA, BEN, "100/ben", 2),
        said(200, CEM, ADA, "200/cem"),
        ended(210, CEM, ADA, "200/cem", Ending.NO_ANSWER),
    )
    assert found[OPENINGS] == 50
    assert found[GAVE_WAY] == 100
    assert found[AGAIN] == 0


def test_agents_that_talk_again_within_an_hour_are_counted() -> None:
    hour = 360
    found = figures(
        *(
            one
            for tick in (100, 90 + hour, 100 + 3 * hour)
            for one in (
                said(tick, ADA, BEN, f"{tick}/ada"),
                said(tick + 1, BEN, ADA, f"{tick}/ada", 2),
            )
        )
    )
    assert found[AGAIN] == 33.3
    assert (found[OPENINGS], found[GAVE_WAY]) == (0, 0)
