"""What users tell people: an inner voice, an observation, an interview (U1, U2, U6)."""

from datetime import datetime
from itertools import pairwise
from uuid import UUID

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import ActionBegan
from apps.dialogue.events import Said
from apps.eventlog.rebuild import check
from apps.memory.events import MemoryFormed, MemoryKind
from apps.planning import queries as plan_queries
from apps.planning.events import HoursPlanned
from apps.planning.rules import PlanItem
from apps.reaction.events import ReactionDecided
from apps.simulation import queries
from apps.simulation.commands.agents import request_removal
from apps.simulation.commands.command_log import (
    Issuer,
    TickPast,
    get_command,
    next_command_tick,
)
from apps.simulation.commands.interventions import (
    InnerVoiceBody,
    InterviewBody,
    ObservationBody,
    UnusableText,
    request_intervention,
)
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.models import CommandRow, SimulationRow
from tests.support.command_schedules import FixedSchedule, process_command
from tests.support.snapshots import simulated
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    found,
    happened,
    history_of,
    live,
    shared_fixture,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

LINS = ("John Lin", "Mei Lin", "Eddy Lin")
JOHN, MEI, EDDY = "john-lin", "mei-lin", "eddy-lin"
VOICE = "You are going to run for mayor in the upcoming election"
DEED = "run for mayor"
CANDIDATE = "John Lin is going to run for mayor in the upcoming election"
BREAKFAST = "2023-02-13T06:50"
NIGHT = "2023-02-13T22:00"


def issuer(row: SimulationRow, when: str | None = None, reason: str = "") -> Issuer:
    tick = None
    if when is not None:
        tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(when))
    return Issuer(by="a researcher", reason=reason, at_tick=tick)


def whisper(row: SimulationRow, text: str = VOICE, when: str | None = BREAKFAST) -> CommandRow:
    return request_intervention(
        row.pk,
        JOHN,
        InnerVoiceBody(text=text),
        issuer=issuer(row, when, "to see who hears of it"),
    )


def observe(row: SimulationRow, agent: str, text: str, when: str) -> CommandRow:
    return request_intervention(
        row.pk, agent, ObservationBody(text=text), issuer=issuer(row, when)
    )


def accept_at(command: CommandRow, tick: int) -> None:
    process_command(command, FixedSchedule(free_ticks={JOHN: tick}))


def remembered(row: SimulationRow, agent: str, words: str) -> list[MemoryFormed]:
    return [
        one.event
        for one in happened(row, MemoryFormed)
        if one.stream == agent and words in one.event.description
    ]


def hours(simulation_id: UUID, agent: str, as_of_tick: int) -> list[PlanItem]:
    return plan_queries.items_between(
        simulation_id, agent, level="hour", from_tick=0, to_tick=10**6, as_of_tick=as_of_tick
    )


def whispered_to() -> SimulationRow:
    """Run a simulation of the family up to the night."""
    row = found(agents=LINS, seed=3)
    whisper(row)
    return live(row, NIGHT)


voiced = shared_fixture(whispered_to)


@pytest.mark.django_db
class TestADayAfterAnInnerVoice:
    def test_changes_the_plan_from_that_moment_on_and_nothing_before(
        self, voiced: SimulationRow
    ) -> None:
        [inputs] = happened(voiced, InnerVoiceGiven)
        [revised] = [
            one
            for one in happened(voiced, HoursPlanned)
            if one.stream == JOHN and one.cause == inputs.place
        ]
        assert revised.tick == inputs.tick
        before, after = (
            hours(voiced.pk, JOHN, tick) for tick in (inputs.tick - 1, inputs.tick)
        )
        assert not any(DEED in item.description for item in before)
        assert any(DEED in item.description for item in after)
        past = [item for item in before if item.to_tick <= inputs.tick]
        assert after[: len(past)] == past
        for earlier, later in pairwise(after):
            assert earlier.to_tick == later.from_tick

    def test_becomes_the_talk_of_the_family(self, voiced: SimulationRow) -> None:
        # He tells his wife and his son, in words; they remember who told them what.
        said = [one.event for one in happened(voiced, Said) if one.stream == JOHN]
        assert {one.to for one in said if "run for mayor" in one.text} == {MEI, EDDY}
        for listener in (MEI, EDDY):
            heard = remembered(voiced, listener, "John Lin is going to run for mayor")
            assert any(one.description.startswith("John Lin told ") for one in heard)
            assert heard[0].kind is MemoryKind.DIALOGUE
        assert check(wiring.event_store(), voiced.pk).problems == ()


