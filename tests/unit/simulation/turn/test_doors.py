"""Doors of homes and private areas: who may enter, and knocking (W5)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.events import (
    ActionBegan,
    ActionKind,
    AdmissionEnded,
    AdmissionGranted,
    AdmissionReason,
    DoorKnocked,
    DoorOpened,
    Tile,
    TurnedAway,
    WalkBegan,
)
from apps.agents.sharing import DoorOpening
from apps.agents.track import Action
from apps.dialogue.commitments import OpenCommitment
from apps.eventlog.event import Event
from apps.memory.commands import agent_summary
from apps.planning.surroundings import PlaceOption, place_texts
from apps.planning.tiling import Span
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import KnockHeard
from apps.reaction.llm_tasks import Decision
from apps.simulation.embodiment.requested_actions import Control, Embodiment
from apps.simulation.turn.context.outcome import (
    Perform,
    PlannedStep,
    Turn,
    WalkTo,
)
from apps.simulation.turn.context.records import Admission, LetIn
from apps.simulation.turn.decide.doors import answer_knocks, receive_guest
from apps.simulation.turn.perform.act import act
from apps.simulation.turn.perform.plan_context import planning_context_of
from apps.simulation.turn.perform.walk import walk
from tests.support.builders import open_commitment
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    COTTAGE,
    KITCHEN,
    NOW,
    PLACE,
    PLANNED,
    TABLE,
    Scene,
    action,
    descriptions_of,
    events_of,
    identity,
    norms,
    run,
    tick_at,
    tile_at,
    tile_in,
)

CEM = identity("cem", home="")
HOMES = dict.fromkeys((ADA, BEN), BEDROOM)
VISIT = PlannedStep(
    kind=ActionKind.PLANNED,
    description="chatting",
    emoji="🙂",
    area=KITCHEN,
    from_tick=NOW - 60,
    to_tick=tick_at("11:00"),
    plan_item=3,
)
HOME_AGAIN = replace(VISIT, area="")
WHY = "nobody opened the door of Mill Cottage"
KNOCKED = action(
    "knocking at the door of Mill Cottage",
    kind=ActionKind.KNOCKING,
    towards=PLACE,
    from_tick=NOW - 6,
    until_tick=NOW,
)
OPENED = DoorOpening(agent=BEN, tick=NOW - 4, node=PLACE, event="3596/ben-marsh/0")
INVITATION = replace(
    open_commitment(
        "3000/cem/4", BEN, "have tea", "2024-06-03", (10 * 60 + 30, 11 * 60), place="here"
    ),
    node=PLACE,
)


def before_the_door() -> Tile:
    """Return the tile outdoors from which the next step leads into the cottage."""
    door = next(door for door in COTTAGE.map.doors if not door.beyond)
    return next(tile for tile in COTTAGE.map.beside(door.tile) if not COTTAGE.map.area_at(tile))


def arrives(step: PlannedStep = VISIT, **scene: Any) -> Turn:
    """Return the outcome of a walk of Cem, who stands before the door unless said otherwise."""
    facts: dict[str, Any] = {"agent": CEM, "tile": before_the_door()}
    context = Scene(homes=HOMES, **facts | scene).context()
    outcome = run(act, context, intention=Perform(step=step))
    assert isinstance(outcome.intention, WalkTo)
    return walk(outcome)


def with_records(**changes: Any) -> dict[str, Any]:
    return {"records": replace(PLANNED, **changes)}


def granted(reason: AdmissionReason) -> AdmissionGranted:
    return AdmissionGranted(node=PLACE, host=BEN, reason=reason)


class TestInvitedArea:
    """Ben's bedroom, in which Cem and Ben have agreed to have tea."""

    PRIVATE = norms(BEDROOM, residents=("Ben Marsh",), private=True)
    TEA = replace(INVITATION, node=BEDROOM)

    def offered(self, agreement: OpenCommitment, clock: str = "10:30") -> list[bool]:
        """Return whether the bedroom is an option of places, and of areas from the clock on."""
        scene = Scene(
            world=self.PRIVATE,
            agent=CEM,
            homes={BEN: BEDROOM},
            known=(PLACE, KITCHEN),
            tile=before_the_door(),
            **with_records(commitments=(agreement,)),
        )
        context = scene.context()
        plans = planning_context_of(context, agent_summary(CEM, None), "tea")
        begins = tick_at(clock)
        areas = plans.areas(PLACE, Span(begins, begins + 60))
        return [
            BEDROOM in {one.path for one in plans.places()},
            BEDROOM in {one.path for one in areas},
        ]

    def test_is_offered_for_the_agreed_time(self) -> None:
        assert self.offered(self.TEA) == [True, True]
        assert self.offered(self.TEA, "11:00") == [True, False]

    def test_is_not_offered_without_a_host_that_lives_there(self) -> None:
        assert self.offered(replace(self.TEA, other=ADA)) == [False, False]
        assert self.offered(replace(self.TEA, node="")) == [False, False]

    def test_does_not_hide_the_other_areas_of_the_home(self) -> None:
        home = PlaceOption(path=PLACE, areas=("bedroom", "kitchen"))
        texts = list(place_texts([home, PlaceOption(path=BEDROOM)], "Cem Kaya"))
        assert texts == [f"{PLACE} (with bedroom and kitchen)", BEDROOM]


