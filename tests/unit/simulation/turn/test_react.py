"""React: what is perceived may change what the agent does (X1, X2, X3, X4)."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from apps.agents.events import ActionKind, ObjectRighted
from apps.agents.sharing import Use
from apps.dialogue.events import TalkEnded
from apps.dialogue.utterances import Talk
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import (
    DecisionInput,
    ObservedObject,
    Obstacle,
    ReasonToTalk,
    TalkReason,
)
from apps.reaction.llm_tasks import Decision
from apps.simulation.settings import SimulationSettings
from apps.simulation.turn.context.outcome import RevisePlan, SpeakTo
from apps.simulation.turn.context.records import (
    ActedOn,
    EndedConversation,
    RefusedUse,
    TalkRecord,
)
from apps.simulation.turn.decide.react import (
    react,
    react_to_alarm,
    react_to_obstacle,
    restore_object,
)
from tests.support.builders import set_state, speaks, spoken_by
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    KITCHEN,
    NOW,
    OVER,
    PLACE,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    action,
    events_of,
    item,
    run,
    tick_at,
    tile_at,
    tile_in,
)

TASK = "reaction.decision"
JUST_TALKED = EndedConversation(to_tick=NOW - 6, gist="They spoke of the flour.")
GO_ON = Decision(choice="go on", observation=1, what="", place="", minutes=0)
GREET = speaks(1, "greet Ben", "Good morning, Ben.")
LATER = GREET.model_copy(update={"choice": "later", "say": "", "what": "ask Ben to play"})
PUT_OUT = Decision(choice="act", observation=1, what="put out the fire", place="", minutes=5)
KNOWN = (PLACE, KITCHEN, BEDROOM, STOVE, TABLE, f"{KITCHEN}: sink")
BURNING = set_state(STOVE, "burning", NOW - 100, alarming=True)
DRIPPING = replace(BURNING, state="dripping", is_alarming=False)


def meeting(answer: Decision, **changes: Any) -> Scene:
    """Return a scene in which Ada, in the kitchen, sees Ben for the first time."""
    facts: dict[str, Any] = {"ben": tile_at(STOVE), "known": KNOWN, "script": {TASK: answer}}
    return Scene(**facts | changes)


class TestReact:
    def test_records_the_decision_to_go_on_and_decides_nothing_else(self) -> None:
        outcome = run(react, meeting(GO_ON).context())
        assert events_of(outcome) == [
            ReactionDecided(subjects=(BEN,), choice="go on", about=BEN, what="")
        ]
        assert outcome.intention is None
        assert outcome.events[0].model_calls, "the call that decided is on the event"

    def test_speaks_to_the_agent_that_it_decides_about(self) -> None:
        outcome = run(react, meeting(GREET).context())
        assert outcome.intention == SpeakTo(
            other=BEN,
            intent="greet Ben",
            cause=outcome.last_event,
            words="Good morning, Ben.",
        )

    def test_decides_about_no_more_agents_in_an_hour_than_the_settings_say(self) -> None:
        most = SimulationSettings().decisions_per_hour
        for count, decides in ((most - 1, True), (most, False)):
            lately = {f"agent-{n}": NOW - n for n in range(1, count + 1)}
            records = replace(PLANNED, decided_at=lately)
            assert (
                bool(events_of(run(react, meeting(GO_ON, records=records).context())))
                is decides
            )

    def test_decides_about_a_danger_whatever_it_has_decided_in_the_hour(self) -> None:
        lately = {f"agent-{n}": NOW - n for n in range(1, 30)}
        records = replace(PLANNED, decided_at=lately)
        scene = meeting(PUT_OUT, ben=None, set_states=[BURNING], records=records)
        assert isinstance(run(react, scene.context()).intention, RevisePlan)

    def test_leaves_a_talk_for_later(self) -> None:
        outcome = run(react, meeting(LATER).context())
        assert events_of(outcome) == [
            ReactionDecided(subjects=(BEN,), choice="later", about=BEN, what="ask Ben to play")
        ]
        assert outcome.intention is None

    def test_revises_the_plan_for_an_action(self) -> None:
        outcome = run(react, meeting(PUT_OUT, set_states=[DRIPPING], ben=None).context())
        assert isinstance(outcome.intention, RevisePlan)
        first = outcome.intention.first
        assert first is not None
        assert (first.description, first.place, first.ticks) == (
            "put out the fire",
            KITCHEN,
            30,
        )

    def test_leaves_a_conversation_for_what_it_decides(self) -> None:
        talk = Talk(agent=ADA, conversation="c", other=BEN, from_tick=NOW - 9, to_tick=None)
        said = spoken_by(ADA, BEN, "Hm.", tick=NOW - 9, conversation="c")
        scene = meeting(PUT_OUT, set_states=[BURNING], ben=None, talks=[talk], spoken=[said])
        outcome = run(react_to_alarm, scene.context())
        assert [type(event) for event in events_of(outcome)] == [ReactionDecided, TalkEnded]
        assert outcome.talk is None

    @pytest.mark.parametrize(
        "changes",
        [
            {"bens": action("sleeping", asleep=True)},
            {"ben": tile_in(BEDROOM)},
            {"settings": SimulationSettings(talk_utterances_max=0)},
            {"records": replace(PLANNED, decided_at={BEN: NOW - 60})},
            {"records": replace(PLANNED, last_talks={BEN: JUST_TALKED})},
            {"records": replace(PLANNED, hours=(), action=None)},
        ],
        ids=[
            "asleep",
            "out of view",
            "no conversations",
            "decided lately",
            "talked lately",
            "no plan yet",
        ],
    )
    def test_asks_nothing_about_an_agent_that(self, changes: dict[str, Any]) -> None:
        scene = meeting(GREET, **changes)
        assert run(react, scene.context()).events == ()
        assert scene.model.asked == []

    def test_tells_the_model_where_it_is_and_what_is_planned(self) -> None:
        scene = meeting(GO_ON, records=replace(PLANNED, outline=PLANNED.hours))
        run(react, scene.context())
        inputs = scene.inputs()
        assert isinstance(inputs, DecisionInput)
        assert inputs.status.activity == "writing a letter"
        assert [plan.activity for plan in inputs.outline] == ["write letters", "cook lunch"]
        assert KITCHEN in inputs.known_places


SEEN = {BEN: "Ben Marsh is baking bread"}
HOUR_AGO = NOW - tick_at("1:00")


def reason(
    kind: TalkReason, *, ago: str = "0:30", other: str = BEN, **facts: Any
) -> TalkRecord:
    values = {"kind": kind.value, "other": other, "besides": (), "text": "the concert"} | facts
    return TalkRecord(tick=NOW - tick_at(ago), **values)


def at_table(*records: TalkRecord, decided: str = "1:00", **changes: Any) -> Scene:
    """Return a scene in which Ada, whose action is over, has long had Ben in view.

    They are asked for reasons of their own, since nobody is asked about company.
    """
    known = replace(PLANNED, decided_at={BEN: NOW - tick_at(decided)}, talk_records=records)
    alone = SimulationSettings(situation_calls_per_hour=0)
    facts: dict[str, Any] = {"own": OVER, "noticed": SEEN, "records": known, "settings": alone}
    return meeting(GREET, **facts | changes)


class TestAgentInView:
    """An agent that has been in view for a while, such as at the breakfast table."""

    def test_is_asked_about_only_for_a_reason(self) -> None:
        scene = at_table(decided="3:00")
        assert run(react, scene.context()).events == ()
        assert scene.model.asked == []

    @pytest.mark.parametrize("kind", [*TalkReason])
    def test_is_talked_to_for_a_reason_that_came_up_since(self, kind: TalkReason) -> None:
        other = "" if kind is TalkReason.NEWS else BEN
        scene = at_table(reason(kind, other=other), homes={ADA: PLACE, BEN: PLACE})
        outcome = run(react, scene.context())
        assert isinstance(outcome.intention, SpeakTo)
        [observed] = scene.inputs().observed
        assert observed.reasons == (ReasonToTalk(kind=kind, text="the concert"),)

    @pytest.mark.parametrize(
        ("scene", "why"),
        [
            (at_table(reason(TalkReason.NEWS, other="")), "a stranger is told no news"),
            (at_table(reason(TalkReason.AGREED, ago="2:00")), "it was decided about since"),
            (at_table(reason(TalkReason.INTENDED, ago="0:05"), decided="0:05"), "too early"),
            (at_table(reason(TalkReason.AGREED), own=action()), "the own action goes on"),
            (at_table(reason(TalkReason.AGREED), ben=tile_in(BEDROOM)), "not in view"),
            (
                at_table(
                    reason(TalkReason.NEWS, other="", besides=(BEN,)),
                    homes={ADA: PLACE, BEN: PLACE},
                ),
                "he told it himself",
            ),
        ],
    )
    def test_is_left_alone_where(self, scene: Scene, why: str) -> None:
        assert run(react, scene.context()).events == (), why
        assert scene.model.asked == [], why

    def test_is_asked_about_again_when_a_talk_was_left_for_later(self) -> None:
        later = reason(TalkReason.INTENDED, ago="1:00")
        assert isinstance(run(react, at_table(later).context()).intention, SpeakTo)


class TestAgentOfTheSameHome:
    """An agent that the other one lives with is in view for hours of each day."""

    HOMES: ClassVar = {ADA: PLACE, BEN: PLACE}
    YESTERDAY = EndedConversation(to_tick=NOW - tick_at("14:00"), gist="They spoke of bread.")
    TALKED = replace(PLANNED, last_talks={BEN: YESTERDAY})

    def test_is_asked_about_in_its_turn_and_not_for_coming_into_view(self) -> None:
        asked = [
            bool(run(react, meeting(GREET, **self.facts(tick)).context()).events)
            for tick in range(NOW, NOW + tick_at("3:00"), tick_at("1:30"))
        ]
        assert asked.count(True) == 1, "every second hour and a half is Ada's"
        own = action()
        assert run(react, meeting(GREET, homes=self.HOMES, own=own).context()).events == ()

    def facts(self, tick: int) -> dict[str, Any]:
        own = action(until_tick=tick)
        records = replace(
            self.TALKED, hours=(item("hour", "9:00", "13:00"), item("hour", "13:00", "14:00"))
        )
        return {"tick": tick, "own": own, "homes": self.HOMES, "records": records}


def overhearing(**changes: Any) -> Scene:
    """Return a scene in which Ada hears what Ben, beside her, says to Cem."""
    said = spoken_by(
        BEN, CEM, "I am running for mayor.", tick=NOW - 1, conversation=f"{NOW - 1}/{BEN}"
    )
    talk = Talk(
        agent=BEN,
        conversation=said.conversation,
        other=CEM,
        from_tick=said.tick,
        to_tick=None,
    )
    facts: dict[str, Any] = {
        "noticed": SEEN,
        "others": {CEM: tile_at(TABLE)},
        "spoken": [said],
        "talks": [talk],
    }
    return meeting(GREET, **facts | changes)


class TestOverhearing:
    def test_is_no_reason_minutes_after_a_talk_unless_the_agent_is_named(self) -> None:
        records = replace(PLANNED, last_talks={BEN: JUST_TALKED})
        seen = {**SEEN, CEM: "Cem Kaya is resting"}
        known = {"records": records, "noticed": seen}
        assert run(react, overhearing(**known).context()).events == ()
        named = replace(overhearing().spoken[0], text="I shall tell Ada.")
        assert run(react, overhearing(spoken=[named], **known).context()).events

    def test_is_a_reason_to_join(self) -> None:
        scene = overhearing()
        outcome = run(react, scene.context())
        assert isinstance(outcome.intention, SpeakTo)
        assert outcome.intention.other == BEN
        assert outcome.events[0].cause == f"{NOW - 1}/{BEN}/0"
        observed = scene.inputs().observed[0]
        assert observed.may_talk
        assert observed.talks_with == ("Cem Kaya",)
        assert observed.reasons == (
            ReasonToTalk(
                kind=TalkReason.OVERHEARD,
                text="Ben Marsh said to Cem Kaya: I am running for mayor.",
            ),
        )

    @pytest.mark.parametrize(
        "changes",
        [
            {"ben": tile_in(BEDROOM)},
            {"settings": SimulationSettings(hearing_distance=0)},
            {"own": action("sleeping", asleep=True)},
        ],
    )
    def test_needs_an_agent_that_is_awake_and_near(self, changes: dict[str, Any]) -> None:
        assert overhearing(**changes).context().utterances.overheard() == []

    def test_does_not_reach_an_agent_in_a_conversation(self) -> None:
        own = Talk(agent=ADA, conversation="c", other="dov", from_tick=NOW - 9, to_tick=None)
        scene = overhearing()
        scene.talks = [*scene.talks, own]
        assert scene.context().utterances.overheard() == []

    @pytest.mark.parametrize("decided_about", [BEN, CEM])
    def test_is_decided_about_once_in_a_while(self, decided_about: str) -> None:
        records = replace(PLANNED, decided_at={decided_about: NOW - 2})
        scene = overhearing(records=records, noticed=SEEN | {CEM: "Cem Kaya is resting"})
        scene.spoken = [
            replace(said, conversation=f"{NOW - 9}/{CEM}", number=2) for said in scene.spoken
        ]
        run(react, scene.context())
        assert not any("mayor" in str(request.inputs) for request in scene.model.asked)


class TestAlarm:
    def test_is_decided_about_without_a_plan(self) -> None:
        scene = meeting(
            PUT_OUT, ben=None, set_states=[BURNING], records=replace(PLANNED, hours=())
        )
        outcome = run(react_to_alarm, scene.context())
        assert isinstance(outcome.intention, RevisePlan)
        [observed] = scene.inputs().observed
        assert observed == ObservedObject(name="stove", state="burning", is_alarming=True)

    def test_is_not_what_a_use_of_the_object_shows_instead(self) -> None:
        """A user or Ben has set a state of the stove, which is now as an agent sets it."""
        left = replace(DRIPPING, event=f"3500/{BEN}/2")
        use = Use(agent=ADA, node=STOVE, state="hot", since_tick=NOW - 9, from_tick=NOW - 9)
        for state, shown_use in ((DRIPPING, use), (left, replace(use, agent=CEM))):
            shown = meeting(PUT_OUT, ben=None, set_states=[state])
            assert run(react, shown.context()).events
            hidden = meeting(PUT_OUT, ben=None, set_states=[state], uses=[shown_use])
            assert [one.sight.description for one in hidden.context().news] == ["hot"]
            assert run(react, hidden.context()).events == ()
            assert hidden.model.asked == []

    def test_is_not_every_state_that_a_user_sets(self) -> None:
        scene = meeting(PUT_OUT, ben=None, set_states=[DRIPPING])
        assert run(react_to_alarm, scene.context()).events == ()


class TestObstacle:
    WAITED = action(
        "waiting for the table",
        kind=ActionKind.WAITING,
        from_tick=NOW - 30,
        until_tick=NOW,
    )
    REFUSED = replace(
        PLANNED, refusals=(RefusedUse(tick=NOW - 30, node=TABLE, why="the table is taken"),)
    )

    def test_is_decided_about_after_the_wait(self) -> None:
        scene = Scene(own=self.WAITED, records=self.REFUSED, script={TASK: PUT_OUT})
        outcome = run(react_to_obstacle, scene.context())
        assert isinstance(outcome.intention, RevisePlan)
        assert scene.inputs().observed == (Obstacle(description="the table is taken"),)

    def test_names_the_agent_that_is_seen_to_use_the_object(self) -> None:
        reading = action("reading", object=TABLE)
        scene = Scene(own=self.WAITED, records=self.REFUSED, script={TASK: PUT_OUT})
        scene.ben, scene.bens = tile_at(STOVE), reading
        run(react_to_obstacle, scene.context())
        assert scene.inputs().observed == (
            Obstacle(description="the table is taken", occupants=("Ben Marsh",)),
        )

    @pytest.mark.parametrize(
        ("own", "records"),
        [
            (replace(WAITED, until_tick=NOW + 1), REFUSED),
            (replace(WAITED, kind=ActionKind.PASSING_TIME), REFUSED),
            (WAITED, PLANNED),
            (WAITED, replace(REFUSED, decided_at={TABLE: NOW - 60})),
        ],
        ids=["still waiting", "passing the time", "not refused", "decided lately"],
    )
    def test_is_not_decided_about_while(self, own, records) -> None:  # type: ignore[no-untyped-def]
        scene = Scene(own=own, records=records, script={TASK: PUT_OUT})
        assert run(react_to_obstacle, scene.context()).events == ()


class TestRestoring:
    USING = action("cleaning the stove", object=STOVE, from_tick=NOW - 50, until_tick=NOW)

    def restored(
        self, *, acted_on: int | None, until: int = NOW, event: str = BURNING.event
    ) -> list[object]:
        scene = Scene(
            own=replace(self.USING, until_tick=until),
            set_states=[replace(BURNING, event=event)],
            records=replace(
                PLANNED,
                acted_on={}
                if acted_on is None
                else {STOVE: ActedOn(tick=acted_on, what="put out the fire")},
            ),
        )
        return list(events_of(run(restore_object, scene.context())))

    def test_follows_an_action_that_reacted_to_the_state(self) -> None:
        assert self.restored(acted_on=NOW - 60) == [
            ObjectRighted(object=STOVE, since=BURNING.event)
        ]

    def test_needs_a_reaction_to_this_state_and_the_end_of_the_action(self) -> None:
        assert self.restored(acted_on=None) == []
        assert self.restored(acted_on=BURNING.from_tick - 1) == []
        assert self.restored(acted_on=NOW - 60, until=tick_at("12:00")) == []

    def test_follows_the_next_use_by_the_agent_that_has_left_it(self) -> None:
        own, others = f"3500/{ADA}/2", f"3500/{BEN}/2"
        assert self.restored(acted_on=None, event=own) == [
            ObjectRighted(object=STOVE, since=own)
        ]
        assert self.restored(acted_on=None, event=others) == []