class TestAnInnerVoice:
    def test_is_on_the_log_and_becomes_a_thought_of_the_persons_own(self) -> None:
        row = found(agents=LINS)
        command = whisper(row)
        live(row, "2023-02-13T07:00")
        # It is on the log with who and why, and at the tick that was asked for.
        [inputs] = happened(row, InnerVoiceGiven)
        event = inputs.event
        assert (inputs.stream, event.by) == ("commands", "a researcher")
        assert event.reason == "to see who hears of it"
        command = get_command(row.pk, command.pk)
        assert command.state == CommandRow.State.DONE
        assert inputs.tick == command.effective_tick == command.at_tick
        # John has the thought as his own, in the very same tick, because of the command.
        thought, decided = [
            one for one in happened(row, MemoryFormed) if one.cause == inputs.place
        ]
        assert (thought.stream, thought.tick) == (JOHN, inputs.tick)
        assert thought.event.description == CANDIDATE
        assert thought.event.kind is MemoryKind.REFLECTION
        assert not thought.event.perceived
        assert decided.event.kind is MemoryKind.PLAN
        assert decided.event.evidence == (thought.event.number,)

    def test_reaches_a_sleeper_and_shapes_the_morning(self) -> None:
        row = found(agents=LINS[:1])
        whisper(row, when="2023-02-13T03:00")
        live(row, "2023-02-13T09:00")
        [inputs] = happened(row, InnerVoiceGiven)
        assert remembered(row, JOHN, CANDIDATE)
        plans = [one for one in happened(row, HoursPlanned) if one.tick > inputs.tick]
        assert any(DEED in item.description for item in plans[0].event.items)

    def test_gets_a_sleeper_up_for_what_is_to_be_done_at_once(self) -> None:
        row = found(agents=LINS[:1])
        whisper(row, "Write down your dream at once", when="2023-02-13T03:00")
        live(row, "2023-02-13T05:00")
        done = agent_queries.actions_between(
            row.pk, JOHN, from_tick=0, to_tick=row.committed_tick
        )
        assert [action.asleep for action in done][:1] == [True]
        assert done[-1].asleep, "he goes back to bed"
        assert any(not action.asleep for action in done)

    def test_to_go_somewhere_at_once_is_followed_once(self) -> None:
        row = found(agents=LINS[:1])
        whisper(row, "Go to Johnson Park at once")
        live(row, "2023-02-14T09:00")
        there = [
            item
            for item in hours(row.pk, JOHN, row.committed_tick)
            if item.place.startswith("Johnson Park")
        ]
        assert [item.description for item in there].count("go to Johnson Park") == 1

    def test_to_tell_somebody_something_is_told_to_them_and_to_nobody_else(self) -> None:
        row = found(agents=LINS)
        whisper(row, "You must tell your wife that you are going to sell the shop")
        live(row, "2023-02-13T09:00")
        said = [one.event for one in happened(row, Said) if one.stream == JOHN]
        assert {one.to for one in said if "I'm going to sell the shop" in one.text} == {MEI}
        assert not any("my wife" in one.text for one in said)

    def test_gives_one_history_however_the_town_is_run(self) -> None:
        histories = set()
        for manner, delays in ((LOCK_STEP, None), (RunOptions(), None), (EIGHT_THREADS, 3)):
            row = found(agents=LINS)
            whisper(row)
            observe(row, MEI, "the sink is dripping", "2023-02-13T07:10")
            ports = None if delays is None else with_delays(delays)
            live(row, "2023-02-13T08:00", manner, ports=ports)
            histories.add(history_of(row.pk))
            assert check(wiring.event_store(), row.pk).problems == ()
        assert len(histories) == 1

    def test_without_a_time_comes_in_the_first_tick_not_begun(self) -> None:
        row = live(found(agents=LINS), BREAKFAST, EIGHT_THREADS)
        command = whisper(row, when=None)
        # A paused town accepts it at once, and lives it when it runs again.
        run_until_rest(wiring.ports(), row.pk, RunOptions())
        command = get_command(row.pk, command.pk)
        assert command.state == CommandRow.State.ACCEPTED
        assert command.effective_tick == row.committed_tick + 1
        assert not remembered(row, JOHN, CANDIDATE)
        live(row, "2023-02-13T07:00", EIGHT_THREADS)
        assert get_command(row.pk, command.pk).state == CommandRow.State.DONE
        assert remembered(row, JOHN, CANDIDATE)

    def test_is_not_passed_over_by_who_takes_over_after_a_crash(self) -> None:
        # A scheduler died right after it had accepted a thought for some ticks ahead: the next
        # one has nothing but the log to know it by, and John sleeps till the morning.
        row = simulated("2023-02-13T00:10", agents=LINS[:1])
        ahead = row.committed_tick + 300
        accept_at(whisper(row, when=None), ahead)
        live(row, "2023-02-13T02:00")
        [thought] = [
            one for one in happened(row, MemoryFormed) if one.event.description == CANDIDATE
        ]
        assert thought.tick == ahead


