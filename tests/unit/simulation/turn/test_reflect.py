"""Reflect: when it is due, and the memories that it leaves (R1, R2, R3, S1)."""

from dataclasses import replace
from datetime import datetime

import pytest

from apps.agents.events import ActionBegan, ActionKind
from apps.agents.status import Standing
from apps.kernel.game_time import FOREVER_TICK
from apps.memory.events import (
    FactEstablished,
    FactKind,
    FactRevised,
    MemoryKind,
    MemoryOrigin,
    MemorySuperseded,
    ScheduledActivity,
    SelfSummarised,
)
from apps.memory.facts import Fact
from apps.memory.llm_tasks.summaries import Summaries
from apps.reflection.events import Reflected
from apps.reflection.llm_tasks.insights import CitedInsight, Insights, LastingChange
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.simulation.turn.perform.stay import look_around
from apps.simulation.turn.pipeline import reflection_due
from apps.simulation.turn.remember.fact_changes import ends_by_evidence, with_summary
from apps.simulation.turn.remember.reflect import reflect
from tests.support.turns import (
    NOW,
    PLANNED,
    SUMMARY,
    MemoryStreamInMemory,
    Scene,
    action,
    events_of,
    run,
)

ONLY_TO = "only to Ben Holt"
ASLEEP = action("sleeping", asleep=True, kind=ActionKind.SLEEPING)
DUE = replace(PLANNED, importance=151)
QUESTIONS = SalientQuestions(questions=("Who is Ada?", "What is she up to?", "What of Ben?"))
INSIGHT = Insights(
    insights=(CitedInsight(question=1, statement="Ada works too much", because_of=(1, 2)),)
)
NONE = Insights(insights=())
SUMMARIES = {
    "self_summary.summaries": Summaries(
        core="Ada is patient.", occupation="Ada writes.", feeling="Ada is content."
    )
}


