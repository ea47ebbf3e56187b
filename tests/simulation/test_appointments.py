"""Appointments: agreed in one conversation, kept, moved or cancelled in another one (D3, R4).

John and Mei talk at breakfast; what they say and agree to is scripted, their days are not.
"""

from collections.abc import Iterator

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.dialogue.events import Agreed, AgreementEnded, Said, TalkEnded
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import Takeaways, only_that_they_talked
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.interaction.commands import InterviewRequest, answer_interview, request_interview
from apps.interaction.llm_tasks import ANSWER
from apps.llm.models import ModelCallRow
from apps.memory.events import AgreementOutcome, MemoryFormed, MemoryOrigin, MemorySuperseded
from apps.planning import queries as plan_queries
from apps.planning.events import HoursPlanned
from apps.planning.inputs import RevisedHoursInput
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS, RevisedHours
from apps.planning.rules import PlanItem
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from tests.support.builders import commitment_to
from tests.support.scripted_home import EDDY, JOHN, MEI, Script, action, lived, tick_of
from tests.support.towns import happened

pytestmark = pytest.mark.django_db(transaction=True)

SLUGS = {JOHN: "john-lin", MEI: "mei-lin"}
TODAY, TOMORROW = "2023-02-13", "2023-02-14"
PROPOSAL, CANCELLATION, MOVE = "Shall we have a picnic?", "I cannot come.", "Make it six?"
FULFILMENT = "That was a fine picnic."
PICNIC = "have a picnic with {other}"


def breakfast(*talks: str) -> tuple[Script, Script]:
    """Return the hours from seven to nine, in which John begins so many talks."""
    hours = [
        {
            JOHN: [
                action("eating toast", 20),
                action("talking", 5, act=("talk to", MEI, about)),
                action("eating an apple", 35),
            ],
            MEI: [action("eating congee", 60)],
        }
        for about in talks
    ]
    return hours[0], hours[1] if len(hours) > 1 else {}


def agreeing(day: str, starts: str, ends: str) -> TaskRule:
    """Return the takeaways: an agreement is made, cancelled, or moved to six o'clock."""

    def takeaways(inputs: TakeawaysInput, _: Chance) -> Takeaways:
        words = inputs.lines[0].text
        activity = PICNIC.format(other=inputs.other_name)
        picnic = commitment_to(activity, day, starts, ends, place="Johnson Park")
        moved = picnic.model_copy(update={"starts": "18:00", "ends": "19:00"})
        agreed = {PROPOSAL: (picnic,), MOVE: (moved,)}
        earlier = tuple(one.key for one in inputs.agreements)
        return only_that_they_talked(inputs).model_copy(
            update={
                "agreed": agreed.get(words, ()),
                "superseded": earlier if words in {CANCELLATION, MOVE} else (),
                "fulfilled": earlier if words == FULFILMENT else (),
            }
        )

    return takeaways


def saying(inputs: UtteranceInput, _: Chance) -> Utterance:
    """Say what the speaker has in mind; the answer is a consent."""
    if inputs.lines:
        return Utterance(utterance="All right.", ends=True)
    return Utterance(utterance=inputs.intent, ends=False)


def simulated(day: str, starts: str, ends: str, *talks: str, until: str = "") -> SimulationRow:
    """Run a simulation in which the picnic is agreed to, and perhaps moved or cancelled."""
    first, second = breakfast(*talks)
    return lived(
        first,
        later=second,
        until=until,
        agents=(JOHN, MEI),
        rules={TAKEAWAYS.name: agreeing(day, starts, ends), UTTERANCE.name: saying},
    )


def agreements_in_prompts(
    row: SimulationRow, name: str, task: str, *, from_tick: int
) -> Iterator[str]:
    """Yield what the prompts of a task list as the agreements of the agent."""
    calls = ModelCallRow.objects.filter(
        simulation_id=row.pk, stream=SLUGS[name], task=task, tick__gte=from_tick
    )
    for call in calls.order_by("tick"):
        text = "\n".join(message["content"] for message in call.messages)
        _, section, listed = text.partition('<quoted source="agreements">')
        assert section, "the prompt lists agreements"
        yield listed.partition("</quoted>")[0].strip()


def hours_of(row: SimulationRow, name: str, *, from_tick: int) -> list[PlanItem]:
    """Return the planned hours of the first day that follow the tick, as planned at last."""
    return plan_queries.items_between(
        row.pk,
        SLUGS[name],
        level="hour",
        from_tick=from_tick,
        to_tick=tick_of("24:00"),
        as_of_tick=row.committed_tick,
    )


def interview(row: SimulationRow, name: str, question: str) -> None:
    """Ask the agent at the end, and let it answer."""
    request = InterviewRequest(
        agent=SLUGS[name], question=question, as_of_tick=row.committed_tick
    )
    asked = request_interview(row.pk, request, by="a researcher")
    assert answer_interview(wiring.ports(), asked.pk) is not None


