"""A user enters the town: as a visitor, or as somebody who lives there (U4)."""

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import AgentLeft, AgentReturned, ObjectRighted, TurnedAway
from apps.agents.status import LastTalk
from apps.console.served_simulation import PAPER_PACE, ServedSimulation, StartStep
from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks import UTTERANCE
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.dialogue.utterances import Ending
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import Order, check, rebuild
from apps.llm.models import ModelCallRow
from apps.memory import queries as memory_queries
from apps.planning.events import HoursPlanned
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from apps.simulation.commands.agents import Embodied, NameTaken, request_removal
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.embodiments import (
    AlreadyEmbodied,
    EmbodimentOver,
    EmbodimentUnknown,
    NeedsPace,
    NotYourEmbodiment,
)
from apps.simulation.commands.object_state import request_object_state
from apps.simulation.commands.visit import NoPlaceToAppear
from apps.simulation.engine.lifecycle import request_run
from apps.simulation.models import SimulationRow, Status
from apps.simulation.ports import Ports
from tests.support.hands import FAST, User, live_on, outcome_of, tick_of
from tests.support.rules import TASK_RULES
from tests.support.snapshots import simulated
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    ONE_BY_ONE,
    answering,
    found,
    happened,
    history_of,
    live,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

PAIR = ("Isabella Rodriguez", "Klaus Mueller")
ISABELLA, KLAUS, ADA = "isabella-rodriguez", "klaus-mueller", "ada-finch"
COUNTER = "Hobbs Cafe: cafe: behind the counter"
BOOK = "I am writing a book about this town. What is new here?"
# What asks a model what to do, and would not be asked of somebody whom a user acts for.
DECIDING = ("planning.", "reaction.", "dialogue.utterance")


def going_on(inputs: DecisionInput, _: Chance) -> Decision:
    """Leave it to the visitor to speak first."""
    return go_on(inputs)


def day(clock: str) -> str:
    return f"2023-02-13T{clock}"


def doings(row: SimulationRow, agent: str) -> list[str]:
    """Return what somebody has done so far."""
    done = agent_queries.actions_between(row.pk, agent, from_tick=0, to_tick=row.committed_tick)
    return [action.description for action in done]


def memories(row: SimulationRow, agent: str) -> list[str]:
    """Return what somebody remembers, the latest first."""
    found_ones = memory_queries.recent(row.pk, agent, as_of_tick=row.committed_tick, count=400)
    return [memory.description for memory in found_ones]


def sound(row: SimulationRow) -> bool:
    """Say whether rows equal the log, however they are built again."""
    before = check(wiring.event_store(), row.pk).problems
    rebuild(wiring.event_store(), row.pk, order=Order.COMMIT)
    return before == () and check(wiring.event_store(), row.pk).problems == ()


def in_town(row: SimulationRow, time: str) -> list[str]:
    """Return who was in town at a game time."""
    there = agent_queries.list_agents(row.pk, as_of_tick=tick_of(row, time))
    return [one.agent for one in there]


def tasks_asked(row: SimulationRow, agent: str, *, from_tick: int, to_tick: int) -> set[str]:
    rows = ModelCallRow.objects.filter(
        simulation_id=row.pk, stream=agent, tick__gte=from_tick, tick__lt=to_tick
    )
    return set(rows.values_list("task", flat=True))


def come_to_the_counter(row: SimulationRow, ports: Ports) -> User:
    """Let a visitor appear on the street and walk into the cafe, by ten past nine."""
    ada = User(row)
    come = ada.visit("Ada Finch", description="Ada Finch writes a book")
    live_on(row, day("09:01"), ports=ports)
    assert outcome_of(come) == ("done", "")
    walk = ada.move(COUNTER)
    live_on(row, day("09:10"), ports=ports)
    assert outcome_of(walk) == ("done", "")
    return ada


def talk_with_isabella(row: SimulationRow, ports: Ports, ada: User) -> None:
    """Say three things to Isabella, each after she has answered, by a quarter past nine."""
    for words, until in (("Good morning! I am Ada.", "09:13"), (BOOK, "09:16")):
        said = ada.say(words, to=ISABELLA)
        live_on(row, day(until), ports=ports)
        assert outcome_of(said) == ("done", "")
    ada.say("Thank you. I have to go!", ends=True)
    live_on(row, day("09:18"), ports=ports)