class TestReflecting:
    def test_turns_insights_into_memories_that_name_their_evidence(self) -> None:
        scene = Scene(
            records=DUE,
            memories=MemoryStreamInMemory("Ada wrote all night", "Ada forgot lunch"),
            script={
                "reflection.questions": QUESTIONS,
                "reflection.insights": INSIGHT,
            },
        )
        outcome = run(reflect, scene.context())
        [reflected] = events_of(outcome)
        assert isinstance(reflected, Reflected)
        assert reflected.importance == 151
        [memory] = outcome.memories
        assert memory.draft.description == "Ada works too much", "word for word"
        assert (memory.draft.kind, memory.draft.evidence) == (MemoryKind.REFLECTION, (1, 2))
        assert memory.draft.number == reflected.insights[0].memory == PLANNED.next_memory
        assert memory.cause == outcome.last_event

    @pytest.mark.parametrize("ends", [False, True])
    def test_revises_or_ends_the_pursuit_that_the_answer_names(self, *, ends: bool) -> None:
        novel, fair = (
            Fact(
                number=number,
                kind=FactKind.PURSUIT,
                statements=(text,),
                evidence=(1,),
                until=until,
            )
            for number, text, until in (
                (1, "Ada is writing a novel", ""),
                (2, "Ada is preparing the fair", "2024-06-04"),
            )
        )
        change = LastingChange(kind=FactKind.PURSUIT, revises="pursuit-2", ends=ends)
        [known] = INSIGHT.insights
        answer = Insights(insights=(known.model_copy(update={"changes": change}),))
        scene = Scene(
            records=replace(DUE, facts=(novel, fair)),
            memories=MemoryStreamInMemory("Ada wrote all night", "Ada forgot lunch"),
            script={
                "reflection.questions": QUESTIONS,
                "reflection.insights": answer,
            },
        )
        outcome = run(reflect, scene.context())
        prompt = scene.model.asked[-1].messages[1].content
        assert "pursuit-1: Ada is writing a novel" in prompt
        assert "pursuit-2: Ada is preparing the fair; until 2024-06-04" in prompt
        [revised] = [one for one in events_of(outcome) if isinstance(one, FactRevised)]
        assert (revised.number, revised.ended) == (2, ends)
        assert (revised.statements, revised.until) == (("Ada works too much",), "2024-06-04")

    def test_has_no_relationship_without_the_name_of_the_other_one(self) -> None:
        tie = Fact(
            number=1,
            kind=FactKind.RELATIONSHIP,
            statements=("Ada has a sister",),
            other="dora-klein",
            standing=Standing.FRIENDLY,
        )
        scene = Scene(
            records=replace(DUE, facts=(tie,)),
            memories=MemoryStreamInMemory("Ada wrote to Dora Klein", "Ada forgot lunch"),
            script={"reflection.questions": QUESTIONS, "reflection.insights": NONE},
        )
        run(reflect, scene.context())
        prompt = scene.model.asked[-1].messages[1].content
        assert "Ada Finch likes" not in prompt, "Dora Klein is not in the simulation"

    def test_dates_an_insight_by_the_event_that_it_rests_on(self) -> None:
        stream = MemoryStreamInMemory(
            "There is a fair tomorrow", "Ada plans lunch", "Ada agreed to come to the fair"
        )
        tomorrow, noon = datetime(2024, 6, 4, 18), datetime(2024, 6, 3, 13)
        for number, origin, ends in (
            (1, MemoryOrigin.LEARNED, tomorrow),
            (2, MemoryOrigin.PLANNED, noon),
            (3, MemoryOrigin.AGREED, tomorrow),
        ):
            stream.place(
                number, origin=origin, scheduled=ScheduledActivity(activity="", ends=ends)
            )
        scene = Scene(
            records=DUE,
            memories=stream,
            script={
                "reflection.questions": QUESTIONS,
                "reflection.insights": Insights(
                    insights=(
                        CitedInsight(
                            question=1, statement="Ada likes the fair", because_of=(1, 2)
                        ),
                        CitedInsight(question=1, statement="Ada likes lunch", because_of=(2,)),
                        CitedInsight(
                            question=1, statement="Ada likes company", because_of=(3,)
                        ),
                    )
                ),
            },
        )
        formed = run(reflect, scene.context()).memories
        fair, lunch, company = (one.draft.scheduled for one in formed)
        assert fair == ScheduledActivity(activity="", ends=tomorrow)
        assert lunch is None, "a plan of the day is no event"
        assert company is None, "to have agreed remains true once the agreement is kept"

    def test_dates_an_insight_by_the_pursuit_that_it_rests_on(self) -> None:
        def scheduled(until: str) -> ScheduledActivity | None:
            pursuit = Fact(
                number=1,
                kind=FactKind.PURSUIT,
                statements=("Ada prepares the fair",),
                evidence=(1,),
                until=until,
            )
            scene = Scene(
                records=replace(DUE, facts=(pursuit,)),
                memories=MemoryStreamInMemory("Ada prepares the fair", "Ada forgot lunch"),
                script={
                    "reflection.questions": QUESTIONS,
                    "reflection.insights": INSIGHT,
                },
            )
            [memory] = run(reflect, scene.context()).memories
            return memory.draft.scheduled

        ends = datetime(2024, 6, 4, 18)
        assert scheduled("2024-06-04T18:00") == ScheduledActivity(activity="", ends=ends)
        midnight = datetime(2024, 6, 5)
        assert scheduled("2024-06-04") == ScheduledActivity(activity="", ends=midnight)
        assert scheduled("2024-06-02") is None, "it is over already"
        assert scheduled("") is None

    @pytest.mark.parametrize(
        ("terms", "told_on"),
        [
            (("in confidence", ""), ("in confidence", "")),
            (("not before 2024-06-04 18:00", "only to Ben Holt"), ("in confidence", ONLY_TO)),
            (("not before 2024-06-01 00:00", ""), ("", "")),
        ],
    )
    def test_tells_what_rests_on_a_secret_on_its_terms(
        self, terms: tuple[str, str], told_on: tuple[str, str]
    ) -> None:
        stream = MemoryStreamInMemory("Ben runs for mayor", "Ben is at the market")
        for number, one in enumerate(terms, start=1):
            stream.place(number, passing_on=one)
        change = LastingChange(kind=FactKind.PURSUIT)
        both = CitedInsight(
            question=1, statement="Ben wins votes", because_of=(1, 2), changes=change
        )
        market = CitedInsight(question=3, statement="Ben likes the market", because_of=(2,))
        scene = Scene(
            records=DUE,
            memories=stream,
            script={
                "reflection.questions": QUESTIONS,
                "reflection.insights": Insights(insights=(both, market)),
            },
        )
        outcome = run(reflect, scene.context())
        assert tuple(one.draft.passing_on for one in outcome.memories) == told_on
        [fact] = [one for one in events_of(outcome) if isinstance(one, FactEstablished)]
        assert fact.passing_on == told_on[0], "what lasts is as secret as what it rests on"

    def test_what_lasts_ends_with_no_pursuit_and_the_rest_with_the_last(self) -> None:
        def fact(kind: FactKind, evidence: tuple[int, ...], until: str = "") -> Fact:
            return Fact(number=1, kind=kind, statements=(), evidence=evidence, until=until)

        ends = ends_by_evidence(
            [
                fact(FactKind.OCCUPATION, (1,)),
                fact(FactKind.PURSUIT, (2, 3), "2024-06-10"),
                fact(FactKind.PURSUIT, (1, 2), "2024-06-04T18:00"),
            ]
        )
        assert ends == {2: datetime(2024, 6, 11), 3: datetime(2024, 6, 11)}

    def test_ends_the_insight_that_a_new_one_revises(self) -> None:
        stream = MemoryStreamInMemory("Ada wrote all night", "Ada never rests")
        stream.make_insight(2)
        revised = CitedInsight(
            question=1, statement="Ada rests again", because_of=(1,), replaces=2
        )
        scene = Scene(
            records=DUE,
            memories=stream,
            script={
                "reflection.questions": QUESTIONS,
                "reflection.insights": Insights(insights=(revised,)),
            },
        )
        reflected, superseded = events_of(run(reflect, scene.context()))
        assert isinstance(reflected, Reflected)
        assert reflected.insights[0].replaces == 2
        assert isinstance(superseded, MemorySuperseded)
        assert superseded.number == 2

    def due(self, scene: Scene, *, woken: bool = False) -> bool:
        turn = scene.context()
        return reflection_due(look_around(turn) if woken else turn)

    def test_is_due_from_the_threshold_on(self) -> None:
        assert self.due(Scene(records=DUE))
        assert not self.due(Scene(records=replace(DUE, importance=150)))

    def test_waits_for_the_end_of_the_sleep(self) -> None:
        assert not self.due(Scene(records=DUE, own=ASLEEP))
        assert self.due(Scene(records=DUE, own=ASLEEP), woken=True)