def prompt_of_interview(row: SimulationRow, name: str) -> str:
    """Return the prompt of an interview at the end."""
    interview(row, name, "How was the picnic?")
    [call] = ModelCallRow.objects.filter(
        simulation_id=row.pk, stream=SLUGS[name], task=ANSWER.name
    )
    return "\n".join(message["content"] for message in call.messages)


def interviewed(row: SimulationRow, name: str) -> str:
    """Return what the prompt of an interview lists as the agreements of the agent."""
    interview(row, name, "What have you agreed to?")
    [listed] = agreements_in_prompts(row, name, ANSWER.name, from_tick=0)
    return listed


def test_is_over_for_both_once_it_is_carried_out() -> None:
    row = simulated(TODAY, "18:00", "19:00", PROPOSAL, FULFILMENT)
    ends = happened(row, AgreementEnded)
    assert {one.stream for one in ends} == set(SLUGS.values())
    assert {one.event.outcome for one in ends} == {AgreementOutcome.KEPT}
    assert all(tick_of("8:00") < one.tick < tick_of("9:00") for one in ends)
    formed = [one for one in happened(row, MemoryFormed) if one.stream == SLUGS[JOHN]]
    [ended] = [one.event for one in formed if one.event.origin is MemoryOrigin.ENDED]
    assert ended.description.endswith(f"and did so; also there: {MEI}")
    assert PICNIC.format(other=MEI) not in interviewed(row, JOHN)
    talks = [str(one.place) for one in happened(row, TalkEnded) if one.stream == SLUGS[JOHN]]
    over = [one for one in happened(row, MemorySuperseded) if one.stream == SLUGS[JOHN]]
    assert {one.event.event for one in over} == {talks[1]}, "the second talk has fulfilled it"
    origins = {number: one.event.origin for number, one in enumerate(formed, start=1)}
    assert {origins[one.event.number] for one in over} == {
        MemoryOrigin.AGREED,
        MemoryOrigin.CONVERSATION,
    }
    assert check(wiring.event_store(), row.pk).problems == ()


class TestForTomorrow:
    """What is agreed today for tomorrow is planned and kept tomorrow."""

    def test_is_planned_and_kept(self) -> None:
        until = f"{TOMORROW}T12:00"
        row = simulated(TOMORROW, "10:00", "11:30", PROPOSAL, until=until)
        midnight = tick_of("24:00")
        for name, other in ((JOHN, MEI), (MEI, JOHN)):
            [outline] = agreements_in_prompts(row, name, DAY_OUTLINE.name, from_tick=midnight)
            assert PICNIC.format(other=other) in outline
            assert "10:00 am" in outline
            track = agent_queries.tracks(row.pk, from_tick=tick_of("34:30"))[SLUGS[name]]
            tile = track.tile_at(tick_of("34:30"))
            assert tile is not None
            world = constants_of(row.pk, wiring.ports().worlds).world
            assert world.map.area_at(tile).startswith("Johnson Park")
        there = [one for one in happened(row, Said) if tick_of("34:00") <= one.tick]
        assert {one.stream for one in there} == set(SLUGS.values()), "they meet and talk"
        self._is_remembered_as_past(row)
        assert check(wiring.event_store(), row.pk).problems == ()

    def _is_remembered_as_past(self, row: SimulationRow) -> None:
        """Check that both know how it ended, and who was there; prompts say that it is over."""
        ends = {one.stream: one for one in happened(row, AgreementEnded)}
        assert set(ends) == set(SLUGS.values()), "it ends once for each"
        for name, other in ((JOHN, MEI), (MEI, JOHN)):
            ended = ends[SLUGS[name]]
            assert ended.tick >= tick_of("35:30")
            assert ended.event.outcome is AgreementOutcome.KEPT
            assert SLUGS[other] in ended.event.present
            [kept] = [
                one.event
                for one in happened(row, MemoryFormed)
                if one.stream == SLUGS[name] and one.event.origin is MemoryOrigin.ENDED
            ]
            assert kept.scheduled is not None
            assert other in kept.scheduled.present
            assert kept.description.startswith(f"{name} agreed to have a picnic with {other}")
            assert ", and did so; also there: " in kept.description
            prompt = prompt_of_interview(row, name)
            assert "and did so" in prompt
            assert f"agreed to {PICNIC.format(other=other)} at Johnson Park on" in prompt
            assert "11:30 am (over)" in prompt