class TestVisitor:
    def test_knocks_without_the_right_to_enter(self) -> None:
        [knocked] = events_of(arrives())
        assert knocked == DoorKnocked(
            tile=before_the_door(),
            node=PLACE,
            description="knocking at the door of Mill Cottage",
            emoji="✊",
            until_tick=NOW + 6,
            plan_item=3,
        )

    def test_walks_to_the_door_only(self) -> None:
        outdoors = min(
            (x, y)
            for x in range(COTTAGE.map.width)
            for y in range(COTTAGE.map.height)
            if COTTAGE.map.is_walkable((x, y)) and not COTTAGE.map.area_at((x, y))
        )
        [walked] = events_of(arrives(tile=outdoors))
        assert isinstance(walked, WalkBegan)
        assert not COTTAGE.map.area_at(walked.steps[-1])

    def test_enters_when_the_door_is_opened(self) -> None:
        outcome = arrives(own=KNOCKED, doors_opened=(OPENED,))
        admitted, walked = events_of(outcome)
        assert admitted == granted(AdmissionReason.LET_IN)
        assert outcome.events[0].cause == OPENED.event
        assert isinstance(walked, WalkBegan)
        assert descriptions_of(outcome) == ["Ben Marsh let Cem in"]

    def test_perceives_that_nobody_opens_and_waits(self) -> None:
        outcome = arrives(own=KNOCKED)
        refused, began = events_of(outcome)
        assert refused == TurnedAway(node=PLACE, why=WHY)
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.description) == (
            ActionKind.WAITING,
            "waiting for somebody to open the door of Mill Cottage",
        )
        assert descriptions_of(outcome)[0] == WHY

    def test_stays_away_after_knocking_in_vain_often_enough(self) -> None:
        scene = Scene(
            homes=HOMES,
            agent=identity("cem", home=KITCHEN),
            tile=tile_in(KITCHEN),
            world=norms(BEDROOM, residents=("Ben Marsh",), private=True),
            records=replace(PLANNED, unanswered=frozenset({BEDROOM})),
        )
        step = replace(VISIT, area=BEDROOM)
        [began] = events_of(run(act, scene.context(), intention=Perform(step=step)))
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.area) == (ActionKind.PASSING_TIME, KITCHEN)

    def test_keeps_the_admission_until_it_goes_elsewhere(self) -> None:
        visiting = with_records(admissions=(Admission(node=PLACE, host=BEN),))
        [entered] = events_of(arrives(**visiting))
        assert isinstance(entered, WalkBegan)
        [about] = events_of(
            arrives(replace(VISIT, area=BEDROOM), tile=tile_in(KITCHEN), **visiting)
        )
        assert isinstance(about, WalkBegan)
        context = Scene(homes=HOMES, agent=CEM, tile=tile_in(KITCHEN), **visiting).context()
        leaving = run(walk, context, intention=WalkTo(step=HOME_AGAIN, spot=before_the_door()))
        ended, left = events_of(leaving)
        assert ended == AdmissionEnded(node=PLACE)
        assert isinstance(left, WalkBegan)