class TestSummary:
    def test_is_the_current_one_while_it_holds(self) -> None:
        scene = Scene()
        outcome, summary = with_summary(scene.context())
        assert (summary.core, outcome.events) == ("Ada is patient.", ())

    @pytest.mark.parametrize(
        "records",
        [
            replace(PLANNED, summary=None),
            replace(PLANNED, summary=replace(SUMMARY, due_tick=NOW)),
            replace(PLANNED, last_reflected=SUMMARY.from_tick),
        ],
        ids=["none yet", "due", "reflected since"],
    )
    def test_is_renewed_once_a_turn(self, records) -> None:  # type: ignore[no-untyped-def]
        scene = Scene(
            records=records, memories=MemoryStreamInMemory("Ada writes"), script=SUMMARIES
        )
        context = scene.context()
        outcome, summary = with_summary(context)
        [renewed] = events_of(outcome)
        assert isinstance(renewed, SelfSummarised)
        assert NOW < renewed.due_tick < FOREVER_TICK
        assert summary.feeling == "Ada is content."
        again, same = with_summary(outcome)
        assert (again, same) == (outcome, summary)


def test_looking_around_ends_the_sleep() -> None:
    outcome = run(look_around, Scene(own=ASLEEP).context())
    [began] = events_of(outcome)
    assert isinstance(began, ActionBegan)
    assert not outcome.stays_asleep