class TestForToday:
    """An appointment of today is cancelled or moved by a second conversation."""

    def test_is_planned_at_its_time(self) -> None:
        row = simulated(TODAY, "16:00", "17:00", PROPOSAL)
        for name, other in ((JOHN, MEI), (MEI, JOHN)):
            [hour] = [
                hour
                for hour in hours_of(row, name, from_tick=row.committed_tick)
                if PICNIC.format(other=other) in hour.description
            ]
            assert hour.from_tick == tick_of("16:00")
            # A rest of the time before that is shorter than a slot goes to the neighbour.
            assert tick_of("17:00") <= hour.to_tick < tick_of("17:10")
            assert "4:00 pm" in interviewed(row, name)

    def test_ends_as_dropped_when_something_else_was_planned(self) -> None:
        """What is planned for the time of the picnic is to read at home."""

        def at_home(inputs: RevisedHoursInput, _: Chance) -> RevisedHours:
            return RevisedHours(changes=[], dropped=[], bedtime=None)

        row = lived(
            *breakfast(PROPOSAL)[:1],
            until=f"{TODAY}T10:00",
            agents=(JOHN, MEI),
            rules={
                TAKEAWAYS.name: agreeing(TODAY, "09:00", "09:30"),
                UTTERANCE.name: saying,
                REVISED_HOURS.name: at_home,
            },
        )
        ends = happened(row, AgreementEnded)
        assert {one.stream for one in ends} == set(SLUGS.values())
        assert {one.event.outcome for one in ends} == {AgreementOutcome.DROPPED}
        assert all(one.event.present == () for one in ends)
        texts = [
            one.event.description
            for one in happened(row, MemoryFormed)
            if one.event.origin is MemoryOrigin.ENDED
        ]
        assert all(text.endswith(", but did something else") for text in texts)

    def test_no_longer_stands_when_it_was_cancelled(self) -> None:
        row = simulated(TODAY, "16:00", "17:00", PROPOSAL, CANCELLATION)
        cancelled = [one for one in happened(row, Agreed) if one.event.cancelled]
        assert {one.stream for one in cancelled} == set(SLUGS.values())
        assert all(one.event.replaces for one in cancelled)
        assert not happened(row, AgreementEnded), "its end is the cancellation"
        [ended] = {one.tick for one in cancelled}
        for name, slug in SLUGS.items():
            revised = [one for one in happened(row, HoursPlanned) if one.stream == slug]
            assert revised[-1].tick == ended, "the rest of the day is planned again"
            hours = hours_of(row, name, from_tick=row.committed_tick)
            assert not [hour for hour in hours if "picnic" in hour.description]
            asked = agreements_in_prompts(row, name, REVISED_HOURS.name, from_tick=ended)
            later = agreements_in_prompts(row, name, HOUR_ACTIONS.name, from_tick=ended)
            assert all("picnic" not in listed for listed in (*asked, *later))
            assert "picnic" not in interviewed(row, name)

    def test_has_its_new_time_when_it_was_moved(self) -> None:
        row = simulated(TODAY, "16:00", "17:00", PROPOSAL, MOVE)
        for name in SLUGS:
            planned = [
                (hour.from_tick, hour.to_tick)
                for hour in hours_of(row, name, from_tick=row.committed_tick)
                if "picnic" in hour.description
            ]
            assert planned == [(tick_of("18:00"), tick_of("19:00"))]
            listed = interviewed(row, name)
            assert "6:00 pm" in listed
            assert "4:00 pm" not in listed


HALF_PAST_SEVEN, EIGHT = "Will you hear my piece at half past seven?", "He plays at eight."
PIECE = commitment_to("hear the piece", TODAY, "19:30", "20:00")


def hearing_of_the_piece(inputs: TakeawaysInput, _: Chance) -> Takeaways:
    """Return the takeaways: the piece is agreed to, and moved to eight by a correction."""
    kept, said = only_that_they_talked(inputs), {line.text for line in inputs.lines}
    if inputs.agent_name != JOHN or not said & {HALF_PAST_SEVEN, EIGHT}:
        return kept
    if EIGHT not in said:
        return kept.model_copy(update={"agreed": (PIECE,)})
    earlier = tuple(one.key for one in inputs.agreements)
    at_eight = PIECE.model_copy(update={"starts": "20:00", "ends": "20:30"})
    return kept.model_copy(update={"agreed": (at_eight,), "superseded": earlier})


def test_a_correction_to_an_agent_in_a_conversation_reaches_its_plan() -> None:
    """Mei corrects the time while John is talking with Eddy, in the tick in which he begins."""
    eating = action("eating", 60)
    agreeing_script: Script = {
        EDDY: [
            action("eating", 20),
            action("asking", 40, act=("talk to", JOHN, HALF_PAST_SEVEN)),
        ],
        JOHN: [eating],
        MEI: [eating],
    }
    correcting: Script = {  # John's hour begins at half past eight
        JOHN: [
            action("having tea", 20),
            action("asking", 40, act=("talk to", EDDY, "How is college?")),
        ],
        MEI: [
            action("having tea", 50),
            action("correcting", 10, act=("talk to", JOHN, EIGHT)),
        ],
        EDDY: [action("having tea", 60)],
    }
    row = lived(
        agreeing_script,
        later=correcting,
        rules={TAKEAWAYS.name: hearing_of_the_piece, UTTERANCE.name: saying},
    )
    spoken = {one.event.text: one for one in happened(row, Said)}
    assert spoken[EIGHT].tick == spoken["How is college?"].tick, "he speaks to another one"
    planned = [
        (hour.from_tick, hour.to_tick)
        for hour in hours_of(row, JOHN, from_tick=row.committed_tick)
        if "hear the piece" in hour.description
    ]
    assert planned == [(tick_of("20:00"), tick_of("20:30"))]
    assert "7:30 pm" not in interviewed(row, JOHN)