class TestInvitation:
    def test_opens_the_home_at_the_agreed_time(self) -> None:
        outcome = arrives(**with_records(commitments=(INVITATION,)))
        admitted, walked = events_of(outcome)
        assert admitted == granted(AdmissionReason.INVITED)
        assert outcome.events[0].cause == INVITATION.event
        assert isinstance(walked, WalkBegan)

    @pytest.mark.parametrize(
        "changes",
        [
            {"other": "dora-lind"},
            {"node": "Oak Hill College"},
            {"node": ""},
            {"day": "2024-06-04"},
            {"from_minute": 10 * 60 + 31},
            {"from_minute": 9 * 60, "to_minute": 10 * 60},
        ],
        ids=["of no resident", "another place", "no place", "other day", "too early", "over"],
    )
    def test_is_none_otherwise(self, changes: dict[str, Any]) -> None:
        agreement = replace(INVITATION, **changes)
        [knocked] = events_of(arrives(**with_records(commitments=(agreement,))))
        assert isinstance(knocked, DoorKnocked)


class TestCompany:
    @pytest.mark.parametrize(
        ("bens", "event"),
        [
            (action("walking home", towards=KITCHEN), AdmissionGranted),
            (action("waiting at the door"), DoorKnocked),
        ],
        ids=["goes there too", "stays outside"],
    )
    def test_of_a_resident_that_goes_there_opens_the_home(
        self, bens: Action, event: type[Event]
    ) -> None:
        first = events_of(arrives(ben=before_the_door(), bens=bens))[0]
        assert isinstance(first, event)
        if isinstance(first, AdmissionGranted):
            assert first == granted(AdmissionReason.ACCOMPANIED)


def beside_the_bedroom() -> Tile:
    """Return the tile of the kitchen from which the next step leads into the bedroom."""
    return next(
        tile
        for tile in COTTAGE.map.area_tiles(KITCHEN)
        for beside in COTTAGE.map.beside(tile)
        if COTTAGE.map.is_walkable(beside) and COTTAGE.map.area_at(beside) == BEDROOM
    )


class TestPrivateArea:
    PRIVATE = norms(BEDROOM, residents=("Ben Marsh",), private=True)

    def test_is_not_entered_by_other_residents(self) -> None:
        [knocked] = events_of(
            arrives(
                replace(VISIT, area=BEDROOM),
                agent=identity(home=KITCHEN),
                tile=beside_the_bedroom(),
                world=self.PRIVATE,
            )
        )
        assert isinstance(knocked, DoorKnocked)
        assert knocked.node == BEDROOM

    @pytest.mark.parametrize("agent", [identity(BEN), identity("cem", home=BEDROOM)])
    def test_is_entered_by_those_whose_room_it_is(self, agent: Any) -> None:
        [walked] = events_of(
            arrives(
                replace(VISIT, area=BEDROOM),
                agent=agent,
                tile=tile_in(KITCHEN),
                world=self.PRIVATE,
            )
        )
        assert isinstance(walked, WalkBegan)
        assert COTTAGE.map.area_at(walked.steps[-1]) == BEDROOM