class TestAnObservation:
    def test_is_remembered_weighed_and_reacted_to(self) -> None:
        row = found(agents=LINS)
        observe(row, JOHN, "the stove is on fire", "2023-02-13T07:20")
        live(row, "2023-02-13T08:30")
        [inputs] = happened(row, ObservationGiven)
        [seen] = [one for one in happened(row, MemoryFormed) if one.cause == inputs.place]
        assert (seen.stream, seen.tick) == (JOHN, inputs.tick)
        assert seen.event.kind is MemoryKind.OBSERVATION
        assert seen.event.perceived
        [weighed] = [one for one in happened(row, ReactionDecided) if one.cause == inputs.place]
        assert weighed.event.choice == "act"
        [revised] = [one for one in happened(row, HoursPlanned) if one.cause == weighed.place]
        assert revised.tick == inputs.tick
        began = [one for one in happened(row, ActionBegan) if one.tick >= inputs.tick]
        assert any("putting out the fire" in one.event.description for one in began)

    def test_that_changes_nothing_is_remembered_all_the_same(self) -> None:
        row = found(agents=LINS[:1])
        observe(row, JOHN, "a cloud passes", "2023-02-13T07:20")
        live(row, "2023-02-13T07:30")
        [weighed] = [one for one in happened(row, ReactionDecided) if one.stream == JOHN]
        assert weighed.event.choice == "go on"
        assert remembered(row, JOHN, "a cloud passes")


class TestAnInterviewToRemember:
    def test_is_a_talk_with_the_persona_and_with_nobody_of_the_town(self) -> None:
        row = found(agents=LINS)
        interview = InterviewBody(
            persona="Mei Lin",
            question="Who are you?",
            answer="I am John.",
            model_calls=("1/john-lin/interview.answer/1",),
        )
        request_intervention(row.pk, JOHN, interview, issuer=issuer(row, BREAKFAST))
        live(row, "2023-02-13T07:00")
        [inputs] = happened(row, InterviewGiven)
        [kept] = [one for one in happened(row, MemoryFormed) if one.cause == inputs.place]
        assert kept.event.kind is MemoryKind.DIALOGUE
        assert kept.event.subject == "persona: Mei Lin"
        assert kept.event.description == (
            'Mei Lin said to John Lin: "Who are you?" John Lin answered: "I am John."'
        )


class TestRefusals:
    def test_name_the_mend(self) -> None:
        row = simulated("2023-02-13T00:10", agents=LINS[:2])
        with pytest.raises(UnusableText, match=r"1 to 1,000"):
            whisper(row, " \n ", when=None)
        with pytest.raises(TickPast):
            whisper(row, when="2023-02-13T00:05")

    def test_no_command_comes_before_one_that_is_on_the_log(self) -> None:
        row = found(agents=LINS[:1])
        assert next_command_tick(row.pk, 10) == 10
        accept_at(whisper(row, when=None), 500)
        assert next_command_tick(row.pk, 10) == 500
        assert next_command_tick(row.pk, 501) == 501

    def test_of_who_has_left_meanwhile(self) -> None:
        row = found(agents=LINS[:2])
        command = whisper(row, when="2023-02-13T00:30")
        request_removal(row.pk, JOHN, issuer=issuer(row))
        live(row, "2023-02-13T01:00")
        command = get_command(row.pk, command.pk)
        assert (command.state, command.effective_tick) == (CommandRow.State.REFUSED, None)
        assert "has left" in command.refusal