class TestVisitor:
    def test_talks_leaves_and_is_known_on_coming_back(self) -> None:
        last_talks: list[LastTalk | None] = []

        def listening(inputs: UtteranceInput, chance: Chance) -> Utterance:
            if inputs.agent_name == "Isabella Rodriguez":
                last_talks.append(inputs.acquaintance.last_talk)
            answer = TASK_RULES[UTTERANCE.name](inputs, chance)
            assert isinstance(answer, Utterance)
            return answer

        ports = answering({UTTERANCE.name: listening, DECISION.name: going_on})
        row = live(found(agents=PAIR), day("09:00"), ports=ports)
        talk_with_isabella(row, ports, come_to_the_counter(row, ports))
        # She leaves town, and the town may run as fast as it can again.
        User(row, number=1).hand_back()
        live_on(row, day("09:20"), ports=ports)
        assert [one.stream for one in happened(row, AgentLeft)] == [ADA]
        assert in_town(row, day("09:20")) == [ISABELLA, KLAUS]
        live(row, day("12:00"), ports=ports)
        # Hours later she is back: the same person, with whom Isabella has talked before.
        assert set(last_talks) == {None}
        again = User(row)
        again.visit("Ada Finch", place="Hobbs Cafe", description="not read a second time")
        live_on(row, day("12:01"), ports=ports)
        again.move(COUNTER)
        live_on(row, day("12:05"), ports=ports)
        again.say("Hello again!", to=ISABELLA)
        live_on(row, day("12:08"), ports=ports)
        assert [one.stream for one in happened(row, AgentReturned)] == [ADA]
        assert [talk and talk.minutes_ago // 60 for talk in last_talks[-1:]] == [2]
        assert all(talk.gist for talk in last_talks[-1:] if talk)
        assert "Ada" in happened(row, Said)[-1].event.text
        was_there = [
            ADA in in_town(row, day(clock)) for clock in ("09:00", "09:15", "11:00", "12:05")
        ]
        assert was_there == [False, True, False, True]
        assert sound(row)

    def test_is_talked_with_and_remembered_as_anybody(self) -> None:
        ports = answering({DECISION.name: going_on})
        row = live(found(agents=PAIR), day("09:00"), ports=ports)
        ada = come_to_the_counter(row, ports)
        assert doings(row, ADA) == [
            "arriving in town",
            "looking around",
            "walking to Hobbs Cafe",
            "looking around",
        ]
        talk_with_isabella(row, ports, ada)
        # Isabella found her words herself, Ada's are the user's.
        talked = [(one.stream, one.event.conversation) for one in happened(row, Said)]
        assert [who for who, _conversation in talked] == [ADA, ISABELLA, ADA, ISABELLA, ADA]
        assert len({conversation for _who, conversation in talked}) == 1
        assert {one.stream for one in happened(row, TalkEnded)} == {ADA, ISABELLA}
        asked = tasks_asked(row, ADA, from_tick=0, to_tick=row.committed_tick)
        assert "dialogue.takeaways" in asked
        assert not [task for task in asked if task.startswith(DECIDING)]
        # Both remember it; each has it from what the other said.
        assert any("Isabella Rodriguez invited Ada Finch" in one for one in memories(row, ADA))
        heard = "Ada Finch told Isabella Rodriguez that Ada Finch is writing a book"
        assert any(heard in one for one in memories(row, ISABELLA))

    def test_is_refused_a_name_of_the_town_and_a_place_that_is_closed(self) -> None:
        row = simulated(day("06:00"), agents=PAIR)
        with pytest.raises(NameTaken):
            User(row).visit("Klaus Mueller")
        with pytest.raises(NoPlaceToAppear):
            User(row).visit("Ada Finch", place="Hobbs Cafe: cafe: piano")
        early = User(row).visit("Ada Finch", place="Hobbs Cafe")
        with pytest.raises(NameTaken):
            User(row).visit("Ada Finch")
        live_on(row, day("06:01"))
        assert outcome_of(early)[0] == "refused"
        assert "closed" in outcome_of(early)[1]

    def test_finds_a_closed_door_closed(self) -> None:
        row = simulated(day("06:00"), agents=PAIR)
        ada = User(row)
        ada.visit("Ada Finch")
        live_on(row, day("06:01"))
        walk = ada.move("Hobbs Cafe: cafe")
        live_on(row, day("06:20"))
        assert outcome_of(walk)[0] == "refused"
        assert outcome_of(walk)[1].startswith("turned-away: Hobbs Cafe is closed")
        [turned_away] = [one for one in happened(row, TurnedAway) if one.stream == ADA]
        assert turned_away.event.why in memories(row, ADA)
        assert doings(row, ADA)[-1] == "looking around"


class TestEmbodied:
    def test_decides_nothing_and_plans_anew_when_handed_back(self) -> None:
        row = simulated(day("10:00"), agents=PAIR)
        user = User(row)
        user.embody(KLAUS)
        live_on(row, day("10:01"))
        walk = user.move("Hobbs Cafe: cafe: piano")
        live_on(row, day("10:30"))
        playing = user.act("Hobbs Cafe: cafe: piano", "playing the piano", minutes=20)
        live_on(row, day("11:00"))
        assert outcome_of(walk) == ("done", "")
        assert outcome_of(playing) == ("done", "")
        began, ended = tick_of(row, day("10:00")) + 1, tick_of(row, day("11:00")) + 1
        asked = tasks_asked(row, KLAUS, from_tick=began, to_tick=ended)
        assert asked <= {"memory.importance"}
        assert not [
            one
            for one in happened(row, ReactionDecided)
            if one.stream == KLAUS and one.tick >= began
        ]
        assert "Klaus Mueller is playing the piano" in memories(row, KLAUS)
        # Handed back, he is asked what changes in the rest of his day, and goes on with it.
        planned = len([one for one in happened(row, HoursPlanned) if one.stream == KLAUS])
        user.hand_back()
        live_on(row, day("11:30"))
        plans = [one for one in happened(row, HoursPlanned) if one.stream == KLAUS]
        assert plans[planned:] == []
        revising = ModelCallRow.objects.get(
            simulation_id=row.pk, stream=KLAUS, tick=ended, task="planning.revised_hours"
        )
        assert "playing the piano" in str(revising.messages)
        assert doings(row, KLAUS)[-1] != "looking around"
        assert sound(row)

    def test_wakes_a_sleeper_who_goes_back_to_bed_when_handed_back(self) -> None:
        row = simulated(day("02:00"), agents=PAIR)
        user = User(row)
        user.embody(KLAUS)
        live_on(row, day("02:01"))
        assert doings(row, KLAUS) == ["sleeping", "looking around"]
        user.hand_back()
        live_on(row, day("02:10"))
        assert doings(row, KLAUS)[-1] == "sleeping"
        live(row, day("09:00"))
        assert len(doings(row, KLAUS)) > 5

    def test_is_waited_for_as_long_as_a_user_needs(self) -> None:
        row = simulated(day("09:00"), agents=PAIR)
        ada = User(row)
        ada.visit("Ada Finch", place="Hobbs Cafe")
        live_on(row, day("09:01"))
        ada.move(COUNTER)
        live_on(row, day("09:05"))
        ada.say("Good morning! I am Ada.", to=ISABELLA)
        live_on(row, day("09:20"))
        # A quarter of an hour later Isabella still waits for an answer; then she does not.
        assert doings(row, ISABELLA)[-1] == "talking with Ada Finch"
        live_on(row, day("09:40"))
        ends = {one.stream: one.event.why for one in happened(row, TalkEnded)}
        assert ends == {ISABELLA: Ending.NO_ANSWER, ADA: Ending.LEFT}
        assert doings(row, ISABELLA)[-1] != "talking with Ada Finch"
        assert doings(row, ADA)[-1] == "looking around"

    def test_gives_up_a_walk_for_another_and_a_talk_by_walking_off(self) -> None:
        row = simulated(day("09:00"), agents=PAIR)
        ada = User(row)
        ada.visit("Ada Finch", place="Hobbs Cafe")
        live_on(row, day("09:01"))
        far = ada.move("Johnson Park: park")
        live_on(row, day("09:01:30"))
        near = ada.move(COUNTER)
        live_on(row, day("09:05"))
        assert outcome_of(far) == (
            "refused",
            "broken-off: another action was requested before it was done",
        )
        assert outcome_of(near) == ("done", "")
        ada.say("Good morning! I am Ada.", to=ISABELLA)
        live_on(row, day("09:07"))
        ada.move("Johnson Park: park")
        live_on(row, day("09:10"))
        ends = {one.stream: one.event.why for one in happened(row, TalkEnded)}
        assert ends == {ADA: Ending.INTERRUPTED, ISABELLA: Ending.LEFT}

    def test_holds_on_to_an_object_while_talking(self) -> None:
        row = simulated(day("09:00"), agents=PAIR)
        klaus = User(row)
        klaus.embody(KLAUS)
        live_on(row, day("09:01"))
        plays = klaus.act("Hobbs Cafe: cafe: piano", "playing the piano", minutes=60)
        ada = User(row, name="another user")
        ada.visit("Ada Finch", place="Hobbs Cafe")
        live_on(row, day("09:25"))
        ada.move("Hobbs Cafe: cafe: piano")
        live_on(row, day("09:30"))
        klaus.say("Do I play too loudly?", to=ADA)
        live_on(row, day("09:31"))
        assert outcome_of(plays) == ("accepted", "")
        users = agent_queries.uses(row.pk, from_tick=row.committed_tick, agents=[KLAUS])
        assert [use.node for use, _until in users] == ["Hobbs Cafe: cafe: piano"]
        ada.say("Not at all!", ends=True)
        live_on(row, day("09:33"))
        assert outcome_of(plays) == ("done", "")
        assert doings(row, KLAUS)[-1] == "looking around"

    def test_hears_no_answer_from_whom_it_does_not_see(self) -> None:
        row = simulated(day("09:00"), agents=PAIR)
        ada = User(row)
        ada.visit("Ada Finch")
        live_on(row, day("09:01"))
        to_her, to_nobody = ada.say("Hello!", to=ISABELLA), ada.say("Hello?")
        live_on(row, day("09:02"))
        assert outcome_of(to_her)[1].startswith("not-in-view: ")
        assert outcome_of(to_nobody)[1].startswith("nobody-addressed: ")

    def test_puts_out_what_a_user_has_set_on_fire(self) -> None:
        row = simulated(day("09:00"), agents=PAIR)
        user = User(row)
        user.embody(KLAUS)
        live_on(row, day("09:01"))
        # He is in the library, where nobody else would see to it; and he decides nothing.
        shelves = "Oak Hill College: library: bookshelves"
        issuer = Issuer(by="somebody else")
        request_object_state(
            wiring.ports(), row.pk, object_name=shelves, state="burning", issuer=issuer
        )
        live_on(row, day("09:05"))
        assert "bookshelves: burning" in memories(row, KLAUS)
        assert doings(row, KLAUS)[-1] == "looking around"
        user.act(shelves, "throwing water over the bookshelves", minutes=2)
        live_on(row, day("09:20"))
        assert [one.stream for one in happened(row, ObjectRighted)] == [KLAUS]
        assert sound(row)


class TestAsking:
    def test_needs_a_pace(self) -> None:
        row = simulated(day("00:10"), agents=PAIR)
        user = User(row)
        user.embody(KLAUS)
        with pytest.raises(NeedsPace):
            request_run(row.pk, ticks=6)
        live_on(row, day("00:11"))
        with pytest.raises(NeedsPace):
            request_run(row.pk, ticks=6)
        user.hand_back()
        live_on(row, day("00:12"))
        live(row, day("00:13"))
        SimulationRow.objects.filter(pk=row.pk).update(status=Status.RUNNING, pace=None)
        with pytest.raises(NeedsPace):
            user.embody(KLAUS)
        SimulationRow.objects.filter(pk=row.pk).update(status=Status.RUNNING, pace=FAST)
        user.embody(KLAUS)

    def test_lets_a_served_simulation_start_at_a_pace(self) -> None:
        row = found(agents=PAIR)
        User(row).embody(KLAUS)
        assert ServedSimulation(row.pk).start() is StartStep.NIGHT
        row.refresh_from_db()
        assert (row.status, row.pace) == (Status.RUNNING, PAPER_PACE)

    def test_is_for_one_user_at_a_time_and_for_owners(self) -> None:
        row = simulated(day("00:10"), agents=PAIR)
        user, other = User(row), User(row, name="somebody else")
        user.embody(KLAUS)
        with pytest.raises(AlreadyEmbodied):
            other.embody(KLAUS)
        live_on(row, day("00:11"))
        with pytest.raises(AlreadyEmbodied):
            other.embody(KLAUS)
        other.number = user.number
        with pytest.raises(NotYourEmbodiment):
            other.move("Hobbs Cafe: cafe")
        with pytest.raises(NotYourEmbodiment):
            other.hand_back()
        with pytest.raises(Embodied):
            request_removal(row.pk, KLAUS, issuer=Issuer(by="an owner"))
        other.is_owner = True
        other.hand_back()
        with pytest.raises(EmbodimentOver):
            user.move("Hobbs Cafe: cafe")
        user.number = 7
        with pytest.raises(EmbodimentUnknown):
            user.move("Hobbs Cafe: cafe")

    def test_is_on_the_log_with_who_and_why(self) -> None:
        row = simulated(day("00:10"), agents=PAIR)
        user = User(row)
        user.embody(KLAUS)
        user.walk_to((70, 20))
        user.hand_back()
        live_on(row, day("00:11"))
        said = [one.event for one in wiring.event_store().read(row.pk, streams=["commands"])]
        assert [one.type.split(".")[1] for one in said] == [
            "began",
            "action-requested",
            "ended",
        ]
        assert {(one.by, one.reason) for one in said} == {  # type: ignore[attr-defined]
            ("a researcher", "to see what they say")
        }


def asked_beforehand(row: SimulationRow) -> None:
    """Ask a visitor and a resident for what they do at given times, ahead of all of it."""
    ada, klaus = User(row), User(row, name="another user")
    ada.visit("Ada Finch", day("09:00"), place="Hobbs Cafe")
    ada.move(COUNTER, day("09:00:30"))
    ada.say("Good morning! I am Ada.", day("09:04"), to=ISABELLA)
    ada.say(BOOK, day("09:06:10"))
    ada.say("And who is Klaus?", day("09:06:10"))
    klaus.embody(KLAUS, day("09:02:20"))
    klaus.move(COUNTER, day("09:03"))
    klaus.act("Hobbs Cafe: cafe: piano", "playing the piano", day("09:40"), minutes=5)
    klaus.move(COUNTER, day("09:46"))
    ada.say("Are you Klaus?", day("09:50"), to=KLAUS)
    klaus.say("It is. Do I play well?", day("09:52"))
    ada.say("You do. Goodbye!", day("09:53"), ends=True)
    klaus.hand_back(day("10:00"))
    ada.hand_back(day("09:55"))


class TestHistory:
    def test_is_the_same_however_the_simulation_is_run(self) -> None:
        # The same is asked for the same ticks: in lock-step, with pauses, and on threads.
        end = day("10:05")
        in_lock_step, stopped, threads = found(), found(), found()
        for row in (in_lock_step, stopped, threads):
            asked_beforehand(row)
        live_on(in_lock_step, end, LOCK_STEP)
        for stop in ("09:00", "09:05:10", "09:51", "09:58"):
            live_on(stopped, day(stop), ONE_BY_ONE)
        live_on(stopped, end)
        live_on(threads, end, EIGHT_THREADS, ports=with_delays(seed=5))
        assert len({history_of(row.pk) for row in (in_lock_step, stopped, threads)}) == 1
        speakers = {one.stream for one in happened(threads, Said)}
        assert speakers >= {ADA, ISABELLA, KLAUS}
        places = [
            (event.tick, event.stream, event.ordinal)
            for event in EventRow.objects.filter(simulation_id=threads.pk).order_by("position")
        ]
        assert places != sorted(places)
        assert sound(threads)