class TestKnock:
    OPENS = Decision(choice="open", observation=1, what="", place="", minutes=0)
    KNOCKS = action(
        "knocking at the door of Mill Cottage",
        kind=ActionKind.KNOCKING,
        towards=PLACE,
        from_tick=NOW - 1,
        event="3599/ben-marsh/0",
    )

    def hears(self, **scene: Any) -> Turn:
        """Return the outcome for Ada in the kitchen, at whose door Ben has just knocked."""
        facts: dict[str, Any] = {
            "tile": tile_in(KITCHEN),
            "ben": before_the_door(),
            "bens": self.KNOCKS,
            "script": {"reaction.decision": self.OPENS},
        }
        self.scene = Scene(homes=HOMES, **facts | scene)
        return run(answer_knocks, self.scene.context())

    def test_is_answered_by_a_resident_who_goes_on_with_what_it_does(self) -> None:
        outcome = self.hears()
        decided, opened = events_of(outcome)
        assert isinstance(decided, ReactionDecided)
        assert (decided.choice, decided.subjects) == ("open", ("3599/ben-marsh/0",))
        assert opened == DoorOpened(node=PLACE, visitor=BEN)
        assert outcome.intention is None
        assert descriptions_of(outcome) == [
            "Ben Marsh is knocking at the door of Mill Cottage",
            "Ada Finch let Ben Marsh in",
        ]
        [observed] = self.scene.inputs().observed
        assert isinstance(observed, KnockHeard)
        assert observed.agent.name == "Ben Marsh"

    def test_may_be_left_unanswered(self) -> None:
        stays = self.OPENS.model_copy(update={"choice": "go on"})
        [decided] = events_of(self.hears(script={"reaction.decision": stays}))
        assert isinstance(decided, ReactionDecided)
        assert decided.choice == "go on"

    @pytest.mark.parametrize(
        "scene",
        [
            {"own": action("sleeping", asleep=True)},
            {"bens": replace(KNOCKS, from_tick=NOW - 2)},
            {"tile": before_the_door()},
        ],
        ids=["asleep", "heard before", "not at home"],
    )
    def test_is_not_heard(self, scene: dict[str, Any]) -> None:
        outcome = self.hears(**scene)
        assert (outcome.events, outcome.memories) == ((), ())

    def test_is_heard_and_not_answered_by_a_visitor_or_for_a_user(self) -> None:
        embodiment = Embodiment(
            number=1, agent="ada-finch", is_visitor=False, by="a user", reason="",
            from_tick=NOW - 60, to_tick=None, ended_by="", ended_reason="",
        )  # fmt: skip
        control = Control(embodiment=embodiment, requests=(), in_progress=None)
        for scene in ({"agent": CEM}, {"control": control}):
            outcome = self.hears(**scene)
            assert outcome.events == ()
            assert descriptions_of(outcome) == [
                "Ben Marsh is knocking at the door of Mill Cottage"
            ]


class TestHost:
    """Ada has let Ben in."""

    LET_IN = LetIn(visitor=BEN, node=PLACE, tick=NOW - 6)

    def receives(self, **scene: Any) -> Turn:
        facts: dict[str, Any] = {
            "tile": tile_in(BEDROOM),
            "ben": before_the_door(),
            "own": replace(KNOCKED, kind=ActionKind.WALKING),
            **with_records(let_in=(self.LET_IN,)),
        }
        return run(receive_guest, Scene(homes=HOMES, **facts | scene).context())

    def test_goes_to_the_door_at_once(self) -> None:
        opens = {"reaction.decision": TestKnock.OPENS}
        scene = Scene(
            homes=HOMES,
            tile=tile_in(BEDROOM),
            ben=before_the_door(),
            bens=TestKnock.KNOCKS,
            script=opens,
        )
        context = scene.context()
        outcome = receive_guest(run(answer_knocks, context))
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.step.area == KITCHEN
        walked = events_of(walk(outcome))[-1]
        assert isinstance(walked, WalkBegan)
        assert COTTAGE.map.area_at(walked.steps[-1]) == KITCHEN

    def test_goes_on_with_what_it_does_where_the_guest_comes_into_view(self) -> None:
        context = Scene(
            homes=HOMES,
            ben=before_the_door(),
            bens=TestKnock.KNOCKS,
            script={"reaction.decision": TestKnock.OPENS},
        ).context()
        assert receive_guest(run(answer_knocks, context)).intention is None

    def test_goes_on_towards_a_guest_that_is_not_in_view(self) -> None:
        outcome = self.receives(ben=tile_at(TABLE))
        assert isinstance(outcome.intention, WalkTo)
        assert outcome.intention.spot == tile_at(TABLE)

    def test_waits_at_the_door(self) -> None:
        [began] = events_of(self.receives(tile=tile_in(KITCHEN)))
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.description) == (ActionKind.WAITING, "waiting for Ben Marsh")
        assert began.until_tick == self.LET_IN.tick + 18

    @pytest.mark.parametrize(
        "scene",
        [
            {"tile": tile_in(KITCHEN), "ben": tile_at(TABLE)},
            {"ben": None},
            with_records(let_in=(replace(LET_IN, tick=NOW - 18),)),
            with_records(),
        ],
        ids=["in view", "far away", "long ago", "nobody let in"],
    )
    def test_goes_on_with_the_plan_otherwise(self, scene: dict[str, Any]) -> None:
        outcome = self.receives(**scene)
        assert (outcome.events, outcome.intention) == ((), None)
